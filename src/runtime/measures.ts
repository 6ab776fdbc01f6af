// What the centre shows of itself, computed when it is scraped. Never a node's name as a label.

import { stages } from '../api/lifecycle-vocabulary.ts';
import type { Metrics } from '../base/metrics.ts';
import type { LifecycleView } from '../fleet/lifecycle.ts';
import type { NodeStateStore } from '../fleet/store.ts';
import type { Brake } from './brake.ts';
import type { Cache } from './ports.ts';
import type { Rejections } from './rejections.ts';
import type { Turnstile } from './turnstile.ts';
import type { WorkerSlots } from './worker-slots.ts';

export type Measured = {
  readonly lifecycles: Cache<LifecycleView>;
  readonly store: NodeStateStore;
  readonly rejections: Rejections;
  readonly turnstile: Turnstile;
  readonly brake: Brake;
  readonly slots: WorkerSlots;
};

export function measureCentre(
  metrics: Metrics,
  { lifecycles, store, rejections, turnstile, brake, slots }: Measured,
): void {
  const nodes = metrics.gauge({
    name: 'muster_nodes',
    help: 'Nodes by stage of their life',
    labels: ['stage'],
  });
  const known = metrics.gauge({ name: 'muster_node_states', help: 'Nodes in the central state' });
  const rejected = metrics.gauge({
    name: 'muster_rejected_nodes',
    help: 'Nodes with a wish that the API server refused',
  });
  const held = metrics.gauge({ name: 'muster_held_writes', help: 'Writes held until others are done' });
  const heldGates = metrics.gauge({
    name: 'muster_held_gates',
    help: 'Nodes that would be gated and are held back by the brake',
  });
  const workers = metrics.gauge({
    name: 'muster_workers',
    help: 'Nodes with a place for a worker, and nodes that wait for one',
    labels: ['state'],
  });
  metrics.beforeScrape(() => {
    workers.set(slots.inFlight(), { state: 'running' });
    workers.set(slots.waiting(), { state: 'waiting' });
    heldGates.set(brake.heldCount());
    const counts = new Map<string, number>(stages.map((stage) => [stage, 0]));
    for (const view of lifecycles.values()) {
      if (view.stage !== '') counts.set(view.stage, (counts.get(view.stage) ?? 0) + 1);
    }
    for (const [stage, count] of counts) nodes.set(count, { stage });
    known.set(store.count());
    rejected.set(rejections.count());
    held.set(turnstile.heldCount());
  });
}
