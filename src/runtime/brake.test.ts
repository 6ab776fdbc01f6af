import { describe, expect, it } from 'vitest';
import { nodeView, type NodeSketch } from '../../test/support/node-builder.ts';
import type { Service } from '../fleet/service.ts';
import type { MergedKeyWish } from '../objects/wish.ts';
import { type BrakeOrder, createBrake } from './brake.ts';
import { effectivePolicy, noFlags } from './gating-policy.ts';

const taint = 'gate:NoSchedule';
const owner = 'readiness/Rule/cni';
const policy = { ...effectivePolicy(undefined, noFlags), gating: [{ kind: 'nodes', max: 2 }] as const };
const gate: MergedKeyWish = {
  kind: 'taints',
  key: taint,
  capability: 'readiness',
  wish: { kind: 'present', owner, value: '', prior: 'adopt', proof: 'object' },
};
const release: MergedKeyWish = { ...gate, wish: { kind: 'absent', owner, basis: 'named' } };
const ours: NodeSketch = {
  taints: [{ key: 'gate', effect: 'NoSchedule' }],
  annotations: { 'muster.dev/owned': JSON.stringify({ taints: { [taint]: { owner, wrote: '' } } }) },
};

function bench() {
  const woken: string[] = [];
  const brake = createBrake((node) => void woken.push(node));
  const visit = (
    name: string,
    wishes: readonly MergedKeyWish[],
    rest: Partial<BrakeOrder> & { on?: NodeSketch } = {},
  ) => {
    const service: Service = 'inService';
    const { on = {}, ...order } = rest;
    const node = nodeView({ ...on, name });
    return brake.apply({ node, pool: 'blue', service, wishes, requests: [], policy, now: 0, ...order });
  };
  return { brake, visit, woken, isHeld: (name: string) => visit(name, [gate]).verdicts.length > 0 };
}

