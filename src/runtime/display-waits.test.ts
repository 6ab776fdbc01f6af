import { describe, expect, it } from 'vitest';
import { manualClock } from '../../test/support/manual-clock.ts';
import { createDisplayWaits } from './display-waits.ts';

const never = { movedMs: -Infinity, wordsMs: -Infinity };

function waiting() {
  const clock = manualClock();
  return { clock, waits: createDisplayWaits(clock) };
}

describe('what is shown of a node', () => {
  it('does not wait where nothing was written', () => {
    expect(waiting().waits.of('a')).toEqual(never);
  });

  it('waits for half a minute after it was shown, be it a move or words', async () => {
    const { clock, waits } = waiting();
    waits.wrote('a', 'display');
    await clock.advance(10_000);
    expect(waits.of('a')).toEqual({ movedMs: 20_000, wordsMs: 20_000 });
    expect(waits.of('b')).toEqual(never);
  });

  it('waits with words after a record, while a move waits for the last display alone', async () => {
    const { clock, waits } = waiting();
    waits.wrote('a', 'display');
    await clock.advance(10_000);
    waits.wrote('a', 'record');
    expect(waits.of('a')).toEqual({ movedMs: 20_000, wordsMs: 30_000 });
  });

  it('is forgotten with its node, and when its time is over', async () => {
    const { clock, waits } = waiting();
    waits.wrote('a', 'record');
    waits.wrote('b', 'record');
    waits.forget('b');
    expect(waits.of('b')).toEqual(never);
    await clock.advance(30_000);
    waits.wrote('c', 'record');
    expect(waits.of('a')).toEqual(never);
  });
});
