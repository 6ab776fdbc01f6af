import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { WaitingKeys } from './waiting-keys.ts';

const levels = 3;

function waitingFor(...keys: readonly (readonly [key: string, level: number])[]): WaitingKeys {
  const waiting = new WaitingKeys(levels);
  for (const [i, [key, level]] of keys.entries()) waiting.add({ key, level, sinceMs: i });
  return waiting;
}

function takenFrom(waiting: WaitingKeys): readonly string[] {
  const taken: string[] = [];
  for (let next = waiting.take(); next; next = waiting.take()) taken.push(next.key);
  return taken;
}

describe('the keys that wait', () => {
  it('are taken by level, and within a level in the order of asking', () => {
    const waiting = waitingFor(['c', 2], ['b-1', 1], ['a', 0], ['b-2', 1]);
    expect(takenFrom(waiting)).toEqual(['a', 'b-1', 'b-2', 'c']);
    expect(waiting.size).toBe(0);
    expect(waiting.take()).toBeUndefined();
  });

  it('are each held once, at the highest level asked for', () => {
    const waiting = waitingFor(['low', 2], ['b', 1], ['low', 0], ['low', 1], ['low', 0]);
    expect(waiting.size).toBe(2);
    expect(takenFrom(waiting)).toEqual(['low', 'b']);
  });

  it('keep their place when asked for again at the same level', () => {
    expect(takenFrom(waitingFor(['a', 1], ['b', 1], ['a', 1]))).toEqual(['a', 'b']);
  });

  it('keep the time since which they wait when they move up', () => {
    const waiting = waitingFor(['other', 1], ['moved', 2], ['moved', 0]);
    expect(waiting.take()).toMatchObject({ key: 'moved', level: 0, sinceMs: 1 });
  });

  it('may come again once they were taken', () => {
    const waiting = waitingFor(['a', 1]);
    waiting.take();
    waiting.add({ key: 'a', level: 2, sinceMs: 9 });
    expect(waiting.take()).toMatchObject({ key: 'a', level: 2, sinceMs: 9 });
  });

  it('tell since when the oldest waits, whatever its level', () => {
    const waiting = waitingFor(['oldest', 2], ['a', 0], ['b', 1]);
    expect(waiting.oldestSinceMs()).toBe(0);
    waiting.take();
    expect(waiting.oldestSinceMs()).toBe(0);
    takenFrom(waiting);
    expect(waiting.oldestSinceMs()).toBeNull();
  });

  it('step over the places that were left, also when every key of a level has moved up', () => {
    const moved = waitingFor(['a', 2], ['b', 2], ['c', 2], ['a', 1], ['b', 0]);
    expect(takenFrom(moved)).toEqual(['b', 'a', 'c']);
    const emptied = waitingFor(['a', 2], ['a', 1], ['last', 2]);
    expect(takenFrom(emptied)).toEqual(['a', 'last']);
  });
});

describe('every tenth key', () => {
  it('is the oldest of the lowest level that has any', () => {
    const waiting = new WaitingKeys(levels);
    waiting.add({ key: 'mid', level: 1, sinceMs: 0 });
    for (let i = 0; i < 30; i++) waiting.add({ key: `high-${i}`, level: 0, sinceMs: 0 });
    const taken = takenFrom(waiting);
    expect(taken.indexOf('mid')).toBe(9);
    expect(taken.filter((key) => key !== 'mid')).toEqual(Array.from({ length: 30 }, (_, i) => `high-${i}`));
  });
});

describe('a long line', () => {
  it('keeps its order while keys come and go by the thousand', () => {
    const waiting = new WaitingKeys(1);
    const taken: (string | undefined)[] = [];
    let added = 0;
    for (let round = 0; round < 40; round++) {
      for (let i = 0; i < 50; i++) waiting.add({ key: String(added++), level: 0, sinceMs: 0 });
      for (let i = 0; i < 40; i++) taken.push(waiting.take()?.key);
    }
    expect(waiting.size).toBe(400);
    taken.push(...takenFrom(waiting));
    expect(taken).toEqual(Array.from({ length: added }, (_, i) => String(i)));
  });
});

type Asked = { readonly level: number; readonly sinceMs: number };

/** What is known of each key that waits, without any order. */
class Model {
  readonly asked = new Map<string, Asked>();
  #taken = 0;

  add(key: string, { level, sinceMs }: Asked): void {
    const before = this.asked.get(key);
    const highest = Math.min(level, before?.level ?? level);
    this.asked.set(key, { level: highest, sinceMs: before?.sinceMs ?? sinceMs });
  }

  /** Of which level the next one is. */
  nextLevel(): number {
    this.#taken++;
    const found = [...this.asked.values()].map(({ level }) => level);
    return this.#taken % 10 === 0 ? Math.max(...found) : Math.min(...found);
  }
}

describe('whatever is asked for and taken in whatever order', () => {
  const add = fc.record({ key: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'), level: fc.nat(levels - 1) });
  const take = fc.constant(null);

  it('each key is taken once, as it was asked for, from the level whose turn it is', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(add, take), { minLength: 20, maxLength: 120, size: 'max' }), (steps) => {
        const [waiting, model] = [new WaitingKeys(levels), new Model()];
        const takeOne = () => {
          if (model.asked.size === 0) return expect(waiting.take()).toBeUndefined();
          const level = model.nextLevel();
          const taken = waiting.take();
          expect(taken).toEqual({ key: taken?.key, ...model.asked.get(taken?.key ?? '') });
          expect(taken?.level).toBe(level);
          model.asked.delete(taken?.key ?? '');
        };
        for (const [sinceMs, step] of steps.entries()) {
          if (step === null) takeOne();
          else {
            waiting.add({ ...step, sinceMs });
            model.add(step.key, { level: step.level, sinceMs });
          }
          expect(waiting.size).toBe(model.asked.size);
        }
        while (model.asked.size > 0) takeOne();
        expect(waiting.take()).toBeUndefined();
      }),
    );
  });
});
