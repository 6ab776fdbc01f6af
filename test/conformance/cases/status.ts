// Generation, and the split between an object and its status.

import { expect } from 'vitest';
import type { Topic } from '../case.ts';
import { changed, refusal, versionOf } from '../expectations.ts';

const content = { spec: { colour: 'red' } };

export const generation: Topic = {
  name: 'generation',
  cases: {
    'starts at one and rises with the spec': async ({ create, patch }) => {
      const { path, object } = await create('widgets', content);
      expect(object.metadata?.generation).toBe(1);
      expect((await patch(path, { spec: { size: 5 } })).body.metadata?.generation).toBe(2);
    },
    'stays when only metadata changes': async ({ create, patch }) => {
      const { path } = await create('widgets', content);
      const reply = await patch(path, { metadata: { labels: { a: 'b' }, annotations: { c: 'd' } } });
      expect(reply.body.metadata?.generation).toBe(1);
    },
    'stays when only the status changes': async ({ create, patch }) => {
      const { path } = await create('widgets', content);
      expect((await patch(`${path}/status`, { status: { phase: 'up' } })).body.metadata?.generation).toBe(1);
    },
    'cannot be set by a client': async ({ create, patch, put }) => {
      const { path } = await create('widgets', { ...content, metadata: { generation: 7 } });
      const reply = await patch(path, { metadata: { generation: 9 } });
      expect(reply.body.metadata?.generation).toBe(1);
      const replaced = await put(
        path,
        changed(reply.body, { metadata: { generation: 9 }, spec: { colour: 'red', size: 4 } }),
      );
      expect(replaced.body.metadata?.generation).toBe(2);
    },
    'rises with any content when there is no status subresource': async ({ create, patch }) => {
      const { path, object } = await create('gadgets', { status: { phase: 'new' } });
      expect(object.metadata?.generation).toBe(1);
      expect((await patch(path, { status: { phase: 'old' } })).body.metadata?.generation).toBe(2);
      expect((await patch(path, { extra: 1 })).body.metadata?.generation).toBe(3);
      expect((await patch(path, { metadata: { labels: { a: 'b' } } })).body.metadata?.generation).toBe(3);
    },
    'rises once more when a custom resource begins to be deleted': async ({ create, remove }) => {
      const { path } = await create('widgets', {
        ...content,
        metadata: { finalizers: ['conformance.test/hold'] },
      });
      expect((await remove(path)).body.metadata?.generation).toBe(2);
    },
    'is not kept for Nodes and Leases': async ({ create, patch }) => {
      const node = await create('nodes');
      const reply = await patch(node.path, { spec: { unschedulable: true } });
      expect(reply.body.metadata).not.toHaveProperty('generation');
      expect((await create('leases')).object.metadata).not.toHaveProperty('generation');
    },
  },
};

export const status: Topic = {
  name: 'status',
  cases: {
    'drops the status of a new custom resource': async ({ create }) => {
      expect((await create('widgets', { ...content, status: { phase: 'up' } })).object).not.toHaveProperty(
        'status',
      );
    },
    'keeps the status of a new custom resource without the subresource': async ({ create }) => {
      const { object } = await create('gadgets', { status: { phase: 'up' } });
      expect(object.status).toEqual({ phase: 'up' });
    },
    'ignores the status in writes to the object': async ({ create, patch, put }) => {
      const { path } = await create('widgets', content);
      await patch(`${path}/status`, { status: { phase: 'up' } });
      const patched = await patch(path, { spec: { size: 5 }, status: { phase: 'down' } });
      expect(patched.body).toMatchObject({ spec: { size: 5 }, status: { phase: 'up' } });
      const replaced = await put(path, {
        ...patched.body,
        spec: { colour: 'red', size: 6 },
        status: { phase: 'down' },
      });
      expect(replaced.body).toMatchObject({ spec: { size: 6 }, status: { phase: 'up' } });
    },
    'ignores everything but the status in writes to the status': async ({ create, patch }) => {
      const { path } = await create('widgets', { ...content, metadata: { labels: { a: 'b' } } });
      const { body } = await patch(`${path}/status`, {
        metadata: { labels: { c: 'd' }, annotations: { e: 'f' }, finalizers: ['conformance.test/hold'] },
        spec: { size: 9 },
        status: { phase: 'up' },
      });
      expect(body).toMatchObject({ spec: { size: 3 }, status: { phase: 'up' } });
      expect(body.metadata?.labels).toEqual({ a: 'b' });
      expect(body.metadata).not.toHaveProperty('annotations');
      expect(body.metadata).not.toHaveProperty('finalizers');
    },
    'writes nothing when a patch of the object changes the status alone': async ({ create, patch }) => {
      const { path, resourceVersion } = await create('widgets', content);
      expect(versionOf(await patch(path, { status: { phase: 'up' } }))).toBe(resourceVersion);
    },
    'replaces the whole status with a PUT': async ({ create, put }) => {
      const { path, object } = await create('widgets', content);
      const first = await put(`${path}/status`, { ...object, status: { phase: 'up', count: 1 } });
      const second = await put(`${path}/status`, { ...first.body, status: { count: 2 } });
      expect(second.body.status).toEqual({ count: 2 });
      const third = await put(`${path}/status`, { ...second.body, status: undefined });
      expect(third.body).not.toHaveProperty('status');
    },
    'reads the whole object at its status': async ({ create, get }) => {
      const { path, object } = await create('widgets', content);
      expect((await get(`${path}/status`)).body).toEqual(object);
    },
    'validates the status': async ({ create, patch }) => {
      const { path } = await create('widgets', content);
      expect(await patch(`${path}/status`, { status: { count: -1 } })).toMatchObject(
        refusal(422, 'Invalid', 'status.count'),
      );
    },
    'serves no status where the definition has none': async ({ create, patch }) => {
      const { path } = await create('gadgets');
      expect((await patch(`${path}/status`, { status: {} })).status).toBe(404);
    },
    'says that there is no status to patch of an object that is not there': async ({ patch, at }) => {
      expect(await patch(`${at.widgets}/nope/status`, { status: {} })).toMatchObject(
        refusal(404, 'NotFound'),
      );
    },
  },
};
