import { createIntern } from '../kube/intern.ts';
import { noSharing } from '../base/intern.ts';
import { describe, expect, it } from 'vitest';
import { projectNode } from './node.ts';
import type { RawObject } from './raw.ts';

const project = (raw: RawObject) =>
  projectNode(raw, { intern: noSharing, keepsAnnotation: (key) => key === 'kept' });

describe('what is kept of a Node', () => {
  it('is what decisions read', () => {
    const raw: RawObject = {
      metadata: {
        name: 'a',
        uid: 'u',
        resourceVersion: '7',
        creationTimestamp: '2026-01-01T00:00:00Z',
        deletionTimestamp: '2026-01-02T00:00:00Z',
        labels: { zone: 'z', constructor: 'us' },
        annotations: { kept: 'yes', dropped: 'x'.repeat(1000) },
      },
      spec: {
        providerID: 'aws:///i-1',
        unschedulable: true,
        podCIDR: '10.0.0.0/24',
        taints: [
          { key: 'a', effect: 'NoSchedule' },
          { key: 'b', value: 'v', effect: 'NoExecute', timeAdded: '2026-01-01T00:00:00Z' },
          { key: 'c', effect: 'NoAdmitFromNextYear' },
        ],
      },
      status: {
        nodeInfo: { bootID: 'boot', kubeletVersion: 'v1.36.3', machineID: 'm' },
        images: [{ names: ['big'] }],
        conditions: [
          {
            type: 'Ready',
            status: 'True',
            reason: 'KubeletReady',
            message: 'posting',
            lastHeartbeatTime: '2026-01-01T00:05:00Z',
            lastTransitionTime: '2026-01-01T00:01:00Z',
          },
        ],
      },
    };
    expect(project(raw)).toEqual({
      name: 'a',
      namespace: '',
      uid: 'u',
      resourceVersion: '7',
      labels: { zone: 'z', constructor: 'us' },
      annotations: { kept: 'yes' },
      taints: [
        { key: 'a', value: '', effect: 'NoSchedule' },
        { key: 'b', value: 'v', effect: 'NoExecute', timeAdded: '2026-01-01T00:00:00Z' },
        { key: 'c', value: '', effect: 'NoAdmitFromNextYear' },
      ],
      isUnschedulable: true,
      providerID: 'aws:///i-1',
      conditions: [
        {
          type: 'Ready',
          status: 'True',
          reason: 'KubeletReady',
          message: 'posting',
          lastTransitionTime: '2026-01-01T00:01:00Z',
          heartbeatAtS: Date.UTC(2026, 0, 1, 0, 5) / 1000,
        },
      ],
      bootID: 'boot',
      kubeletVersion: 'v1.36.3',
      extendedResources: {},
      creationTimestamp: '2026-01-01T00:00:00Z',
      deletionTimestamp: '2026-01-02T00:00:00Z',
    });
  });

  const bare = {
    labels: {},
    annotations: {},
    taints: [],
    conditions: [],
    isUnschedulable: false,
    bootID: '',
    deletionTimestamp: '',
  };

  it.each<[string, string]>([
    ['nothing at all', '{}'],
    ['only its name', '{"metadata":{"name":"a"}}'],
    ['null where there is usually more', '{"metadata":{"labels":null},"spec":null,"status":null}'],
    ['null lists', '{"spec":{"taints":null},"status":{"conditions":null,"nodeInfo":null}}'],
    ['other types than promised', '{"spec":{"taints":{},"unschedulable":"true"},"status":[]}'],
    ['lists of other things', '{"spec":{"taints":["a",null]},"status":{"conditions":[1]}}'],
    ['fields named like those of every object', '{"metadata":{"labels":{"__proto__":"a"}}}'],
  ])('is empty, never missing, of a Node with %s', (_, text) => {
    expect(project(JSON.parse(text))).toMatchObject(bare);
  });

  it('shares strings that nodes have in common', () => {
    const text = (value: string) => `shared ${value}`;
    const labels = { 'kubernetes.io/os': 'linux', zone: 'z' };
    const { labels: kept } = projectNode(
      { metadata: { labels } },
      {
        intern: { ...noSharing, text },
        keepsAnnotation: () => false,
      },
    );
    expect(kept).toEqual({ 'kubernetes.io/os': 'shared linux', zone: 'shared z' });
  });

  it('shares taints that nodes have in common', () => {
    const projection = { intern: createIntern(), keepsAnnotation: () => false };
    const taints = (value: string) =>
      projectNode({ spec: { taints: [{ key: 'k', value, effect: 'NoSchedule' }] } }, projection).taints;
    expect(taints('a')).toBe(taints('a'));
    expect(taints('b')).toEqual([{ key: 'k', value: 'b', effect: 'NoSchedule' }]);
  });

  it('has for each condition the time at which that one changed', () => {
    const times = ['T1', 'T1', 'T2', 'T1', ''];
    const conditions = times.map((lastTransitionTime, index) => ({ type: `c${index}`, lastTransitionTime }));
    const kept = project({ status: { conditions } }).conditions;
    expect(kept.map(({ lastTransitionTime }) => lastTransitionTime)).toEqual(times);
  });

  it('has the host name as a label too', () => {
    const labels = { host: 'a', zone: 'z' };
    expect(project({ metadata: { name: 'a', labels } }).labels).toEqual(labels);
  });

  it('leaves the labels of what was sent as they were', () => {
    const labels = Object.freeze({ zone: 'z' });
    projectNode(
      { metadata: { labels } },
      {
        intern: { ...noSharing, text: () => 'shared' },
        keepsAnnotation: () => false,
      },
    );
    expect(labels).toEqual({ zone: 'z' });
  });

  it('keeps what device plugins offer, and nothing else that can be allocated', () => {
    const allocatable = { cpu: '4', memory: '8Gi', pods: '110', 'example.com/gpu': '2' };
    const view = project({ metadata: { name: 'a' }, status: { allocatable } });
    expect(view.extendedResources).toEqual({ 'example.com/gpu': '2' });
  });
});
