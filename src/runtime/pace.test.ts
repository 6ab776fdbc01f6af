import { describe, expect, it } from 'vitest';
import { manualClock } from '../../test/support/manual-clock.ts';
import { createPace } from './pace.ts';

async function paceAfter(times: number) {
  const clock = manualClock();
  const pace = createPace(clock, 4);
  for (let time = 0; time < times; time++) {
    pace.wrote('a');
    await clock.advance(100);
  }
  return { clock, pace };
}

describe('the pace of one object', () => {
  it('lets a birth and the change after it pass at once', async () => {
    expect((await paceAfter(3)).pace.waitMs('a')).toBe(0);
  });

  it('makes the fifth write wait, and after it one each five seconds', async () => {
    const { clock, pace } = await paceAfter(4);
    expect(pace.waitMs('a')).toBe(4_600);
    await clock.advance(4_599);
    expect(pace.waitMs('a')).toBe(1);
    await clock.advance(1);
    expect(pace.waitMs('a')).toBe(0);
    pace.wrote('a');
    expect(pace.waitMs('a')).toBe(5_000);
  });

  it('lets four pass at once again after twenty calm seconds', async () => {
    const { clock, pace } = await paceAfter(4);
    await clock.advance(20_000);
    for (let time = 0; time < 4; time++) {
      expect(pace.waitMs('a')).toBe(0);
      pace.wrote('a');
    }
    expect(pace.waitMs('a')).toBe(5_000);
  });

  it('is not that of another', async () => {
    expect((await paceAfter(4)).pace.waitMs('b')).toBe(0);
  });
});
