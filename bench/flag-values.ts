// Reads the values of flags. Whatever a person may ask for has a bound, and a bad value is one sentence.

import { type FlagValues, UsageError } from './bench.ts';

type Bounds = { readonly default: number; readonly max: number };

export function wholeNumber(values: FlagValues, flag: string, bounds: Bounds): number {
  const text = values[flag];
  if (text === undefined) return bounds.default;
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= bounds.max) return value;
  throw new UsageError(`--${flag} must be a whole number from 1 to ${bounds.max}, not ${text}.`);
}

/** The first one is the default. */
export function oneOf<const T extends string>(
  values: FlagValues,
  flag: string,
  choices: readonly [T, ...T[]],
): T {
  const text = values[flag];
  const chosen = text === undefined ? choices[0] : choices.find((choice) => choice === text);
  if (chosen !== undefined) return chosen;
  throw new UsageError(`--${flag} must be ${choices.join(' or ')}, not ${text}.`);
}
