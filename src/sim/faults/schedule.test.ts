import { describe, expect, it } from 'vitest';
import { instanceClock } from './instance-clock.ts';
import { type Actor, Schedule } from './schedule.ts';

function setUp(seed = 0) {
  const thrown: unknown[] = [];
  const schedule = new Schedule({ seed, onThrow: (cause) => thrown.push(cause) });
  const happened: string[] = [];
  const note = (what: string) => () => void happened.push(`${what} ${schedule.nowMs}`);
  const runAll = async () => {
    while (await schedule.step());
  };
  return { schedule, happened, note, runAll, thrown };
}

const actor = (): Actor => ({ name: 'a#1', state: 'running' });

describe('a schedule', () => {
  it('lets things happen in the order of their times, and equal ones as they were asked for', async () => {
    const { schedule, happened, note, runAll } = setUp();
    schedule.after(5, note('late'));
    schedule.after(1, note('first'));
    schedule.after(1, note('second'));
    schedule.after(3, note('never'))();
    await runAll();
    expect(happened).toEqual(['first 1', 'second 1', 'late 5']);
  });

  it('waits for all that follows from one thing before it lets the next happen', async () => {
    const { schedule, happened, note, runAll } = setUp();
    schedule.after(1, () => {
      let chain = Promise.resolve();
      for (let link = 0; link < 50; link++) chain = chain.then(async () => undefined);
      void chain.then(note('end of the chain'));
    });
    schedule.after(1, note('next'));
    await runAll();
    expect(happened).toEqual(['end of the chain 1', 'next 1']);
  });

  it('keeps what belongs to a paused actor until it goes on, and forgets what belongs to a dead one', async () => {
    const { schedule, happened, note, runAll } = setUp();
    const [paused, dead] = [actor(), actor()];
    schedule.after(1, note('of the paused'), paused);
    schedule.after(1, note('of the dead'), dead);
    paused.state = 'paused';
    dead.state = 'dead';
    schedule.after(9, () => schedule.resume(paused));
    await runAll();
    expect(happened).toEqual(['of the paused 9']);
  });

  it('chooses the same order for the same seed and another for another', async () => {
    const orders = await Promise.all(
      [1, 1, 2].map(async (seed) => {
        const { schedule, happened, note, runAll } = setUp(seed);
        for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) schedule.after(1, note(name));
        await runAll();
        return happened.join();
      }),
    );
    expect(orders[0]).toBe(orders[1]);
    expect(orders[0]).not.toBe(orders[2]);
  });

  it('reports what is thrown and goes on', async () => {
    const { schedule, happened, note, runAll, thrown } = setUp();
    schedule.after(1, () => {
      throw new Error('on purpose');
    });
    schedule.after(2, note('next'));
    await runAll();
    expect(thrown).toHaveLength(1);
    expect(happened).toEqual(['next 2']);
  });
});

describe('the clock of an instance', () => {
  it('starts with it, goes with the schedule and can be stepped without moving its timers', async () => {
    const { schedule, happened, note, runAll } = setUp();
    schedule.after(100, () => {
      const clock = instanceClock(schedule, actor());
      const before = clock.now();
      clock.step(-3_600_000);
      expect(clock.now()).toBe(before - 3_600_000);
      expect(clock.monotonicMs()).toBe(0);
      clock.after(10, note('timer'));
    });
    await runAll();
    expect(happened).toEqual(['timer 110']);
  });
});
