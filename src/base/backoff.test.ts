import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { backoffMs, type BackoffPolicy } from './backoff.ts';
import { seededRandom } from './random.ts';

const policy: BackoffPolicy = { firstMs: 100, factor: 2, delayMsMax: 30_000 };
const lowest = { next: () => 0 };
const highest = { next: () => 1 - Number.EPSILON };

describe('a backoff', () => {
  it.each<[string, number, number]>([
    ['the first failure waits for the first step', 1, 100],
    ['each further failure doubles the step', 4, 800],
    ['the step stays at its maximum', 20, 30_000],
    ['a key that never failed is treated as one that failed once', 0, 100],
    ['a negative count is treated the same', -3, 100],
    ['a count beyond all exponents stays at the maximum', Number.MAX_SAFE_INTEGER, 30_000],
  ])('%s', (_, failures, stepMs) => {
    expect(backoffMs(policy, failures, lowest)).toBe(stepMs / 2);
    expect(backoffMs(policy, failures, highest)).toBeCloseTo(stepMs, 6);
  });

  it('lies between half and the whole of its step, never above the maximum and never below half the first', () => {
    const policies = fc.record({
      firstMs: fc.integer({ min: 1, max: 1000 }),
      factor: fc.double({ min: 1, max: 10, noNaN: true }),
      delayMsMax: fc.integer({ min: 1000, max: 600_000 }),
    });
    fc.assert(
      fc.property(policies, fc.nat(1000), fc.integer(), (given, failures, seed) => {
        const delayMs = backoffMs(given, failures, seededRandom(seed));
        expect(delayMs).toBeGreaterThanOrEqual(given.firstMs / 2);
        expect(delayMs).toBeLessThanOrEqual(given.delayMsMax);
      }),
    );
  });
});
