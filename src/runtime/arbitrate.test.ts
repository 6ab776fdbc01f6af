import { describe, expect, it } from 'vitest';
import { arbitrate, defaultWriteLimits, type WriteKind, writeKinds } from './arbitrate.ts';

const calm = { resting: new Set<WriteKind>(), isBurst: false };
const none: Readonly<Record<WriteKind, number>> = {
  NodePatch: 0,
  RecordWrite: 0,
  LifecycleWrite: 0,
  StatusWrite: 0,
};

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

  it.each([
    ['LifecycleWrite', 1],
    ['StatusWrite', 1],
  ] as const)('of the kind %s gives way to a burst of Node patches, down to %d', (kind, places) => {
    const rule = (inFlight: number, isBurst: boolean) =>
      arbitrate({ ...calm, isBurst, writesInFlight: { ...none, [kind]: inFlight } }, defaultWriteLimits, kind)
        .kind;
    expect(rule(places - 1, true)).toBe('granted');
    expect(rule(places, true)).toBe('held');
    expect(rule(places, false)).toBe('granted');
  });

  it('of a node is not held by writes of another kind', () => {
    const writesInFlight = { ...none, LifecycleWrite: 1000, StatusWrite: 1000 };
    expect(arbitrate({ ...calm, writesInFlight }, defaultWriteLimits, 'NodePatch')).toEqual({
      kind: 'granted',
    });
  });
});
