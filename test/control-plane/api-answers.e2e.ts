import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ControlPlane, startControlPlane } from './control-plane.ts';
import { textAt } from './text-at.ts';

// What the node writer and the safety rails count on: how the API server answers a guarded write to a Node.

let plane: ControlPlane;

beforeAll(async () => {
  plane = await startControlPlane({ scheduler: false });
});

afterAll(() => plane.stop());

type Node = { readonly path: string; readonly uid: string; readonly resourceVersion: string };

const otherUid = '00000000-0000-4000-8000-000000000000';

it('refuses a merge patch with an old resourceVersion as a conflict', async () => {
  const { path, resourceVersion } = await createNode('patched-late');
  await patch(path, { metadata: { labels: { a: 'b' } } });
  const reply = await patch(path, { metadata: { resourceVersion, labels: { a: 'c' } } });
  expect(reply).toMatchObject({ status: 409, body: { reason: 'Conflict' } });
});

it('accepts a merge patch with the current resourceVersion and uid', async () => {
  const { path, uid, resourceVersion } = await createNode('patched-in-time');
  const reply = await patch(path, { metadata: { uid, resourceVersion, labels: { a: 'b' } } });
  expect(reply).toMatchObject({ status: 200, body: { metadata: { labels: { a: 'b' } } } });
});

it('refuses a merge patch with a wrong uid alone as invalid, not as a conflict', async () => {
  const { path } = await createNode('patched-by-mistake');
  const reply = await patch(path, { metadata: { uid: otherUid, labels: { a: 'b' } } });
  expect(reply).toMatchObject({ status: 422, body: { reason: 'Invalid' } });
  expect(textAt(reply.body, 'message')).toContain('metadata.uid: Invalid value');
  expect(textAt(reply.body, 'message')).toContain('field is immutable');
});

it('keeps the resourceVersion when a patch changes nothing', async () => {
  const { path, resourceVersion } = await createNode('patched-in-vain');
  const reply = await patch(path, { metadata: { resourceVersion, labels: {} } });
  expect(reply).toMatchObject({ status: 200, body: { metadata: { resourceVersion } } });
});

it.each([
  [
    'two taints of one key and effect',
    { spec: { taints: [taint('a'), taint('a')] } },
    'taints[1]: Duplicate value',
  ],
  ['a bad label value', { metadata: { labels: { good: 'b', bad: 'not a value' } } }, 'metadata.labels'],
  ['a new providerID', { spec: { unschedulable: true, providerID: 'aws:///b' } }, 'spec.providerID'],
])('refuses the whole patch for %s', async (sentence, change, field) => {
  const { path, resourceVersion } = await createNode(asName(sentence));
  const reply = await patch(path, change);
  expect(reply).toMatchObject({ status: 422, body: { reason: 'Invalid' } });
  expect(textAt(reply.body, 'message')).toContain(field);
  expect(await plane.request('GET', path)).toMatchObject({ body: { metadata: { resourceVersion } } });
});

it.each([
  ['a wrong uid', { uid: otherUid }, 'UID'],
  ['an old resourceVersion', { resourceVersion: '1' }, 'ResourceVersion'],
])(
  'refuses a delete with %s among its preconditions and names it',
  async (sentence, preconditions, named) => {
    const { path } = await createNode(asName(sentence));
    const reply = await plane.request('DELETE', path, { body: { preconditions } });
    expect(reply).toMatchObject({ status: 409, body: { reason: 'Conflict' } });
    expect(textAt(reply.body, 'message')).toContain(`the ${named} in the precondition`);
    expect((await plane.request('GET', path)).status).toBe(200);
  },
);

it('deletes a node whose preconditions hold', async () => {
  const { path, uid, resourceVersion } = await createNode('deleted');
  const reply = await plane.request('DELETE', path, { body: { preconditions: { uid, resourceVersion } } });
  expect(reply.status).toBe(200);
  expect((await plane.request('GET', path)).status).toBe(404);
});

function asName(sentence: string): string {
  return sentence.toLowerCase().replaceAll(' ', '-');
}

function taint(key: string) {
  return { key, effect: 'NoSchedule' };
}

function patch(path: string, body: unknown) {
  return plane.request('PATCH', path, { body });
}

async function createNode(name: string): Promise<Node> {
  const body = { metadata: { name }, spec: { providerID: 'aws:///a' } };
  const reply = await plane.request('POST', '/api/v1/nodes', { body });
  expect(reply.status).toBe(201);
  return {
    path: `/api/v1/nodes/${name}`,
    uid: textAt(reply.body, 'metadata', 'uid'),
    resourceVersion: textAt(reply.body, 'metadata', 'resourceVersion'),
  };
}
