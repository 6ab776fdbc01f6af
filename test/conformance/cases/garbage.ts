// What happens to dependents when their owner goes.

import { expect } from 'vitest';
import type { Bench, Made } from '../bench.ts';
import type { Topic } from '../case.ts';
import { invalid } from '../expectations.ts';
import { until } from '../../control-plane/until.ts';

const hold = 'conformance.test/hold';

const ownedBy = ({ name, uid }: Made, more: object = {}) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  name,
  uid,
  ...more,
});

async function family({ create }: Bench, finalizers: readonly string[] = []) {
  const owner = await create('configmaps');
  const metadata = { ownerReferences: [ownedBy(owner, { blockOwnerDeletion: true })], finalizers };
  return { owner, child: await create('configmaps', { metadata }) };
}

export const garbage: Topic = {
  name: 'garbage collection',
  cases: {
    'deletes dependents in the background': async (bench) => {
      const { owner, child } = await family(bench);
      expect(await bench.remove(owner.path, { propagationPolicy: 'Background' })).toMatchObject({
        body: { kind: 'Status' },
      });
      expect((await bench.get(owner.path)).status).toBe(404);
      await bench.gone(child.path);
    },
    'deletes dependents when nothing is said': async (bench) => {
      const { owner, child } = await family(bench);
      await bench.remove(owner.path);
      await bench.gone(child.path);
    },
    'deletes dependents first in the foreground': async (bench) => {
      const { owner, child } = await family(bench, [hold]);
      const reply = await bench.remove(owner.path, { propagationPolicy: 'Foreground' });
      expect(reply.body.metadata).toMatchObject({
        deletionTimestamp: expect.any(String),
        finalizers: ['foregroundDeletion'],
      });
      await until('the child is being deleted', 30_000, async () =>
        (await bench.get(child.path)).body.metadata?.deletionTimestamp === undefined ? undefined : true,
      );
      expect((await bench.get(owner.path)).status).toBe(200);
      await bench.patch(child.path, { metadata: { finalizers: null } });
      await bench.gone(child.path);
      await bench.gone(owner.path);
    },
    'leaves orphans alone and takes the reference off': async (bench) => {
      const { owner, child } = await family(bench);
      await bench.remove(owner.path, { propagationPolicy: 'Orphan' });
      await bench.gone(owner.path);
      const { status, body } = await bench.get(child.path);
      expect(status).toBe(200);
      expect(body.metadata).not.toHaveProperty('ownerReferences');
    },
    'spares what has another owner left': async (bench) => {
      const [first, second] = [await bench.create('configmaps'), await bench.create('configmaps')];
      const ownerReferences = [ownedBy(first), ownedBy(second)];
      const child = await bench.create('configmaps', { metadata: { ownerReferences } });
      await bench.remove(first.path);
      await until('the first reference is taken off', 30_000, async () => {
        const references = (await bench.get(child.path)).body.metadata?.ownerReferences ?? [];
        return references.length === 1 ? true : undefined;
      });
      await bench.remove(second.path);
      await bench.gone(child.path);
    },
    'deletes what names an owner of another uid': async (bench) => {
      const owner = await bench.create('configmaps');
      const ownerReferences = [ownedBy({ ...owner, uid: '00000000-0000-4000-8000-000000000000' })];
      const child = await bench.create('configmaps', { metadata: { ownerReferences } });
      await bench.gone(child.path);
    },
    'follows from a Node to what it owns in namespaces': async (bench) => {
      const node = await bench.create('nodes');
      const reference = { apiVersion: 'v1', kind: 'Node', name: node.name, uid: node.uid };
      const lease = await bench.create('leases', { metadata: { ownerReferences: [reference] } });
      await bench.remove(node.path);
      await bench.gone(lease.path);
    },
    'refuses a reference without a uid': async ({ post, at, name }) => {
      const ownerReferences = [{ apiVersion: 'v1', kind: 'Node', name: 'a' }];
      expect(await post(at.configmaps, { metadata: { name: name(), ownerReferences } })).toMatchObject(
        invalid('metadata.ownerReferences.uid', 'FieldValueInvalid'),
      );
    },
    'refuses two controllers': async ({ post, at, name }) => {
      const controller = (uid: string) => ({
        apiVersion: 'v1',
        kind: 'Node',
        name: uid,
        uid,
        controller: true,
      });
      const ownerReferences = [controller('a'), controller('b')];
      expect(await post(at.configmaps, { metadata: { name: name(), ownerReferences } })).toMatchObject(
        invalid('metadata.ownerReferences', 'FieldValueInvalid'),
      );
    },
    'refuses a propagation policy it does not know': async ({ create, remove, get }) => {
      const { path } = await create('configmaps');
      expect(await remove(path, { propagationPolicy: 'Sometimes' })).toMatchObject(
        invalid('propagationPolicy', 'FieldValueNotSupported'),
      );
      expect((await get(path)).status).toBe(200);
    },
    'refuses a policy and the old flag together': async ({ create, remove }) => {
      const { path } = await create('configmaps');
      expect(await remove(path, { propagationPolicy: 'Background', orphanDependents: true })).toMatchObject(
        invalid('propagationPolicy', 'FieldValueInvalid'),
      );
    },
  },
};
