// What operators see of the reflectors: how each watch ended, and how often everything had to be fetched again.

import type { Counter, Metrics } from '../base/metrics.ts';

export type ReflectorMetrics = { readonly watchEnded: Counter; readonly relists: Counter };

export function reflectorMetrics(metrics: Metrics): ReflectorMetrics {
  return {
    watchEnded: metrics.counter({
      name: 'muster_watch_ended_total',
      help: 'Watches that ended, by reason; Closed is the ordinary one.',
      labels: ['resource', 'reason'],
    }),
    relists: metrics.counter({
      name: 'muster_relists_total',
      help: 'Full syncs after the first one.',
      labels: ['resource'],
    }),
  };
}
