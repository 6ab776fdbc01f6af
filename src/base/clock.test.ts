import { getEventListeners } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { manualClock, settle } from '../../test/support/manual-clock.ts';
import { deadline, DeadlineExceeded, sleep, soonest, systemClock } from './clock.ts';

const listeners = (signal: AbortSignal) => getEventListeners(signal, 'abort').length;

describe('a sleep', () => {
  const asleep = () => {
    const clock = manualClock();
    const stop = new AbortController();
    const woke = vi.fn<() => void>();
    void sleep(clock, 1000, stop.signal).then(woke);
    return { clock, stop, woke };
  };

  it('ends when its time has passed and not before', async () => {
    const { clock, stop, woke } = asleep();
    await clock.advance(999);
    expect(woke).not.toHaveBeenCalled();
    await clock.advance(1);
    expect(woke).toHaveBeenCalledOnce();
    expect(listeners(stop.signal)).toBe(0);
  });

  it('ends at once when its signal aborts, and leaves no timer behind', async () => {
    const { clock, stop, woke } = asleep();
    stop.abort();
    await settle();
    expect(woke).toHaveBeenCalledOnce();
    expect(clock.pendingTimers()).toBe(0);
    expect(listeners(stop.signal)).toBe(0);
  });

  it('does not begin when its signal has aborted', async () => {
    const clock = manualClock();
    await sleep(clock, 1000, AbortSignal.abort());
    expect(clock.pendingTimers()).toBe(0);
  });

  it('needs no signal', async () => {
    const clock = manualClock();
    const woke = sleep(clock, 1000).then(() => clock.monotonicMs());
    await clock.advance(1000);
    expect(await woke).toBe(1000);
  });
});

describe('a deadline', () => {
  const set = () => {
    const clock = manualClock();
    const parent = new AbortController();
    return { clock, parent, ...deadline(clock, 1000, parent.signal) };
  };

  it('aborts when its time has passed, and says how long that was', async () => {
    const { clock, signal } = set();
    await clock.advance(999);
    expect(signal.aborted).toBe(false);
    await clock.advance(1);
    expect(signal.reason).toBeInstanceOf(DeadlineExceeded);
    expect(signal.reason).toMatchObject({ message: 'no answer within 1000 ms' });
  });

  it('aborts with its parent, for the reason of its parent', () => {
    const { parent, signal } = set();
    parent.abort('stopping');
    expect(signal.reason).toBe('stopping');
  });

  it('has aborted from the start when its parent had', () => {
    const { signal, done } = deadline(manualClock(), 1000, AbortSignal.abort('stopping'));
    expect(signal.reason).toBe('stopping');
    done();
  });

  it.each<[string, (given: ReturnType<typeof set>) => unknown]>([
    ['before its time', () => {}],
    ['after its time', ({ clock }) => clock.advance(1000)],
    ['after its parent aborted', ({ parent }) => parent.abort()],
  ])('leaves neither timer nor listener when it is done %s', async (_, before) => {
    const given = set();
    await before(given);
    given.done();
    expect(given.clock.pendingTimers()).toBe(0);
    expect(listeners(given.parent.signal)).toBe(0);
  });

  it('never aborts once it is done', async () => {
    const { clock, parent, signal, done } = set();
    done();
    parent.abort();
    await clock.advance(1000);
    expect(signal.aborted).toBe(false);
  });

  it('needs no parent', async () => {
    const clock = manualClock();
    const { signal } = deadline(clock, 10);
    await clock.advance(10);
    expect(signal.aborted).toBe(true);
  });
});

describe('the system clock', () => {
  const days = 24 * 60 * 60 * 1000;

  beforeEach(() => {
    vi.useFakeTimers();
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  it('tells the time of day, and a time that only grows', () => {
    vi.setSystemTime(Date.UTC(2026, 0, 1));
    const before = systemClock.monotonicMs();
    vi.advanceTimersByTime(5);
    expect(systemClock.now()).toBe(Date.UTC(2026, 0, 1) + 5);
    expect(systemClock.monotonicMs() - before).toBeCloseTo(5, 6);
  });

  it.each([1, 1000, 30 * days])('runs once after %d ms', (delayMs) => {
    const run = vi.fn<() => void>();
    systemClock.after(delayMs, run);
    vi.advanceTimersByTime(delayMs - 1);
    expect(run).toHaveBeenCalledTimes(0);
    vi.advanceTimersByTime(1);
    vi.advanceTimersByTime(90 * days);
    expect(run).toHaveBeenCalledOnce();
  });

  it.each([
    ['at once', 0],
    ['after longer than one timer can wait', 26 * days],
  ])('runs nothing that is cancelled %s', (_, cancelledAfterMs) => {
    const run = vi.fn<() => void>();
    const cancel = systemClock.after(30 * days, run);
    vi.advanceTimersByTime(cancelledAfterMs);
    cancel();
    vi.advanceTimersByTime(90 * days);
    expect(run).not.toHaveBeenCalled();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('gives way to what was due before', async () => {
    const order: string[] = [];
    setImmediate(() => order.push('due before'));
    const turn = systemClock.nextTurn().then(() => order.push('next turn'));
    await vi.advanceTimersToNextTimerAsync();
    await vi.advanceTimersToNextTimerAsync();
    await turn;
    expect(order).toEqual(['due before', 'next turn']);
  });
});

describe('the soonest of some times', () => {
  it.each([
    ['the first that comes', [9, 5, 7], 5],
    ['one that is known, whoever knows none', [null, 5, undefined], 5],
    ['none where nobody knows any', [null, undefined], null],
    ['none of none', [], null],
  ])('is %s', (_sentence, times, soon) => {
    expect(soonest(...times)).toBe(soon);
  });
});
