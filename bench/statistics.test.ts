import { describe, expect, it } from 'vitest';
import { median, percentile } from './statistics.ts';

describe('median', () => {
  it('is the middle of an odd number of values, in whatever order they come', () => {
    expect(median([30, 1, 2])).toBe(2);
  });

  it('is the mean of the two in the middle of an even number', () => {
    expect(median([10, 1, 2, 4])).toBe(3);
  });

  it('leaves the sample as it was', () => {
    const sample = [3, 1, 2];
    median(sample);
    expect(sample).toEqual([3, 1, 2]);
  });

  it('throws when there is no value', () => {
    expect(() => median([])).toThrow('at least one value');
  });
});

describe('percentile', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);

  it.each([
    [0.5, 50],
    [0.99, 99],
    [1, 100],
    [0, 1],
  ])('takes the value that a share of %d does not exceed', (share, value) => {
    expect(percentile(hundred, share)).toBe(value);
  });

  it('of one value is that value', () => {
    expect(percentile([7], 0.99)).toBe(7);
  });
});
