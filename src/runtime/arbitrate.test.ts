import { describe, expect, it } from 'vitest';
import { arbitrate, BURST_PATCHES, defaultWriteLimits, type WriteKind, writeKinds } from './arbitrate.ts';

const resting: ReadonlySet<WriteKind> = new Set();
const none: Readonly<Record<WriteKind, number>> = { NodePatch: 0, LifecycleWrite: 0, StatusWrite: 0 };

describe('a write', () => {
  it.each(writeKinds)('of the kind %s is granted up to its limit and held beyond it', (kind) => {
    const limit = defaultWriteLimits[kind];
    const rule = (inFlight: number) =>
      arbitrate({ resting, writesInFlight: { ...none, [kind]: inFlight } }, defaultWriteLimits, kind);
    expect(rule(limit - 1)).toEqual({ kind: 'granted' });
    expect(rule(limit)).toEqual({ kind: 'held', reason: 'WritesInFlight', wokenBy: kind });
  });

  it('is held while its kind rests, and its kind alone', () => {
    const counters = { writesInFlight: none, resting: new Set<WriteKind>(['LifecycleWrite']) };
    const held = { kind: 'held', reason: 'WritesFailing', wokenBy: 'LifecycleWrite' };
    expect(arbitrate(counters, defaultWriteLimits, 'LifecycleWrite')).toEqual(held);
    expect(arbitrate(counters, defaultWriteLimits, 'NodePatch')).toEqual({ kind: 'granted' });
  });

  it.each([
    ['LifecycleWrite', 2],
    ['StatusWrite', 1],
  ] as const)('of the kind %s gives way to a burst of Node patches, down to %d', (kind, places) => {
    const rule = (inFlight: number, NodePatch: number) =>
      arbitrate(
        { resting, writesInFlight: { ...none, NodePatch, [kind]: inFlight } },
        defaultWriteLimits,
        kind,
      ).kind;
    expect(rule(places - 1, BURST_PATCHES)).toBe('granted');
    expect(rule(places, BURST_PATCHES)).toBe('held');
    expect(rule(places, BURST_PATCHES - 1)).toBe('granted');
  });

  it('of a node is not held by writes of another kind', () => {
    const writesInFlight = { ...none, LifecycleWrite: 1000, StatusWrite: 1000 };
    expect(arbitrate({ resting, writesInFlight }, defaultWriteLimits, 'NodePatch')).toEqual({
      kind: 'granted',
    });
  });
});
