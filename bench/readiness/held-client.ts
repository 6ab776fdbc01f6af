// Weighs what the operator holds in memory of a cluster as it is: each kind that it watches in a cache of its own, then all of them and
// what is made of them, as a standby that writes nothing. Prints a line of JSON for each.

import { setTimeout as pause } from 'node:timers/promises';
import { systemClock } from '../../src/base/clock.ts';
import { silentLog } from '../../src/base/log.ts';
import { silentMetrics } from '../../src/base/metrics.ts';
import { systemRandom } from '../../src/base/random.ts';
import { wireOperator } from '../../src/bin/wire.ts';
import { createReadiness } from '../../src/capabilities/readiness/capability.ts';
import { createCaches } from '../../src/kube/caches.ts';
import { resourceName } from '../../src/objects/ref.ts';
import type { KubeApi, WatchSpec } from '../../src/runtime/ports.ts';
import { lifecycleSpec, nodeSpec } from '../../src/runtime/specs.ts';
import { until } from '../../test/control-plane/until.ts';
import { apiFailure } from '../../test/support/api-failure.ts';
import { connect } from '../cluster/cluster-client.ts';
import { bytesKept } from '../heap.ts';
import type { HeldRow } from './held.ts';

const [kubeconfig = ''] = process.argv.slice(2);
const syncMsMax = 180_000;
const settleMs = 5_000;
const hourMs = 3_600_000;

const ports = { clock: systemClock, random: systemRandom, log: silentLog, metrics: silentMetrics };
const readiness = createReadiness({
  ...ports,
  centre: { nodes: nodeSpec, lifecycles: lifecycleSpec },
  evaluations: 'all',
  version: 'bench',
});
/** Or it would be collected before it is weighed. */
const kept: unknown[] = [];

void run();

async function run(): Promise<void> {
  const { api } = await connect(kubeconfig, 'muster-bench');
  const specs = [...new Set([nodeSpec, lifecycleSpec, ...readiness.watches])];
  // What is loaded and compiled once belongs to no kind.
  for (const spec of specs) await fill(api, spec);
  kept.splice(0);
  for (const spec of specs) await weigh(resourceName(spec.selection.type), () => fill(api, spec));
  kept.splice(0);
  await weigh('all of them, and what is made of them', () => standBy(api));
  process.exit(0);
}

async function weigh(what: string, make: () => Promise<number>): Promise<void> {
  const before = bytesKept();
  const objects = await make();
  const row: HeldRow = { what, objects, bytes: bytesKept() - before };
  process.stdout.write(`${JSON.stringify(row)}\n`);
}

async function fill(api: KubeApi, spec: WatchSpec): Promise<number> {
  const sources = createCaches({ ...ports, api, specs: [spec] });
  kept.push(sources);
  sources.start();
  await until('everything is read', syncMsMax, () => (sources.unsynced().length === 0 ? true : undefined));
  sources.stop();
  return sources.of(spec).size;
}

async function standBy(api: KubeApi): Promise<number> {
  const operator = wireOperator({
    ...ports,
    api: withoutWrites(api),
    capabilities: [readiness],
    poolLabels: [],
    resyncMs: hourMs,
    identity: 'bench',
    lease: { namespace: 'default', name: 'muster-bench-held' },
    onLost: () => undefined,
  });
  kept.push(operator);
  operator.start();
  const { centre } = operator;
  await until('every node was looked at', syncMsMax, () =>
    operator.unsynced().length === 0 && centre.isReady() && centre.oldestVisitMs() === 0 && !centre.isBusy()
      ? true
      : undefined,
  );
  await pause(settleMs);
  return operator.store.count();
}

/** Who gets no Lease stands by. */
function withoutWrites(api: KubeApi): KubeApi {
  const refused = () => Promise.resolve({ kind: 'error', error: apiFailure('Forbidden') } as const);
  return {
    get: (...asked) => api.get(...asked),
    list: (...asked) => api.list(...asked),
    watch: (...asked) => api.watch(...asked),
    create: refused,
    replace: refused,
    patch: refused,
    delete: refused,
  };
}
