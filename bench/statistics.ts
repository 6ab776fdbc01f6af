// The few statistics that the benches print. Pure; an empty sample is a mistake of the caller and throws.

import { assert } from '../src/base/assert.ts';

export function median(sample: readonly number[]): number {
  const sorted = sample.toSorted((a, b) => a - b);
  const upper = at(sorted, Math.floor(sorted.length / 2));
  return sorted.length % 2 === 1 ? upper : (at(sorted, sorted.length / 2 - 1) + upper) / 2;
}

/** The smallest value that the given share of the sample does not exceed: `percentile(sample, 0.99)`. */
export function percentile(sample: readonly number[], share: number): number {
  const sorted = sample.toSorted((a, b) => a - b);
  return at(sorted, Math.max(0, Math.ceil(share * sorted.length) - 1));
}

function at(sorted: readonly number[], index: number): number {
  const value = sorted[index];
  assert(value !== undefined, 'a sample has at least one value');
  return value;
}
