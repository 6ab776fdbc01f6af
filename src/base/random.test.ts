import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jittered, seededRandom, systemRandom } from './random.ts';

describe('randomness', () => {
  it('lies in [0, 1), whatever the seed', () => {
    fc.assert(
      fc.property(fc.oneof(fc.integer(), fc.double()), (seed) => {
        const random = seededRandom(seed);
        for (const value of [random.next(), random.next(), systemRandom.next()]) {
          expect(value).toBeGreaterThanOrEqual(0);
          expect(value).toBeLessThan(1);
        }
      }),
    );
  });

  it('repeats itself for the same seed and differs for another', () => {
    const run = (seed: number) => {
      const random = seededRandom(seed);
      return Array.from({ length: 20 }, () => random.next());
    };
    expect(run(7)).toEqual(run(7));
    expect(run(7)).not.toEqual(run(8));
  });

  it('is spread evenly enough for schedules', () => {
    const random = seededRandom(1);
    const counts = [0, 0, 0, 0];
    for (let draw = 0; draw < 4000; draw++) counts[Math.floor(random.next() * 4)]! += 1;
    for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(150);
  });
});

describe('jitter', () => {
  it.each([
    ['down by its share at most', 0, 540],
    ['not at all in the middle', 0.5, 600],
    ['up by its share at most', 1, 660],
  ])('moves a value %s', (_, drawn, moved) => {
    expect(jittered({ next: () => drawn }, 600, 0.1)).toBeCloseTo(moved, 6);
  });
});
