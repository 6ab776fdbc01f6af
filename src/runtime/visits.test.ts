import { describe, expect, it } from 'vitest';
import { manualClock } from '../../test/support/manual-clock.ts';
import { recordedMetrics } from '../../test/support/recorded-metrics.ts';
import { silentLog } from '../base/log.ts';
import { seededRandom } from '../base/random.ts';
import { createQueue } from '../kube/queue.ts';
import type { WorkOutcome } from './ports.ts';
import { createVisits } from './visits.ts';

function scene(outcome: WorkOutcome = { kind: 'done', recheckInMs: null }) {
  const clock = manualClock();
  const paid: string[] = [];
  const metrics = recordedMetrics();
  const shared = { clock, random: seededRandom(1), log: silentLog, metrics };
  const visits = createVisits({
    ...shared,
    urgencyOf: (_, priority) => priority,
    makeQueue: (spec) => createQueue({ ...shared, ...spec }),
    visit: async (name, trigger) => {
      paid.push(`${name} ${trigger}`);
      return outcome;
    },
  });
  return { clock, metrics, visits, paid };
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

describe('visits', () => {
  const total = 'kube_node_ready_controller_reconciliation_total';
  const durations = 'kube_node_ready_controller_reconciliation_duration_seconds';

  it('are counted and timed, those that left nothing to do as a success', async () => {
    const { clock, metrics, visits } = scene();
    visits.touch(['a', 'b'], 'Node', 'change');
    await clock.advance(1_000);
    expect(metrics.value(total, { result: 'success' })).toBe(2);
    expect(metrics.value(total, { result: 'error' })).toBe(0);
    expect(metrics.value(durations)).toBe(2);
  });

  it('are counted as an error when they have to be made again', async () => {
    const { clock, metrics, visits } = scene({ kind: 'retry', soon: false, afterMs: 60_000 });
    visits.touch(['a'], 'Node', 'change');
    await clock.advance(1_000);
    expect(metrics.value(total, { result: 'error' })).toBe(1);
    expect(metrics.value(durations)).toBe(1);
  });
});
