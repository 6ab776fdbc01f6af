// The parts of a pod that are more than a part: its log, its binding, its eviction.

import { expect } from 'vitest';
import type { Bench } from '../bench.ts';
import { table, type Topic } from '../case.ts';
import { refusal } from '../expectations.ts';
import { accountForPods } from './pods.ts';

async function pod(bench: Bench, spec: object = {}) {
  await accountForPods(bench);
  const containers = [{ name: 'c', image: 'i' }];
  return bench.create('pods', { spec: { containers, ...spec } });
}

export const podParts: Topic = {
  name: 'parts of pods',
  cases: {
    'logs need the name of one of several containers': async (bench) => {
      const containers = ['a', 'b'].map((name) => ({ name, image: 'i' }));
      const { path, name } = await pod(bench, { containers });
      expect(await bench.get(`${path}/log`)).toMatchObject(
        refusal(
          400,
          'BadRequest',
          `a container name must be specified for pod ${name}, choose one of: [a b]`,
        ),
      );
      expect(await bench.get(`${path}/log?container=c`)).toMatchObject(
        refusal(400, 'BadRequest', `container c is not valid for pod ${name}`),
      );
      expect((await bench.get(`${path}/log?container=a`)).status).toBe(204);
    },
    ...table<readonly [query: string, code: number, words: string]>(
      {
        'logs have no last lines below none': ['tailLines=-1', 422, 'must be greater than or equal to 0'],
        'logs have no last lines that are no number': ['tailLines=x', 400, 'invalid syntax'],
        'logs are bounded by one byte at least': ['limitBytes=0', 422, 'must be greater than 0'],
        'logs begin at one time': ['sinceSeconds=1&sinceTime=2026-01-01T00:00:00Z', 422, 'at most one of'],
      },
      async (bench, [query, code, words]) => {
        const { path } = await pod(bench);
        const reason = code === 422 ? 'Invalid' : 'BadRequest';
        expect(await bench.get(`${path}/log?${query}`)).toMatchObject(refusal(code, reason, words));
      },
    ),
    'logs of a node that is not there are not there': async (bench) => {
      const { path } = await pod(bench, { nodeName: 'nowhere' });
      expect(await bench.get(`${path}/log`)).toMatchObject(
        refusal(404, 'NotFound', 'pods "nowhere" not found'),
      );
    },
    'logs of a kubelet that cannot be reached are an error of the server': async (bench) => {
      const node = await bench.create('nodes');
      const { path } = await pod(bench, { nodeName: node.name });
      const silent = await bench.get(`${path}/log`);
      expect(silent).toMatchObject({
        status: 500,
        body: { message: 'no preferred addresses found; known addresses: []' },
      });
      const addresses = [{ type: 'InternalIP', address: '127.0.0.1' }];
      const daemonEndpoints = { kubeletEndpoint: { Port: 1 } };
      await bench.patch(`${node.path}/status`, { status: { addresses, daemonEndpoints } });
      const { status, body } = await bench.get(`${path}/log`);
      expect(status).toBe(500);
      expect(body.message).toContain('dial tcp 127.0.0.1:1: connect: connection refused');
    },
    ...table<'binding' | 'eviction'>(
      { 'bindings name their pod': 'binding', 'evictions name their pod': 'eviction' },
      async (bench, part) => {
        const { path } = await pod(bench);
        const body = { metadata: { name: 'other' }, target: { name: 'n' } };
        expect(await bench.post(`${path}/${part}`, body)).toMatchObject(
          refusal(400, 'BadRequest', 'name in URL does not match name in'),
        );
      },
    ),
    ...table<readonly [target: object, message: string]>(
      {
        'bindings without a node are an error of the server': [
          { kind: 'Node' },
          'target.name: Required value',
        ],
        'bindings to something else are an error of the server': [
          { kind: 'Pod', name: 'x' },
          'target.kind: Unsupported value: "Pod": supported values: "Node", "<empty>"',
        ],
      },
      async (bench, [target, message]) => {
        const { path, name } = await pod(bench);
        const reply = await bench.post(`${path}/binding`, { metadata: { name }, target });
        expect(reply).toMatchObject({ status: 500, body: { message } });
      },
    ),
    'evictions can be tried': async (bench) => {
      const { path, name, resourceVersion } = await pod(bench, { nodeName: 'n' });
      const deleteOptions = { dryRun: ['All'] };
      expect((await bench.post(`${path}/eviction`, { metadata: { name }, deleteOptions })).status).toBe(201);
      expect((await bench.get(path)).body.metadata).toMatchObject({ resourceVersion });
    },
    'deletion takes a second when it is to take less than none': async (bench) => {
      const { path } = await pod(bench, { nodeName: 'n' });
      const { body } = await bench.remove(path, { gracePeriodSeconds: -1 });
      expect(body.metadata).toMatchObject({ deletionGracePeriodSeconds: 1 });
    },
    'deletion is announced before it happens': async (bench) => {
      const { path, name, resourceVersion } = await pod(bench);
      const query = `fieldSelector=metadata.name%3D${name}&resourceVersion=${resourceVersion}`;
      const watching = await bench.watch(bench.at.pods, query);
      await bench.remove(path);
      const events = await watching.through('DELETED');
      expect(events.map(({ type }) => type)).toEqual(['MODIFIED', 'DELETED']);
      expect(events[0]?.object.metadata).toMatchObject({ deletionGracePeriodSeconds: 0, generation: 2 });
    },
  },
};
