import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { manualClock } from '../../test/support/manual-clock.ts';
import {
  BURST_PATCHES,
  BURST_PATCHES_PER_SECOND,
  defaultWriteLimits,
  PATCHES_PER_OTHER,
  type WriteKind,
  writeKinds,
} from './arbitrate.ts';
import { createTurnstile } from './turnstile.ts';

const limits = { NodePatch: 2, RecordWrite: 2, LifecycleWrite: 2 };

function scene() {
  const woken: string[] = [];
  const turnstile = createTurnstile(limits, (key) => woken.push(key), manualClock());
  const enter = (...keys: readonly string[]) =>
    keys.map((key) => turnstile.enter('LifecycleWrite', key).kind).join(' ');
  return { turnstile, enter, woken };
}

describe('a turnstile', () => {
  it('lets in up to the limit and holds the rest', () => {
    const { turnstile, enter, woken } = scene();
    expect(enter('a', 'b', 'c', 'd')).toBe('granted granted held held');
    expect([turnstile.heldCount(), woken]).toEqual([2, []]);
  });

  it('wakes the one that waits longest when somebody leaves', () => {
    const { turnstile, enter, woken } = scene();
    enter('a', 'b', 'c', 'd');
    turnstile.leave('LifecycleWrite');
    expect([turnstile.heldCount(), woken]).toEqual([1, ['c']]);
    expect(enter('c')).toBe('granted');
  });

  it('does not let one kind of write wait for another', () => {
    const { turnstile, enter } = scene();
    enter('a', 'b', 'c');
    expect(turnstile.enter('NodePatch', 'c').kind).toBe('granted');
  });

  it('lets few others in during a burst of Node patches, and wakes them all when it ends', () => {
    const woken: string[] = [];
    const turnstile = createTurnstile(defaultWriteLimits, (key) => woken.push(key), manualClock());
    const enter = (kind: WriteKind, count: number) =>
      Array.from({ length: count }, (_, index) => turnstile.enter(kind, `${kind}-${index}`).kind);
    enter('NodePatch', BURST_PATCHES);
    expect(turnstile.isBurst()).toBe(true);
    expect(enter('LifecycleWrite', 4)).toEqual(['granted', 'held', 'held', 'held']);
    expect(enter('RecordWrite', 4)).toEqual(['granted', 'granted', 'granted', 'granted']);
    turnstile.leave('NodePatch');
    expect(turnstile.isBurst()).toBe(false);
    expect(woken).toEqual(['LifecycleWrite-1', 'LifecycleWrite-2', 'LifecycleWrite-3']);
  });

  it('lets few others in while awaited records are held, and wakes them all a second after the last was', async () => {
    const woken: string[] = [];
    const clock = manualClock();
    const turnstile = createTurnstile(
      { ...defaultWriteLimits, RecordWrite: 1 },
      (key) => woken.push(key),
      clock,
    );
    turnstile.enter('RecordWrite', 'first');
    turnstile.enter('RecordWrite', 'second');
    const others = ['a', 'b', 'c'].map((key) => turnstile.enter('LifecycleWrite', key).kind);
    expect(others).toEqual(['granted', 'held', 'held']);
    turnstile.leave('RecordWrite');
    expect(woken).toEqual(['second']);
    turnstile.enter('RecordWrite', 'second');
    await clock.advance(1_000);
    expect(woken).toEqual(['second', 'b', 'c']);
  });

  it('knows a fleet in which some nodes change each second from one that is calm, and from a burst', async () => {
    const clock = manualClock();
    const turnstile = createTurnstile(defaultWriteLimits, () => undefined, clock);
    const patch = () => {
      turnstile.enter('NodePatch', 'a');
      turnstile.leave('NodePatch');
    };
    for (let patches = 0; patches < 3; patches += 1) patch();
    expect(turnstile.isStirring()).toBe(false);
    patch();
    expect([turnstile.isStirring(), turnstile.isBurst()]).toEqual([true, false]);
    await clock.advance(1_000);
    expect(turnstile.isStirring()).toBe(false);
  });

  it('lets one other in for so many Node patches of a burst, the one that waits longest', () => {
    const woken: string[] = [];
    const turnstile = createTurnstile(defaultWriteLimits, (key) => woken.push(key), manualClock());
    const patch = (count: number) => {
      for (let each = 0; each < count; each++) {
        turnstile.enter('NodePatch', 'node');
        turnstile.leave('NodePatch');
      }
    };
    for (let each = 0; each < BURST_PATCHES; each++) turnstile.enter('NodePatch', 'node');
    for (const key of ['a', 'b', 'c']) turnstile.enter('LifecycleWrite', key);
    turnstile.leave('LifecycleWrite');
    patch(PATCHES_PER_OTHER - 1);
    expect(woken).toEqual([]);
    patch(1);
    expect(woken).toEqual(['b']);
    patch(PATCHES_PER_OTHER);
    expect(woken).toEqual(['b']);
    expect(turnstile.enter('LifecycleWrite', 'b').kind).toBe('granted');
    expect(turnstile.heldCount()).toBe(1);
  });

  it('takes many Node patches in a second for a burst, however few there are at once', async () => {
    const clock = manualClock();
    const woken: string[] = [];
    const turnstile = createTurnstile(defaultWriteLimits, (key) => woken.push(key), clock);
    for (let patch = 0; patch < BURST_PATCHES_PER_SECOND; patch++) {
      expect(turnstile.isBurst()).toBe(false);
      turnstile.enter('NodePatch', `node-${patch}`);
      turnstile.leave('NodePatch');
      await clock.advance(30);
    }
    expect(turnstile.isBurst()).toBe(true);
    for (const key of ['a', 'b', 'c']) turnstile.enter('LifecycleWrite', key);
    expect(turnstile.heldCount()).toBe(2);
    // The first is still under way: what it takes must not keep the others.
    await clock.advance(1_000);
    expect(turnstile.isBurst()).toBe(false);
    expect(woken).toEqual(['b', 'c']);
    expect(clock.pendingTimers()).toBe(0);
  });

  it('counts a key that waits once, however often it comes by', () => {
    const { turnstile, enter } = scene();
    enter('a', 'b', 'c', 'c', 'c');
    expect(turnstile.heldCount()).toBe(1);
  });

  it('hands on the turn of a key that was woken and did not need it', () => {
    const { turnstile, enter, woken } = scene();
    enter('a', 'b', 'c', 'd');
    turnstile.leave('LifecycleWrite');
    turnstile.pass('c');
    expect(woken).toEqual(['c', 'd']);
  });

  it('does not wake a key for a turn that it took already', () => {
    const { turnstile, enter, woken } = scene();
    enter('a', 'b', 'c', 'd');
    turnstile.leave('LifecycleWrite');
    turnstile.leave('LifecycleWrite');
    enter('c');
    turnstile.leave('LifecycleWrite');
    expect(woken).toEqual(['c', 'd']);
  });

  it('no longer counts a key that got in before it was woken', () => {
    const { turnstile, enter, woken } = scene();
    enter('a', 'b', 'c', 'd');
    turnstile.leave('LifecycleWrite');
    expect(enter('d')).toBe('granted');
    turnstile.leave('LifecycleWrite');
    expect([turnstile.heldCount(), woken]).toEqual([0, ['c']]);
  });

  it('wakes no more keys than there are free places', () => {
    const { turnstile, enter, woken } = scene();
    enter('a', 'b', 'c', 'd', 'e', 'f');
    turnstile.leave('LifecycleWrite');
    turnstile.leave('LifecycleWrite');
    expect(woken).toEqual(['c', 'd']);
  });

  it('ends with nobody waiting, whoever comes, goes, or no longer wants to write', async () => {
    const moves = fc.array(
      fc.record({
        key: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g'),
        kind: fc.constantFrom(...writeKinds),
        wants: fc.boolean(),
      }),
      { maxLength: 60 },
    );
    await fc.assert(
      fc.asyncProperty(moves, async (visits) => {
        const inFlight: WriteKind[] = [];
        const due: { key: string; kind: WriteKind; wants: boolean }[] = [...visits];
        const wake = (key: string) => {
          const again = visits.findLast((visit) => visit.key === key);
          due.push({ key, kind: again?.kind ?? 'NodePatch', wants: again?.wants ?? false });
        };
        const clock = manualClock();
        const turnstile = createTurnstile(limits, wake, clock);
        while (due.length > 0 || inFlight.length > 0) {
          const visit = due.shift();
          if (visit?.wants && turnstile.enter(visit.kind, visit.key).kind === 'granted')
            inFlight.push(visit.kind);
          if (visit) turnstile.pass(visit.key);
          const finished = visit && inFlight.length < 4 ? undefined : inFlight.shift();
          if (finished) turnstile.leave(finished);
          // Whoever made way for records is woken by time alone.
          if (due.length === 0 && inFlight.length === 0) await clock.advance(1_000);
        }
        expect(turnstile.heldCount()).toBe(0);
      }),
    );
  });
});
