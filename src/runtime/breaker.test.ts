import { describe, expect, it } from 'vitest';
import { silentLog } from '../base/log.ts';
import { seededRandom } from '../base/random.ts';
import { apiFailure } from '../../test/support/api-failure.ts';
import { manualClock } from '../../test/support/manual-clock.ts';
import { createBreaker } from './breaker.ts';
import type { ActOutcome } from './act.ts';

const failed = (reason: Parameters<typeof apiFailure>[0], rest = {}): ActOutcome => ({
  kind: 'failed',
  failure: apiFailure(reason, rest),
});
const done: ActOutcome = { kind: 'done', object: {} };

function scene() {
  const clock = manualClock();
  const said: string[] = [];
  const turnstile = { rest: () => said.push('rest'), resume: () => said.push('resume') };
  const breaker = createBreaker({ clock, random: seededRandom(1), log: silentLog, turnstile });
  return { clock, said, note: (outcome: ActOutcome) => breaker.note('LifecycleWrite', outcome) };
}

describe('writes that fail for a cause that concerns all of them', () => {
  it.each(['Forbidden', 'Malformed', 'NotServed', 'ServerError', 'Unreachable', 'Timeout'] as const)(
    'rest after %s',
    async (reason) => {
      const { clock, said, note } = scene();
      note(failed(reason));
      note(failed(reason));
      expect(said).toEqual(['rest']);
      await clock.advance(500);
      expect(said).toEqual(['rest', 'resume']);
    },
  );

  it('rest longer each time, at most ten seconds, until one succeeds', async () => {
    const { clock, said, note } = scene();
    for (let time = 0; time < 12; time++) {
      note(failed('Forbidden'));
      await clock.advance(10_000);
    }
    note(failed('Forbidden'));
    await clock.advance(4_999);
    expect(said.at(-1)).toBe('rest');
    await clock.advance(5_001);
    note(done);
    note(failed('Forbidden'));
    await clock.advance(500);
    expect(said.at(-1)).toBe('resume');
  });

  it('rest as long as the server asks', async () => {
    const { clock, said, note } = scene();
    note(failed('TooManyRequests', { retryAfterMs: 7_000 }));
    await clock.advance(6_999);
    expect(said).toEqual(['rest']);
  });

  it('do not rest because one object was refused', () => {
    const { said, note } = scene();
    for (const reason of ['Invalid', 'BadRequest', 'TooLarge'] as const) note(failed(reason));
    note({ kind: 'conflict' });
    expect(said).toEqual([]);
  });
});
