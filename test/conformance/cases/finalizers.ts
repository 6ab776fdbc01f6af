// How finalizers hold an object that is being deleted.

import { expect } from 'vitest';
import type { Topic } from '../case.ts';
import { invalid, refusal, versionOf, warningsOf } from '../expectations.ts';

const hold = 'conformance.test/hold';
const held = { metadata: { finalizers: [hold] } };

export const finalizers: Topic = {
  name: 'finalizers',
  cases: {
    'without a domain are refused by most kinds and taken by a few': async ({ create, post, at, name }) => {
      const metadata = { finalizers: ['plain'] };
      expect(await post(at.configmaps, { metadata: { ...metadata, name: name() } })).toMatchObject(
        invalid('metadata.finalizers[0]', 'FieldValueInvalid'),
      );
      expect((await create('leases', { metadata })).object.metadata).toMatchObject(metadata);
    },
    'without a domain are advised against on custom resources, when they come': async ({ create, patch }) => {
      const { path } = await create('gadgets');
      const first = await patch(path, { metadata: { finalizers: ['plain'] } });
      expect(warningsOf(first)).toEqual([
        'metadata.finalizers: "plain": prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers',
      ]);
      expect(warningsOf(await patch(path, { metadata: { labels: { a: 'b' } } }))).toEqual([]);
    },
    'keep an object that is being deleted': async ({ create, remove, get }) => {
      const { path } = await create('configmaps', held);
      const reply = await remove(path);
      expect(reply).toMatchObject({
        status: 200,
        body: {
          kind: 'ConfigMap',
          metadata: {
            deletionTimestamp: expect.stringMatching(/^\d{4}-.*Z$/),
            deletionGracePeriodSeconds: 0,
            finalizers: [hold],
          },
        },
      });
      expect((await get(path)).status).toBe(200);
    },
    'let it go when the last one is removed': async ({ create, remove, patch, get }) => {
      const { path } = await create('configmaps', { metadata: { finalizers: [hold, `${hold}-too`] } });
      await remove(path);
      expect((await patch(path, { metadata: { finalizers: [hold] } })).status).toBe(200);
      expect((await get(path)).status).toBe(200);
      const last = await patch(path, { metadata: { finalizers: null } });
      expect(last).toMatchObject({ status: 200, body: { kind: 'ConfigMap' } });
      expect(last.body.metadata).not.toHaveProperty('finalizers');
      expect((await get(path)).status).toBe(404);
    },
    'let a custom resource go through a PUT': async ({ create, remove, put, get }) => {
      const { path } = await create('widgets', { ...held, spec: { colour: 'red' } });
      const { body } = await remove(path);
      expect((await put(path, { ...body, metadata: { ...body.metadata, finalizers: [] } })).status).toBe(200);
      expect((await get(path)).status).toBe(404);
    },
    'leave the object writable while it waits': async ({ create, remove, patch }) => {
      const { path } = await create('configmaps', held);
      await remove(path);
      const reply = await patch(path, { data: { still: 'here' } });
      expect(reply).toMatchObject({ status: 200, body: { data: { still: 'here' } } });
    },
    'cannot be added to an object that is being deleted': async ({ create, remove, patch }) => {
      const { path } = await create('configmaps', held);
      await remove(path);
      expect(await patch(path, { metadata: { finalizers: [hold, `${hold}-more`] } })).toMatchObject(
        invalid('metadata.finalizers', 'FieldValueForbidden'),
      );
    },
    'make a second delete change nothing': async ({ create, remove }) => {
      const { path } = await create('configmaps', held);
      const first = await remove(path);
      const second = await remove(path);
      expect(second.status).toBe(200);
      expect(versionOf(second)).toBe(versionOf(first));
      expect(second.body.metadata?.deletionTimestamp).toBe(first.body.metadata?.deletionTimestamp);
    },
    'cannot be undone by removing the deletion time': async ({ create, remove, patch }) => {
      const { path } = await create('configmaps', held);
      const { body } = await remove(path);
      const reply = await patch(path, { metadata: { deletionTimestamp: null } });
      expect(reply.body.metadata?.deletionTimestamp).toBe(body.metadata?.deletionTimestamp);
    },
    'keep the name taken': async ({ create, remove, post, at }) => {
      const { path, name } = await create('configmaps', held);
      await remove(path);
      expect(await post(at.configmaps, { metadata: { name } })).toMatchObject(refusal(409, 'AlreadyExists'));
    },
    'have qualified names': async ({ post, at, name }) => {
      expect(await post(at.configmaps, { metadata: { name: name(), finalizers: ['bad'] } })).toMatchObject(
        invalid('metadata.finalizers[0]', 'FieldValueInvalid'),
      );
    },
    'hold Nodes as they hold all else': async ({ create, remove, patch, get }) => {
      const { path } = await create('nodes', held);
      expect(await remove(path)).toMatchObject({ status: 200, body: { kind: 'Node' } });
      await patch(path, { metadata: { finalizers: [] } });
      expect((await get(path)).status).toBe(404);
    },
  },
};
