import { describe, expect, it } from 'vitest';
import { turningClock } from '../../test/support/turning-clock.ts';
import { createBreath, SLICE_MS } from './breath.ts';

/** So many pieces of work that come at once, each of which takes so long. */
async function worked(pieces: number, costMs: number): Promise<readonly number[]> {
  const clock = turningClock();
  const breath = createBreath(clock);
  const work = Array.from({ length: pieces }, async () => {
    await Promise.resolve();
    while (breath.isSpent()) await breath.next();
    clock.spend(costMs);
  });
  const durations = await clock.takeTurns();
  await Promise.all(work);
  return durations;
}

describe('work in slices', () => {
  it('is done at once when it is little', async () => {
    expect(await worked(3, 1)).toEqual([3]);
  });

  it('gives way when its slice is used up, and no turn takes longer than a slice', async () => {
    const durations = await worked(100, 1);
    expect(durations).toHaveLength(Math.ceil(100 / SLICE_MS));
    expect(Math.max(...durations)).toBe(SLICE_MS);
  });

  it('takes a turn of its own for a piece that is longer than a slice', async () => {
    expect(await worked(3, 20)).toEqual([20, 20, 20]);
  });
});
