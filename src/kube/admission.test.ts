import { describe, expect, it } from 'vitest';
import { manualClock, settle } from '../../test/support/manual-clock.ts';
import type { Cancel } from '../base/clock.ts';
import { Admission, HOLD_BACK_MS_MAX } from './admission.ts';
import type { Rate } from './token-bucket.ts';

function setUp({ inFlightMax = 2, writeRate = null as Rate | null } = {}) {
  const clock = manualClock();
  const admission = new Admission({ clock, inFlightMax, writeRate });
  const entered: string[] = [];
  const leave = new Map<string, Cancel>();
  const enter = (name: string, kind: 'read' | 'write' = 'read', signal = new AbortController().signal) => {
    void admission.enter(kind, signal).then((cancel) => {
      entered.push(cancel === null ? `${name} gave up` : name);
      if (cancel !== null) leave.set(name, cancel);
      return null;
    });
    return settle();
  };
  const finish = (name: string) => {
    leave.get(name)?.();
    return settle();
  };
  return { clock, admission, entered, enter, finish };
}

const { signal } = new AbortController();

describe('places', () => {
  it('lets only so many in and the rest in the order they came', async () => {
    const { admission, entered, enter, finish } = setUp();
    for (const name of ['a', 'b', 'c', 'd']) await enter(name);
    expect(entered).toEqual(['a', 'b']);
    await finish('b');
    expect(entered).toEqual(['a', 'b', 'c']);
    await finish('a');
    expect(entered).toEqual(['a', 'b', 'c', 'd']);
    expect(admission.inFlight).toBe(2);
  });

  it('never lets more in than there are places when many come in one turn', async () => {
    const { admission, entered, enter } = setUp();
    await Promise.all(['a', 'b', 'c', 'd'].map((name) => enter(name)));
    expect(entered).toEqual(['a', 'b']);
    expect(admission.inFlight).toBe(2);
  });

  it('forgets who gave up while waiting', async () => {
    const { entered, enter, finish } = setUp({ inFlightMax: 1 });
    const abort = new AbortController();
    await enter('a');
    await enter('b', 'read', abort.signal);
    await enter('c');
    abort.abort();
    await finish('a');
    expect(entered).toEqual(['a', 'b gave up', 'c']);
  });

  it('frees a place once, however often it is given back', async () => {
    const { admission, enter, finish } = setUp();
    await enter('a');
    await finish('a');
    await finish('a');
    expect(admission.inFlight).toBe(0);
  });

  it('lets urgent requests in at once, and counts them', async () => {
    const { admission, entered, enter } = setUp({ inFlightMax: 1 });
    await enter('a');
    const leave = admission.enterAtOnce();
    expect(admission.inFlight).toBe(2);
    leave();
    expect(entered).toEqual(['a']);
  });
});

describe('a pause', () => {
  it('holds back everyone who comes after it, until it is over', async () => {
    const { clock, admission, entered, enter } = setUp();
    admission.holdBack(5000);
    await enter('a');
    const passed = admission.passPause(signal);
    await clock.advance(4999);
    expect(entered).toEqual([]);
    await clock.advance(1);
    expect(entered).toEqual(['a']);
    await expect(passed).resolves.toBe(true);
    expect(clock.pendingTimers()).toBe(0);
  });

  it('is never longer than its bound', async () => {
    const { clock, admission, entered, enter } = setUp();
    admission.holdBack(3_600_000);
    await enter('a');
    await clock.advance(HOLD_BACK_MS_MAX);
    expect(entered).toEqual(['a']);
  });

  it('is not shortened by a later, shorter one', async () => {
    const { clock, admission, entered, enter } = setUp();
    admission.holdBack(5000);
    admission.holdBack(1000);
    await enter('a');
    await clock.advance(4000);
    expect(entered).toEqual([]);
  });

  it('holds back those who already wait for a place', async () => {
    const { clock, admission, entered, enter, finish } = setUp({ inFlightMax: 1 });
    await enter('a');
    await enter('b');
    admission.holdBack(5000);
    await finish('a');
    expect(entered).toEqual(['a']);
    await clock.advance(5000);
    expect(entered).toEqual(['a', 'b']);
  });

  it('does not keep a watch that gave up', async () => {
    const { admission } = setUp();
    const abort = new AbortController();
    admission.holdBack(5000);
    const passed = admission.passPause(abort.signal);
    abort.abort();
    await expect(passed).resolves.toBe(false);
    await expect(admission.passPause(abort.signal)).resolves.toBe(false);
  });

  it('stops neither watches nor urgent requests for lack of places', async () => {
    const { admission, enter } = setUp({ inFlightMax: 1 });
    await enter('a');
    await expect(admission.passPause(signal)).resolves.toBe(true);
  });
});

describe('a write rate', () => {
  it('lets a burst through, then one write per step, and reads at any time', async () => {
    const { clock, entered, enter } = setUp({ inFlightMax: 100, writeRate: { qps: 10, burst: 2 } });
    for (const name of ['a', 'b', 'c', 'd']) await enter(name, 'write');
    await enter('read');
    expect(entered).toEqual(['a', 'b', 'read']);
    await clock.advance(100);
    expect(entered).toEqual(['a', 'b', 'read', 'c']);
    await clock.advance(100);
    expect(entered).toEqual(['a', 'b', 'read', 'c', 'd']);
  });

  it('fills up again while nobody writes, but not beyond the burst', async () => {
    const { clock, entered, enter } = setUp({ inFlightMax: 100, writeRate: { qps: 10, burst: 2 } });
    await clock.advance(60_000);
    for (const name of ['a', 'b', 'c']) await enter(name, 'write');
    expect(entered).toEqual(['a', 'b']);
  });
});
