// Rules that hold for Nodes alone: taints, provider ID, status at birth.

import { expect } from 'vitest';
import { table, type Topic } from '../case.ts';
import { invalid, refusal, versionOf } from '../expectations.ts';

const notReady = { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' };
const taint = (key: string, effect = 'NoSchedule') => ({ key, effect });

export const nodes: Topic = {
  name: 'nodes',
  cases: {
    'are born with the not-ready taint behind their own': async ({ create }) => {
      const { object } = await create('nodes', { spec: { taints: [taint('a')] } });
      expect(object.spec).toEqual({ taints: [taint('a'), notReady] });
    },
    'are not given the not-ready taint twice': async ({ create }) => {
      const { object } = await create('nodes', { spec: { taints: [notReady] } });
      expect(object.spec).toEqual({ taints: [notReady] });
    },
    'do not get the not-ready taint back once it is gone': async ({ create, patch }) => {
      const { path } = await create('nodes');
      expect((await patch(path, { spec: { taints: null } })).body.spec).toEqual({});
      expect((await patch(path, { metadata: { labels: { a: 'b' } } })).body.spec).toEqual({});
    },
    'keep the status they are born with, unlike others': async ({ create }) => {
      const conditions = [{ type: 'Ready', status: 'True' }];
      const { object } = await create('nodes', { status: { conditions, capacity: { cpu: '4' } } });
      expect(object.status).toMatchObject({ conditions, capacity: { cpu: '4' }, allocatable: { cpu: '4' } });
    },
    'always show their endpoints and system facts': async ({ create }) => {
      const { object } = await create('nodes');
      const facts = [
        'machineID',
        'systemUUID',
        'bootID',
        'kernelVersion',
        'osImage',
        'containerRuntimeVersion',
      ];
      const more = ['kubeletVersion', 'kubeProxyVersion', 'operatingSystem', 'architecture'];
      expect(object.status).toEqual({
        daemonEndpoints: { kubeletEndpoint: { Port: 0 } },
        nodeInfo: Object.fromEntries([...facts, ...more].map((fact) => [fact, ''])),
      });
    },
    'show the times of a condition even if they are empty': async ({ create }) => {
      const { object } = await create('nodes', {
        status: { conditions: [{ type: 'Ready', status: 'True' }] },
      });
      expect(object.status).toMatchObject({
        conditions: [{ type: 'Ready', status: 'True', lastHeartbeatTime: null, lastTransitionTime: null }],
      });
    },
    'ignore status in writes to the node and spec in writes to the status': async ({ create, patch }) => {
      const { path } = await create('nodes');
      const main = await patch(path, { spec: { unschedulable: true }, status: { phase: 'Running' } });
      expect(main.body.status).not.toHaveProperty('phase');
      const change = { spec: { unschedulable: null, taints: null }, status: { phase: 'Running' } };
      const { body } = await patch(`${path}/status`, change);
      expect(body).toMatchObject({
        spec: { unschedulable: true, taints: [notReady] },
        status: { phase: 'Running' },
      });
    },
    'accept labels and annotations in writes to the status': async ({ create, patch }) => {
      const { path } = await create('nodes');
      const metadata = { labels: { a: 'b' }, annotations: { c: 'd' } };
      expect((await patch(`${path}/status`, { metadata })).body).toMatchObject({ metadata });
    },
    'write quantities in their shortest form': async ({ create, patch }) => {
      const { path } = await create('nodes');
      const capacity = { cpu: '1000m', memory: '1024Mi', pods: '110', 'ephemeral-storage': '1500M' };
      const { body } = await patch(`${path}/status`, { status: { capacity } });
      expect(body.status).toMatchObject({
        capacity: { cpu: '1', memory: '1Gi', pods: '110', 'ephemeral-storage': '1500M' },
      });
    },
    'replace their taints as one list': async ({ create, patch }) => {
      const { path } = await create('nodes', { spec: { taints: [taint('a'), taint('b')] } });
      expect((await patch(path, { spec: { taints: [taint('c', 'NoExecute')] } })).body.spec).toEqual({
        taints: [taint('c', 'NoExecute')],
      });
    },
    'keep the order of their taints': async ({ create, patch, get }) => {
      const { path } = await create('nodes');
      const taints = [taint('z'), taint('a'), taint('m', 'PreferNoSchedule')];
      await patch(path, { spec: { taints } });
      expect((await get(path)).body.spec).toEqual({ taints });
    },
    'may have one key with several effects': async ({ create }) => {
      const taints = [taint('a'), taint('a', 'NoExecute')];
      expect((await create('nodes', { spec: { taints } })).object.spec).toMatchObject({
        taints: [...taints, notReady],
      });
    },
    ...table<readonly [object, string, string]>(
      {
        'refuse two taints of one key and effect': [
          { taints: [taint('a'), taint('a')] },
          'metadata.taints[1]',
          'FieldValueDuplicate',
        ],
        'refuse an effect that does not exist': [
          { taints: [taint('a', 'Sometimes')] },
          'metadata.taints[0].effect',
          'FieldValueNotSupported',
        ],
        'refuse a taint without an effect': [
          { taints: [{ key: 'a' }] },
          'metadata.taints[0].effect',
          'FieldValueRequired',
        ],
        'refuse a taint without a key': [
          { taints: [{ effect: 'NoSchedule' }] },
          'metadata.taints[0].key',
          'FieldValueInvalid',
        ],
        'refuse a taint value that no label could have': [
          { taints: [{ ...taint('a'), value: 'not a value' }] },
          'metadata.taints[0].value',
          'FieldValueInvalid',
        ],
      },
      async ({ create, patch, get }, [spec, field, reason]) => {
        const { path, resourceVersion } = await create('nodes');
        expect(await patch(path, { metadata: { labels: { a: 'b' } }, spec })).toMatchObject(
          invalid(field, reason),
        );
        expect(versionOf(await get(path))).toBe(resourceVersion);
      },
    ),
    'may be given a providerID late, and keep it then': async ({ create, patch }) => {
      const { path } = await create('nodes');
      expect((await patch(path, { spec: { providerID: 'aws:///a' } })).status).toBe(200);
      for (const providerID of ['aws:///b', null]) {
        expect(await patch(path, { spec: { providerID } })).toMatchObject(
          invalid('spec.providerID', 'FieldValueForbidden'),
        );
      }
    },
    'round what they have up to the thousandth': async ({ create, patch }) => {
      const { path } = await create('nodes');
      const { body } = await patch(`${path}/status`, {
        status: { capacity: { a: '.5n', b: '1.0001Ki', c: '1.5Gi' } },
      });
      expect(body.status).toMatchObject({ capacity: { a: '1m', b: '1024103m', c: '1536Mi' } });
    },
    'have nothing below zero': async ({ create, patch }) => {
      const { path } = await create('nodes');
      expect(await patch(`${path}/status`, { status: { capacity: { cpu: '-1' } } })).toMatchObject(
        invalid('status.capacity.cpu', 'FieldValueInvalid'),
      );
    },
    'keep their podCIDRs': async ({ create, patch }) => {
      const spec = { podCIDR: '10.0.0.0/24', podCIDRs: ['10.0.0.0/24'] };
      const { path } = await create('nodes', { spec });
      const change = { spec: { podCIDR: '10.0.1.0/24', podCIDRs: ['10.0.1.0/24'] } };
      expect((await patch(path, change)).status).toBe(422);
    },
    'refuse labels as every object does, all or nothing': async ({ create, patch, get }) => {
      const { path, resourceVersion } = await create('nodes');
      expect(await patch(path, { metadata: { labels: { good: 'b', bad: 'not a value' } } })).toMatchObject(
        refusal(422, 'Invalid', 'metadata.labels'),
      );
      expect(versionOf(await get(path))).toBe(resourceVersion);
    },
    'drop unschedulable when it is false': async ({ create, patch }) => {
      const { path } = await create('nodes', { spec: { unschedulable: true, taints: [] } });
      expect((await patch(path, { spec: { unschedulable: false } })).body.spec).not.toHaveProperty(
        'unschedulable',
      );
    },
  },
};
