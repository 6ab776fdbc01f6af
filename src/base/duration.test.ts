import { describe, expect, it } from 'vitest';
import { parseDuration } from './duration.ts';

describe('durations', () => {
  it.each([
    ['90s', 90_000],
    ['10m', 600_000],
    ['1h30m', 5_400_000],
    ['1.5s', 1_500],
    ['250ms', 250],
  ])('reads %s', (text, ms) => expect(parseDuration(text)).toBe(ms));

  it.each(['', '10', 'm', '10 m', '-1s', '1d'])('refuses %j', (text) =>
    expect(parseDuration(text)).toBeNull(),
  );
});
