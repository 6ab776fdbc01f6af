// The closed lists and defaults of DisruptionPolicy, for code that runs. Without a policy the same defaults hold and
// destructive acts are paused.

/** Each includes the ones before it. */
export const authorities = ['observe', 'gate', 'act'] as const;

/** What takes a reservation in the ledger before it happens. */
export const destructiveActions = ['Delete', 'NoExecute', 'Drain'] as const;

export const disruptionDefaults = {
  authority: 'gate',
  /** Newly gated nodes of one pool: the larger of the two. */
  gating: { percent: 25, nodes: 10 },
  /** Nodes of one pool that carry a NoExecute taint of ours: the larger of the two. */
  noExecute: { percent: 10, nodes: 1 },
  /** Nodes disrupted at the same time, in each pool, in each zone and in the cluster: the smaller of the two. */
  budget: { percent: 10, nodes: 5 },
  deletion: {
    perPool: { nodes: 1, period: '10m' },
    perCluster: { nodes: 3, period: '1h' },
    percentPerDay: 10,
  },
} as const;
