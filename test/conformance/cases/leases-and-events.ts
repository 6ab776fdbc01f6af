// Leases with their microseconds, and Events as one storage behind two groups.

import { expect } from 'vitest';
import { table, type Topic } from '../case.ts';
import { invalid, refusal } from '../expectations.ts';

const micro = '2026-01-01T00:00:00.123456Z';

export const leases: Topic = {
  name: 'leases',
  cases: {
    'keep times to the microsecond': async ({ create, get }) => {
      const spec = {
        holderIdentity: 'me',
        leaseDurationSeconds: 15,
        acquireTime: micro,
        renewTime: micro,
        leaseTransitions: 2,
      };
      const { path, object } = await create('leases', { spec });
      expect(object.spec).toEqual(spec);
      expect((await get(path)).body.spec).toEqual(spec);
    },
    'always write six digits, in UTC': async ({ create }) => {
      const { object } = await create('leases', { spec: { renewTime: '2026-01-01T02:00:00.500000+02:00' } });
      expect(object.spec).toEqual({ renewTime: '2026-01-01T00:00:00.500000Z' });
    },
    ...table<string>(
      {
        'refuse times without microseconds': '2026-01-01T00:00:00Z',
        'refuse times with nanoseconds': '2026-01-01T00:00:00.123456789Z',
        'refuse what is no time': 'yesterday',
      },
      async ({ post, at, name }, renewTime) => {
        const reply = await post(at.leases, { metadata: { name: name() }, spec: { renewTime } });
        expect(reply).toMatchObject(refusal(400, 'BadRequest', 'cannot be handled as a Lease'));
      },
    ),
    ...table<readonly [object, string]>(
      {
        'refuse a duration that is not positive': [{ leaseDurationSeconds: 0 }, 'spec.leaseDurationSeconds'],
        'refuse transitions below zero': [{ leaseTransitions: -1 }, 'spec.leaseTransitions'],
      },
      async ({ post, at, name }, [spec, field]) => {
        expect(await post(at.leases, { metadata: { name: name() }, spec })).toMatchObject(
          invalid(field, 'FieldValueInvalid'),
        );
      },
    ),
    'may be empty': async ({ create }) => {
      expect((await create('leases')).object.spec).toEqual({});
    },
    'have no status': async ({ create, get }) => {
      const { path } = await create('leases');
      expect(await get(`${path}/status`)).toMatchObject(refusal(404, 'NotFound'));
    },
  },
};

const oldTime = '2026-01-01T00:00:00Z';

export const events: Topic = {
  name: 'events',
  cases: {
    'of the core group are events of events.k8s.io': async ({ create, get, at, namespace }) => {
      const involvedObject = { kind: 'Pod', namespace, name: 'a', uid: 'u' };
      const source = { component: 'c', host: 'h' };
      const times = { firstTimestamp: oldTime, lastTimestamp: oldTime };
      const text = { reason: 'R', type: 'Normal' };
      const { name, object } = await create('events', {
        involvedObject,
        source,
        ...times,
        ...text,
        message: 'M',
        count: 2,
      });
      expect(object).toMatchObject({
        kind: 'Event',
        apiVersion: 'v1',
        eventTime: null,
        reportingComponent: '',
      });
      expect((await get(`${at.newEvents}/${name}`)).body).toMatchObject({
        kind: 'Event',
        apiVersion: 'events.k8s.io/v1',
        metadata: { uid: object.metadata?.uid, resourceVersion: object.metadata?.resourceVersion },
        regarding: involvedObject,
        note: 'M',
        eventTime: null,
        deprecatedSource: source,
        deprecatedFirstTimestamp: oldTime,
        deprecatedLastTimestamp: oldTime,
        deprecatedCount: 2,
        ...text,
      });
    },
    'of events.k8s.io are events of the core group': async ({ create, get, at, namespace }) => {
      const regarding = { kind: 'Pod', namespace, name: 'a' };
      const { name } = await create('newEvents', { ...modern, regarding, note: 'N' });
      expect((await get(`${at.events}/${name}`)).body).toMatchObject({
        apiVersion: 'v1',
        involvedObject: regarding,
        message: 'N',
        eventTime: micro,
        action: 'Act',
        reportingComponent: modern.reportingController,
        reportingInstance: 'i',
        source: {},
        firstTimestamp: null,
        lastTimestamp: null,
      });
    },
    'are deleted in both groups at once': async ({ create, remove, get, at, namespace }) => {
      const { name, path } = await create('newEvents', { ...modern, regarding: { kind: 'Pod', namespace } });
      await remove(`${at.events}/${name}`);
      expect((await get(path)).status).toBe(404);
    },
    'are watched in either group': async (bench) => {
      const regarding = { kind: 'Pod', namespace: bench.namespace, name: bench.name() };
      const query = `fieldSelector=regarding.name%3D${regarding.name}&resourceVersion=0`;
      const watching = await bench.watch(bench.at.newEvents, query);
      await bench.create('events', { involvedObject: regarding, message: 'M' });
      expect(await watching.until(() => true)).toMatchObject({
        type: 'ADDED',
        object: { apiVersion: 'events.k8s.io/v1', regarding, note: 'M' },
      });
    },
    'of the core group count by patch': async ({ create, patch, namespace }) => {
      const { path } = await create('events', { involvedObject: { namespace }, count: 1 });
      expect((await patch(path, { count: 2, message: 'again' })).body).toMatchObject({
        count: 2,
        message: 'again',
      });
    },
    'of events.k8s.io are told once, and then only counted': async ({ create, patch, namespace }) => {
      const { path } = await create('newEvents', { ...modern, regarding: { namespace } });
      expect((await patch(path, { note: 'changed' })).status).toBe(422);
      const series = { count: 2, lastObservedTime: micro };
      expect((await patch(path, { series })).body).toMatchObject({ series });
    },
    'of events.k8s.io say when, who, what and why': async ({ post, at, name, namespace }) => {
      const reply = await post(at.newEvents, {
        metadata: { name: name() },
        regarding: { namespace },
        reason: 'R',
      });
      expect(reply).toMatchObject(invalid('eventTime', 'FieldValueRequired'));
      for (const field of ['reportingController', 'reportingInstance', 'action', 'reason']) {
        const body = { ...modern, [field]: undefined, metadata: { name: name() }, regarding: { namespace } };
        expect((await post(at.newEvents, body)).status, field).toBe(422);
      }
    },
    'are about objects of their own namespace': async ({ post, at, name }) => {
      const reply = await post(at.events, {
        metadata: { name: name() },
        involvedObject: { namespace: 'other' },
      });
      expect(reply).toMatchObject(invalid('involvedObject.namespace', 'FieldValueInvalid'));
    },
    'about Nodes belong into the namespace default': async ({ post, send, at, name }) => {
      const event = { metadata: { name: name() }, involvedObject: { kind: 'Node', name: 'a' } };
      expect((await post(at.events, event)).status).toBe(422);
      const path = '/api/v1/namespaces/default/events';
      expect((await post(path, event)).status).toBe(201);
      expect((await send('DELETE', `${path}/${event.metadata.name}`)).status).toBe(200);
    },
  },
};

const modern = {
  eventTime: micro,
  reportingController: 'conformance.test/suite',
  reportingInstance: 'i',
  action: 'Act',
  reason: 'R',
  type: 'Normal',
};
