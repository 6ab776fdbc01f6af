import { describe, expect, it } from 'vitest';
import { life, lifecycleFacts, minutes, nodeState, noon, noonText } from '../../test/support/builders.ts';
import { nodeView } from '../../test/support/node-builder.ts';
import { labelWish, present, taintWish } from '../../test/support/wish-builder.ts';
import { leavingTaintKeys } from '../api/keys.ts';
import { lifecycleLimits } from '../api/lifecycle-vocabulary.ts';
import { type LifecycleFacts, nextLifecycle } from './lifecycle.ts';

const next = (changes: Partial<LifecycleFacts> = {}) => nextLifecycle(lifecycleFacts(changes));
const laterText = '2026-01-01T12:05:00Z';
const gateWish = taintWish('example.com/cni:NoSchedule', present());
const unready = nodeView({ ready: 'False' });

describe('a change of display alone', () => {
  it.each<[string, Partial<LifecycleFacts>]>([
    ['a stage', { node: unready }],
    ['a foreign gate', { node: nodeView({ taints: [{ key: 'a', effect: 'NoSchedule' }] }) }],
    ['a pool', { state: nodeState({ poolRef: { kind: 'Label', name: 'gpu' } }) }],
    ['an update', { state: nodeState({ phase: 'Pending', desiredVersion: 'v1.36.4' }) }],
    ['a key that an owner object proves', { wishes: [gateWish] }],
  ])('is %s', (_, changes) => {
    expect(life({}, changes).changed).toBe('display');
  });

  it('is a key of ours that has gone', () => {
    const node = nodeView({ labels: { team: 'ours' } });
    const gone = life({ node, wishes: [labelWish('team', present())] }, {});
    expect([gone.changed, gone.status.owned]).toEqual(['display', undefined]);
  });
});

describe('the gates on display', () => {
  const tainted = (...keys: readonly string[]) =>
    nodeView({ taints: keys.map((key) => ({ key, effect: 'NoSchedule' })) });

  it('keep the time at which each was first seen', () => {
    const { status } = life({ node: tainted('a') }, { node: tainted('b', 'a') });
    expect(status.gates?.map(({ key, since }) => [key, since])).toEqual([
      ['b', laterText],
      ['a', noonText],
    ]);
  });

  it('start anew when they come back', () => {
    const { status } = life({ node: tainted('a') }, {}, { node: tainted('a') });
    expect(status.gates?.[0]?.since).toBe('2026-01-01T12:10:00Z');
  });

  it.each<[string, readonly string[], string]>([
    ['nothing', [], '-'],
    ['the name of the one gate', ['example.com/cni-not-ready'], 'cni-not-ready'],
    ['the first and how many more', ['example.com/cni-not-ready', 'b', 'c'], 'cni-not-ready +2'],
    ['what fits of a long name', ['n'.repeat(63), 'b'], `${'n'.repeat(59)}… +1`],
  ])('are summed up as %s', (_, keys, summary) => {
    expect(next({ node: tainted(...keys) }).status).toMatchObject({
      gateSummary: summary,
      gateCount: keys.length,
    });
  });

  it('are counted beyond those that are listed', () => {
    const keys = Array.from({ length: 40 }, (_, index) => `k${index}`);
    const { status } = next({ node: tainted(...keys) });
    expect([status.gates?.length, status.gateCount]).toEqual([lifecycleLimits.gatesMax, 40]);
  });
});

describe('the times on display', () => {
  it('tell since when the node is in its stage', () => {
    expect(life({}, {}, {}).status.stageSince).toBe(noonText);
    expect(life({}, { node: unready }, { node: unready }).status.stageSince).toBe(laterText);
  });

  it('tell when the node was first in service, and never again', () => {
    expect(life({ node: unready }, {}, { node: unready }, {}).status.inServiceAt).toBe(laterText);
  });

  it('tell who removes the node since when, and forget it when nobody does', () => {
    const autoscaler = nodeView({
      taints: [{ key: leavingTaintKeys.clusterAutoscaler, effect: 'NoSchedule' }],
    });
    const deleted = { ...autoscaler, deletionTimestamp: laterText };
    expect(life({ node: autoscaler }, { node: deleted }).status.leaving).toEqual({
      by: 'NodeDeletion',
      since: noonText,
    });
    expect(life({ node: autoscaler }, {}).status.leaving).toBeUndefined();
  });
});

describe('the timeline', () => {
  const passes = Array.from({ length: 80 }, (_, index) => (index % 2 === 0 ? {} : { node: unready }));

  it('has its newest entries first, and not more than its bound', () => {
    const { timeline = [] } = life(...passes).status;
    expect(timeline).toHaveLength(lifecycleLimits.timelineMax);
    expect(timeline[0]).toMatchObject({ at: '2026-01-01T18:35:00Z', stage: 'Gated' });
    expect(timeline.map(({ at }) => at)).toEqual(
      timeline
        .map(({ at }) => at)
        .toSorted()
        .toReversed(),
    );
  });

  it('keeps the order of what happened when the clock goes back', () => {
    const { timeline } = life({}, { node: unready, now: noon - minutes(60) }).status;
    expect(timeline?.map(({ stage, at }) => [stage, at])).toEqual([
      ['Gated', '2026-01-01T11:00:00Z'],
      ['InService', noonText],
    ]);
  });
});
