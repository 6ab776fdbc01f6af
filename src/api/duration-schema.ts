// Durations in our kinds: whole hours, minutes and seconds as Go writes them. What is none is refused in words, and what is out of
// range by the range that is allowed; a pattern would only show itself.

import { text } from './schema.ts';

export type DurationBounds = {
  readonly max: '24h' | '168h';
  readonly isZeroAllowed: boolean;
  readonly default?: string;
};

// So many digits that a conversion of any of them is in range: the words of its failure would say nothing to a person.
const form = '^([0-9]{1,6}h)?([0-9]{1,7}m)?([0-9]{1,8}s)?$';
const lengthMax = 16;

export function duration(description: string, { max, isZeroAllowed, ...options }: DurationBounds) {
  const isDuration = `self != '' && self.matches('${form}')`;
  const isInRange = `duration(self) ${isZeroAllowed ? '>=' : '>'} duration('0s') && duration(self) <= duration('${max}')`;
  return text(description, {
    max: lengthMax,
    rules: [
      {
        rule: isDuration,
        message: 'must be whole hours, minutes and seconds, the larger first, such as 90s, 10m or 1h30m',
      },
      {
        rule: `!(${isDuration}) || (${isInRange})`,
        message: isZeroAllowed ? `must be from 0s to ${max}` : `must be more than 0s and at most ${max}`,
      },
    ],
    ...options,
  });
}
