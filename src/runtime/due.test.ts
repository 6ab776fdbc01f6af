import { describe, expect, it } from 'vitest';
import { manualClock } from '../../test/support/manual-clock.ts';
import { createDue } from './due.ts';

const PERIOD_MS = 5_000;
const names = (count: number) => Array.from({ length: count }, (_, index) => `rule-${index}`);

/** What each waits for once all were reported at the same moment. */
function waitsAfter(keys: readonly string[], periodMs: number): readonly number[] {
  const due = createDue(manualClock(), PERIOD_MS);
  for (const key of keys) due.reports(key);
  return keys.map((key) => due.inMs(key, periodMs));
}

describe('objects that were reported together', () => {
  it('come apart a period later, and stay apart', async () => {
    const clock = manualClock();
    const due = createDue(clock, PERIOD_MS);
    const keys = names(4);
    for (const key of keys) due.reports(key);
    await clock.advance(PERIOD_MS - 5);
    for (const key of keys) {
      await clock.advance(5);
      expect(due.inMs(key, PERIOD_MS)).toBe(0);
      due.reports(key);
    }
    expect(keys.map((key) => due.inMs(key, PERIOD_MS))).toEqual([4_985, 4_990, 4_995, 5_000]);
  });

  it.each<[string, number, number, number]>([
    ['are half a second apart at most, however many there are', 2_000, PERIOD_MS, 5_500],
    ['keep to a longer period and come apart', 10, 10_000, 10_045],
    ['keep to the letter of a shorter period, which is more urgent', 10, 1_000, 1_000],
  ])('%s', (_sentence, count, periodMs, waitMs) => {
    expect(Math.max(...waitsAfter(names(count), periodMs))).toBe(waitMs);
  });
});

describe('objects that are gone', () => {
  it('are forgotten when their time is over, though nobody says so', async () => {
    const clock = manualClock();
    const due = createDue(clock, PERIOD_MS);
    for (let index = 0; index < 1_000; index++) due.reports(`gone-${index}`);
    await clock.advance(60_000);
    due.reports('a');
    expect(due.count()).toBe(1);
  });
});

describe('an object', () => {
  it('waits for its period, and for what has to be looked into first', async () => {
    const clock = manualClock();
    const due = createDue(clock, PERIOD_MS);
    expect(due.inMs('a', PERIOD_MS)).toBeLessThanOrEqual(0);
    due.wait('a', 500);
    expect(due.inMs('a', PERIOD_MS)).toBe(500);
    await clock.advance(500);
    expect(due.inMs('a', PERIOD_MS)).toBe(0);
    due.reports('a');
    expect(due.inMs('a', PERIOD_MS)).toBe(PERIOD_MS);
    due.forget('a');
    expect(due.inMs('a', PERIOD_MS)).toBeLessThanOrEqual(0);
  });
});
