import { expect, it } from 'vitest';
import { silentLog } from '../../src/base/log.ts';
import { seededRandom } from '../../src/base/random.ts';
import { wireOperator } from '../../src/bin/wire.ts';
import { manualClock } from '../support/manual-clock.ts';
import { createMemoryKubeApi } from '../support/memory-kube-api.ts';
import { recordedMetrics } from '../support/recorded-metrics.ts';

it('who holds the Lease says so under the name of clients in Go, and a standby that it does not', async () => {
  const clock = manualClock();
  const api = createMemoryKubeApi({ clock });
  const replica = (identity: string) => {
    const metrics = recordedMetrics();
    const operator = wireOperator({
      api,
      clock,
      random: seededRandom(1),
      log: silentLog,
      metrics,
      capabilities: [],
      poolLabels: ['pool'],
      resyncMs: 600_000,
      identity,
      lease: { namespace: 'muster-system', name: 'muster' },
      onLost: () => undefined,
    });
    operator.start();
    const status = () => metrics.value('leader_election_master_status', { name: 'muster' });
    return { operator, status };
  };
  const first = replica('first');
  await clock.advance(1_000);
  const second = replica('second');
  await clock.advance(1_000);
  expect([first.status(), second.status()]).toEqual([1, 0]);
  const stopping = [first, second].map(({ operator }) => operator.stop());
  await clock.advance(20_000);
  await Promise.all(stopping);
});
