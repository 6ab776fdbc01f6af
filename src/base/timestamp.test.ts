import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatMicroTime, formatTime, parseTime } from './timestamp.ts';

const instants = fc.integer({ min: 0, max: Date.UTC(9999, 11, 31) });
const noon = Date.UTC(2026, 0, 1, 12);

describe('a timestamp', () => {
  it('has whole seconds as a Time', () => {
    expect(formatTime(noon + 999)).toBe('2026-01-01T12:00:00Z');
  });

  it('has exactly six digits behind the point as a MicroTime', () => {
    fc.assert(
      fc.property(instants, (instant) => {
        expect(formatMicroTime(instant)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
      }),
    );
  });

  it.each([
    ['no fraction', noon, '2026-01-01T12:00:00.000000Z'],
    ['a fraction', noon + 7, '2026-01-01T12:00:00.007000Z'],
    ['parts of a millisecond', noon + 7.9, '2026-01-01T12:00:00.007000Z'],
  ])('fills up a MicroTime with %s', (_, instant, text) => {
    expect(formatMicroTime(instant)).toBe(text);
  });

  it('reads back what it wrote', () => {
    fc.assert(
      fc.property(instants, (instant) => {
        expect(parseTime(formatMicroTime(instant))).toBe(instant);
        expect(parseTime(formatTime(instant))).toBe(instant - (instant % 1000));
      }),
    );
  });

  it('sorts as text as it does in time', () => {
    fc.assert(
      fc.property(instants, instants, (a, b) => {
        expect(formatMicroTime(a) < formatMicroTime(b)).toBe(a < b);
      }),
    );
  });

  it.each([
    ['seconds', '2026-01-01T12:00:00Z', noon],
    ['microseconds', '2026-01-01T12:00:00.123456Z', noon + 123],
    ['nanoseconds', '2026-01-01T12:00:00.123456789Z', noon + 123],
    ['an offset', '2026-01-01T14:00:00+02:00', noon],
  ])('is read with %s', (_, text, instant) => {
    expect(parseTime(text)).toBe(instant);
  });

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['empty text', ''],
    ['a word', 'yesterday'],
    ['a word and a number', 'attempt 1'],
    ['a bare number', '1767268800'],
    ['a year', '2026'],
    ['a date without a time', '2026-01-01'],
    ['a local time', '2026-01-01T12:00:00'],
    ['a month that does not exist', '2026-13-01T12:00:00Z'],
  ])('is not %s', (_, text) => {
    expect(parseTime(text)).toBeNull();
  });
});
