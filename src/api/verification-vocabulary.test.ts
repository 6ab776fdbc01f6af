import { describe, expect, it } from 'vitest';
import { retryPauseMs } from './verification-vocabulary.ts';

describe('the pause after an attempt', () => {
  it('doubles up to 30 seconds, or is always 5', () => {
    const attempts = [0, 1, 2, 3, 4, 5, 6, 7, 90];
    expect(attempts.map((each) => retryPauseMs('exponential', each) / 1000)).toEqual([
      1, 1, 2, 4, 8, 16, 30, 30, 30,
    ]);
    expect([1, 9].map((each) => retryPauseMs('linear', each))).toEqual([5000, 5000]);
  });
});
