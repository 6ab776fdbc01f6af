import { describe, expect, it } from 'vitest';
import { manualClock } from '../../test/support/manual-clock.ts';
import { silentLog } from '../base/log.ts';
import { silentMetrics } from '../base/metrics.ts';
import { seededRandom } from '../base/random.ts';
import { createQueue } from '../kube/queue.ts';
import type { WorkOutcome } from './ports.ts';
import { createVisits } from './visits.ts';

function scene(outcome: WorkOutcome = { kind: 'done', recheckInMs: null }) {
  const clock = manualClock();
  const paid: string[] = [];
  const shared = { clock, random: seededRandom(1), log: silentLog, metrics: silentMetrics };
  const visits = createVisits({
    clock,
    makeQueue: (spec) => createQueue({ ...shared, ...spec }),
    visit: async (name, trigger) => {
      paid.push(`${name} ${trigger}`);
      return outcome;
    },
  });
  return { clock, visits, paid };
}

describe('a node that is touched', () => {
  it('is visited once, however often that was, and the visit knows why', async () => {
    const { clock, visits, paid } = scene();
    visits.touch(['a', 'b'], 'Node', 'change');
    visits.touch(['a'], 'Stamp', 'change');
    await clock.advance(1_000);
    expect(paid).toEqual(['a Stamp', 'b Node']);
  });

  it('is visited again for the reason that the time has come', async () => {
    const { clock, visits, paid } = scene({ kind: 'done', recheckInMs: 1_000 });
    visits.touch(['a'], 'Node', 'change');
    await clock.advance(0);
    await clock.advance(1_500);
    expect(paid).toEqual(['a Node', 'a Timer']);
  });

  it('is not visited any more after the end', async () => {
    const { clock, visits, paid } = scene();
    await visits.stop();
    visits.touch(['a'], 'Node', 'change');
    await clock.advance(1_000);
    expect(paid).toEqual([]);
  });
});