describe('the brake', () => {
  it('counts what it has granted before it is written', () => {
    const { isHeld } = bench();
    expect(['a', 'b', 'c'].map(isHeld)).toEqual([false, false, true]);
  });

  it('counts a gate that somebody else set as soon as it is heard of, and what is granted and being written stays counted', () => {
    const { brake, visit, isHeld } = bench();
    visit('a', [], { service: 'new' });
    isHeld('b');
    brake.hears(nodeView({ name: 'b' }), 'inService');
    brake.hears(nodeView({ ...ours, name: 'a' }), 'new');
    expect(isHeld('c')).toBe(false);
    visit('c', []);
    brake.hears(nodeView({ ...ours, name: 'a' }), 'inService');
    expect(isHeld('d')).toBe(true);
  });

  it('gives a place back that was only heard of once the node is visited without it', () => {
    const { brake, visit, isHeld, woken } = bench();
    for (const name of ['a', 'b']) visit(name, []);
    for (const name of ['a', 'b']) brake.hears(nodeView({ ...ours, name }), 'inService');
    expect(isHeld('c')).toBe(true);
    visit('a', []);
    expect(woken).toEqual(['c']);
  });

  it('holds a node that we have released, though its record does not say so yet', () => {
    const { brake, visit } = bench();
    const isHeldAfter = (name: string, on: NodeSketch) => {
      brake.releases(nodeView({ ...on, name }));
      return visit(name, [gate], { service: 'new' }).verdicts.length > 0;
    };
    for (const name of ['a', 'b']) visit(name, [gate]);
    expect(isHeldAfter('c', {})).toBe(true);
    expect(isHeldAfter('d', ours)).toBe(false);
    expect(visit('c', [gate], { service: 'new', on: { uid: 'another' } }).verdicts).toEqual([]);
    brake.forget('c');
    expect(visit('c', [gate], { service: 'new' }).verdicts).toEqual([]);
  });

  it('goes by the record of a node again once that says what we know', () => {
    const { brake, visit } = bench();
    for (const name of ['a', 'b']) visit(name, [gate]);
    brake.releases(nodeView({ name: 'c' }));
    visit('c', [], { service: 'inService' });
    expect(visit('c', [gate], { service: 'new' }).verdicts).toEqual([]);
  });

  it('does not count a node twice that asks again', () => {
    const { isHeld } = bench();
    expect(['a', 'a', 'a', 'b', 'c'].map(isHeld)).toEqual([false, false, false, false, true]);
  });

  it('takes only the gate that is held out of the wishes', () => {
    const { visit } = bench();
    for (const name of ['a', 'b']) visit(name, [gate]);
    const label: MergedKeyWish = { ...gate, kind: 'labels', key: 'team' };
    expect(visit('c', [gate, label]).wishes).toEqual([label]);
  });

  it('lets a release through, and gives its place to who waits longest once the node is seen without the taint', () => {
    const { visit, woken } = bench();
    for (const name of ['a', 'b', 'c', 'd']) visit(name, [gate]);
    expect(visit('a', [release], { on: ours }).wishes).toEqual([release]);
    expect([woken, visit('c', [gate]).verdicts.length]).toEqual([[], 1]);
    visit('a', []);
    expect(woken).toEqual(['d']);
    visit('d', []);
    expect(woken).toEqual(['d', 'c']);
    expect(visit('c', [gate]).verdicts).toEqual([]);
  });

  it('gives a place to the next that the first did not take', () => {
    const { visit, woken } = bench();
    for (const name of ['a', 'b', 'c', 'd']) visit(name, [gate]);
    visit('a', [release]);
    visit('c', []);
    expect(woken).toEqual(['c', 'd']);
  });

  it('asks everybody at most once for a place that nobody can take', () => {
    const { visit, woken } = bench();
    const only = {
      requests: [{ kind: 'Gate', taint, owner, gatedMax: { kind: 'nodes', max: 1 }, confirmedNodes: null }],
    } as const;
    const other = { ...gate, wish: { ...gate.wish, owner: 'readiness/Rule/other' } } as MergedKeyWish;
    visit('x', [other]);
    visit('a', [gate], only);
    for (const name of ['b', 'c', 'd']) visit(name, [gate], only);
    visit('x', []);
    for (let asked = 0; asked < woken.length && asked < 20; asked++) visit(woken[asked] ?? '', [gate], only);
    expect(woken.length).toBeLessThanOrEqual(3);
  });

  it('gives the place that one rule leaves to who waits for that rule, though another still gates the node', () => {
    const { visit, woken } = bench();
    const rule: Partial<BrakeOrder> = {
      requests: [{ kind: 'Gate', taint, owner, gatedMax: { kind: 'nodes', max: 1 }, confirmedNodes: null }],
    };
    const other: MergedKeyWish = {
      ...gate,
      key: 'other:NoSchedule',
      wish: { ...gate.wish, owner: 'readiness/Rule/other' },
    };
    const record = { [taint]: { owner, wrote: '' }, [other.key]: { owner: other.wish.owner, wrote: '' } };
    const on: NodeSketch = {
      taints: ['gate', 'other'].map((key) => ({ key, effect: 'NoSchedule' })),
      annotations: { 'muster.dev/owned': JSON.stringify({ taints: record }) },
    };
    visit('a', [gate, other], { ...rule, on });
    visit('b', [gate], rule);
    visit('a', [release, other], { ...rule, on });
    expect(woken).toEqual([]);
    visit('a', [release, other], {
      ...rule,
      on: { ...on, taints: [{ key: 'other', effect: 'NoSchedule' }] },
    });
    expect(woken).toEqual(['b']);
    expect(visit('b', [gate], rule).verdicts).toEqual([]);
  });

  it('asks on for a place of eviction that a gated node did not take', () => {
    const { visit, woken } = bench();
    const evicting: MergedKeyWish = { ...gate, key: 'gate:NoExecute' };
    const evictions = { policy: { ...policy, authority: 'act', noExecuteKeys: ['gate'] } } as const;
    const one = { ...evictions, on: ours };
    visit('a', [evicting], evictions);
    for (const name of ['b', 'c']) visit(name, [gate, evicting], one);
    visit('a', [], evictions);
    visit('b', [gate], one);
    expect(woken).toEqual(['b', 'c']);
  });

  it('gives a place that a person has agreed to, to who waits for it in another pool', () => {
    const { visit, woken } = bench();
    const agreed = {
      requests: [{ kind: 'Gate', taint, owner, gatedMax: null, confirmedNodes: 3 }],
      policy: { ...policy, gating: [] },
    } as const;
    for (const name of ['a', 'b', 'c']) visit(name, [gate], agreed);
    for (const name of ['x', 'y']) visit(name, [gate], { ...agreed, pool: 'red' });
    visit('a', [], agreed);
    expect(woken).toEqual(['x']);
    expect(visit('x', [gate], { ...agreed, pool: 'red' }).verdicts).toEqual([]);
  });

  it.each([
    [
      'may be evicted',
      { authority: 'act', noExecuteKeys: ['gate'], noExecute: [{ kind: 'percent', max: 10 }] },
      'gate:NoExecute',
      null,
    ],
    ['the rule allows', {}, taint, { kind: 'percent', max: 10 }],
    ['may be gated', { gating: [{ kind: 'percent', max: 10 }] }, taint, null],
  ] as const)('wakes one when a pool has grown so much that one more %s', (_, more, key, gatedMax) => {
    const { visit, woken } = bench();
    const wish = { ...gate, key };
    const terms = {
      requests: [{ kind: 'Gate', taint: key, owner, gatedMax, confirmedNodes: null }],
      policy: { ...policy, gating: [{ kind: 'nodes', max: 50 }], ...more },
    } as const;
    visit('first', [wish], terms);
    for (let index = 0; index < 8; index++) visit(`node-${index}`, [], terms);
    expect([visit('first', [wish], terms).verdicts.length, woken]).toEqual([1, []]);
    visit('tenth', [], terms);
    expect(woken).toEqual(['first']);
    expect(visit('first', [wish], terms).verdicts).toEqual([]);
  });

  it('wakes nobody for a node that asks again before its taint is seen', () => {
    const { visit, woken } = bench();
    for (const name of ['a', 'b', 'c', 'a']) visit(name, [gate]);
    expect(woken).toEqual([]);
  });

  it('wakes one when a gated node is gone', () => {
    const { brake, visit, woken } = bench();
    for (const name of ['a', 'b', 'c']) visit(name, [gate]);
    brake.forget('a');
    expect(woken).toEqual(['c']);
  });

  it('wakes all whom the policy held when it changes', () => {
    const { brake, visit, woken } = bench();
    const observing = { policy: { ...policy, authority: 'observe' } } as const;
    for (const name of ['a', 'b']) visit(name, [gate], observing);
    brake.wakeAll();
    expect([woken, brake.heldCount()]).toEqual([['a', 'b'], 2]);
  });

  it('lets nothing be set where the authority is to observe, and takes a stranger nothing away', () => {
    const { visit } = bench();
    const observing = { policy: { ...policy, authority: 'observe' } } as const;
    expect(visit('a', [release], observing).wishes).toEqual([
      { ...release, wish: { ...release.wish, basis: 'attested' } },
    ]);
    expect(visit('a', [gate], observing).wishes).toEqual([]);
  });

  it('says when a pause ends by itself', () => {
    const { visit } = bench();
    const pausing = { policy: { ...policy, pauses: [{ by: 'ann', reason: 'r', until: 60_000 }] } };
    expect(visit('a', [gate], pausing).recheckAt).toBe(60_000);
  });
});
