// What operators see of the caches, computed at each scrape. Two caches of one kind are counted together: the sum of
// their objects, the worst of their ages.

import type { Metrics } from '../base/metrics.ts';
import type { ObjectCache } from './cache.ts';
import type { Reflector } from './reflector.ts';
import { phases } from './reflector-state.ts';

export type WatchedKind = {
  readonly resource: string;
  readonly cache: ObjectCache;
  readonly reflector: Reflector;
};

export function reportCaches(metrics: Metrics, kinds: readonly WatchedKind[]): void {
  const objects = metrics.gauge({
    name: 'muster_cache_objects',
    help: 'Objects held in memory.',
    labels: ['resource'],
  });
  const age = metrics.gauge({
    name: 'muster_cache_age_seconds',
    help: 'Time since the API server last said anything about this kind.',
    labels: ['resource'],
  });
  const state = metrics.gauge({
    name: 'muster_reflector_state',
    help: 'How many watches of this kind are in this state.',
    labels: ['resource', 'state'],
  });
  metrics.beforeScrape(() => {
    for (const [resource, group] of Map.groupBy(kinds, (kind) => kind.resource)) {
      const statuses = group.map(({ reflector }) => reflector.status());
      const count = group.reduce((sum, { cache }) => sum + cache.size, 0);
      objects.set(count, { resource });
      age.set(Math.max(...statuses.map(({ silentForMs }) => silentForMs)) / 1000, { resource });
      for (const phase of phases) {
        state.set(statuses.filter((status) => status.state === phase).length, { resource, state: phase });
      }
    }
  });
}
