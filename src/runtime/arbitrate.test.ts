import { describe, expect, it } from 'vitest';
import { arbitrate, defaultWriteLimits, type WriteKind, writeKinds } from './arbitrate.ts';

const none: Readonly<Record<WriteKind, number>> = { NodePatch: 0, LifecycleWrite: 0, StatusWrite: 0 };

describe('a write', () => {
  it.each(writeKinds)('of the kind %s is granted up to its limit and held beyond it', (kind) => {
    const limit = defaultWriteLimits[kind];
    const rule = (inFlight: number) =>
      arbitrate({ writesInFlight: { ...none, [kind]: inFlight } }, defaultWriteLimits, kind);
    expect(rule(limit - 1)).toEqual({ kind: 'granted' });
    expect(rule(limit)).toEqual({ kind: 'held', reason: 'WritesInFlight', wokenBy: kind });
  });

  it('is not held by writes of another kind', () => {
    const writesInFlight = { ...none, LifecycleWrite: 1000, StatusWrite: 1000 };
    expect(arbitrate({ writesInFlight }, defaultWriteLimits, 'NodePatch')).toEqual({ kind: 'granted' });
  });
});
