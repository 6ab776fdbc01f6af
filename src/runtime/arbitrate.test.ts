import { describe, expect, it } from 'vitest';
import {
  arbitrate,
  defaultWriteLimits,
  type FleetCounters,
  PATCHES_PER_OTHER,
  type WriteKind,
  writeKinds,
} from './arbitrate.ts';

const none: Readonly<Record<WriteKind, number>> = {
  NodePatch: 0,
  RecordWrite: 0,
  LifecycleWrite: 0,
};
const calm = { resting: new Set<WriteKind>(), isBurst: false, areRecordsHeld: false, patchesSince: none };

describe('a write', () => {
  it.each(writeKinds)('of the kind %s is granted up to its limit and held beyond it', (kind) => {
    const limit = defaultWriteLimits[kind];
    const rule = (inFlight: number) =>
      arbitrate({ ...calm, writesInFlight: { ...none, [kind]: inFlight } }, defaultWriteLimits, kind);
    expect(rule(limit - 1)).toEqual({ kind: 'granted' });
    expect(rule(limit)).toEqual({ kind: 'held', reason: 'WritesInFlight', wokenBy: kind });
  });

  it('is held while its kind rests, and its kind alone', () => {
    const counters = { ...calm, writesInFlight: none, resting: new Set<WriteKind>(['LifecycleWrite']) };
    const held = { kind: 'held', reason: 'WritesFailing', wokenBy: 'LifecycleWrite' };
    expect(arbitrate(counters, defaultWriteLimits, 'LifecycleWrite')).toEqual(held);
    expect(arbitrate(counters, defaultWriteLimits, 'NodePatch')).toEqual({ kind: 'granted' });
  });

  it('of what nobody waits for gives way to a burst and to held records: one at a time, and one for so many patches of nodes', () => {
    const kind = 'LifecycleWrite';
    const [burst, held] = [{ isBurst: true }, { areRecordsHeld: true }];
    const rule = (pressed: Partial<FleetCounters>, inFlight: number, patches: number) => {
      const writesInFlight = { ...none, [kind]: inFlight };
      const patchesSince = { ...none, [kind]: patches };
      const counters = { ...calm, ...pressed, writesInFlight, patchesSince };
      return arbitrate(counters, defaultWriteLimits, kind).kind;
    };
    expect(rule(burst, 0, PATCHES_PER_OTHER)).toBe('granted');
    expect(rule(burst, 0, PATCHES_PER_OTHER - 1)).toBe('held');
    expect(rule(burst, 1, PATCHES_PER_OTHER)).toBe('held');
    expect(rule({}, 1, 0)).toBe('granted');
    expect(rule(held, 0, PATCHES_PER_OTHER)).toBe('granted');
    expect(rule(held, 0, PATCHES_PER_OTHER - 1)).toBe('held');
  });

  it.each(['NodePatch', 'RecordWrite'] as const)('of the kind %s gives way to no burst', (kind) => {
    const counters = {
      ...calm,
      isBurst: true,
      areRecordsHeld: true,
      writesInFlight: { ...none, [kind]: 15 },
    };
    expect(arbitrate(counters, defaultWriteLimits, kind).kind).toBe('granted');
  });

  it('of a node is not held by writes of another kind', () => {
    const writesInFlight = { ...none, LifecycleWrite: 1000 };
    expect(arbitrate({ ...calm, writesInFlight }, defaultWriteLimits, 'NodePatch')).toEqual({
      kind: 'granted',
    });
  });
});
