import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { manualClock } from '../../test/support/manual-clock.ts';
import { Agenda } from './agenda.ts';

describe('the agenda', () => {
  it('runs everything in the order of its time, and in the order of adding where the time is the same', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(20), { maxLength: 40 }), async (delays) => {
        const clock = manualClock();
        const agenda = new Agenda(clock);
        const ran: number[] = [];
        for (const [index, delayMs] of delays.entries()) agenda.after(delayMs, () => ran.push(index));
        await clock.advance(20);
        const wanted = delays.map((delayMs, index) => ({ delayMs, index }));
        expect(ran).toEqual(
          wanted.sort((a, b) => a.delayMs - b.delayMs || a.index - b.index).map(({ index }) => index),
        );
      }),
      { numRuns: 50 },
    );
  });

  it('sets one timer of the clock for any number of things', () => {
    const clock = manualClock();
    const agenda = new Agenda(clock);
    for (let each = 0; each < 1000; each++) agenda.after(1000 - each, () => {});
    expect(clock.pendingTimers()).toBe(1);
    expect(agenda.waiting()).toBe(1000);
  });

  it('runs nothing that was cancelled and nothing after its end', async () => {
    const clock = manualClock();
    const agenda = new Agenda(clock);
    const ran: string[] = [];
    agenda.after(1, () => ran.push('cancelled'))();
    agenda.after(2, () => {
      ran.push('last');
      agenda.stop();
      agenda.after(0, () => ran.push('too late'));
    });
    agenda.after(2, () => ran.push('after the end'));
    await clock.advance(10);
    expect(ran).toEqual(['last']);
    expect(clock.pendingTimers()).toBe(0);
  });

  it('runs what is added while it runs', async () => {
    const clock = manualClock();
    const agenda = new Agenda(clock);
    const at: number[] = [];
    const again = () => at.push(clock.monotonicMs()) < 3 && agenda.after(10, again);
    agenda.after(10, again);
    await clock.advance(100);
    expect(at).toEqual([10, 20, 30]);
  });
});
