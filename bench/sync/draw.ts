// Draws values that look like those of a real cluster from a given source of randomness.

import type { Instant } from '../../src/base/clock.ts';
import type { Random } from '../../src/base/random.ts';

export type Draw = {
  /** A whole number from 0 on, below the bound. */
  readonly below: (bound: number) => number;
  readonly one: <T>(values: readonly T[]) => T;
  readonly isOnceIn: (times: number) => boolean;
  readonly hex: (digits: number) => string;
  readonly uuid: () => string;
  /** An IPv4 address of the cluster's own network. */
  readonly address: () => string;
  /** Some second of the year before the measurements were first made, as an Instant. */
  readonly instant: () => Instant;
};

const yearEndsMs = Date.UTC(2026, 9, 1);
const yearSeconds = 365 * 86_400;

export function drawFrom(random: Random): Draw {
  const below = (bound: number) => Math.floor(random.next() * bound);
  const hex = (digits: number) => {
    let text = '';
    while (text.length < digits)
      text += below(2 ** 32)
        .toString(16)
        .padStart(8, '0');
    return text.slice(0, digits);
  };
  return {
    below,
    one: (values) => values[below(values.length)] as (typeof values)[number],
    isOnceIn: (times) => below(times) === 0,
    hex,
    uuid: () => [8, 4, 4, 4, 12].map(hex).join('-'),
    address: () => `10.${below(256)}.${below(256)}.${below(256)}`,
    instant: () => yearEndsMs - below(yearSeconds) * 1_000,
  };
}
