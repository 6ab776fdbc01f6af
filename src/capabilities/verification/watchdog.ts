// Nodes that are not verified and do not move although nothing is in their way: then it is we who have stalled. Says so, and
// never acts on it.

import type { Instant } from '../../base/clock.ts';
import type { Metrics } from '../../base/metrics.ts';
import { parseTime } from '../../base/timestamp.ts';
import type { Reason } from '../../api/reasons.ts';
import { verificationOf, type VerificationRecord } from '../../fleet/lifecycle.ts';
import type { NodeView } from '../../objects/node.ts';
import type { FleetView } from '../../runtime/capability.ts';
import { policyFor } from './gather.ts';
import { capabilityName, type Policy } from './policy.ts';
import type { VerificationSpecs } from './specs.ts';

export type WatchdogOptions = {
  readonly specs: VerificationSpecs;
  readonly fallback: Policy | null;
  readonly stalledAfterMs: number;
};

/** What a node can wait for as long as it takes. What ends by itself within minutes is no explanation. */
const explanations: ReadonlySet<string> = new Set<Reason>([
  'NodeNotReady',
  'StartupTaint',
  'NotRegistered',
  'RequirementMissing',
  'NodeInUse',
  'ManualOverride',
  'VerificationSuspended',
  'PolicyRefused',
  'NotOnboarded',
  'WorkerSlotsSpent',
  'WorkerRateSpent',
  'WorkerImageUnavailable',
  'VerificationGivenUp',
  'DeletionHeld',
]);

/** The names of nodes that should have moved by now. */
export function stalledNodes(view: FleetView, options: WatchdogOptions): readonly string[] {
  const { specs, stalledAfterMs } = options;
  const since = view.leadsSince();
  // A standby moves nothing, and a new leader needs its time.
  if (since === null || view.now() - since < stalledAfterMs) return [];
  const lifecycles = view.caches.of(specs.lifecycles);
  const isStalled = (node: NodeView): boolean => {
    const lifecycle = lifecycles.get(node.name);
    const state = lifecycle?.nodeUID === node.uid ? lifecycle.verificationState : '';
    if (state === 'verified' || state === 'failed' || state === 'deleting') return false;
    const said = view.store.get(node.name)?.verdicts.filter(isOurs) ?? [];
    if (said.some(({ reason }) => explanations.has(reason))) return false;
    const policy = policyFor(node, view.caches.of(specs.policies).values()) ?? options.fallback;
    if (policy === null) return false;
    const record = verificationOf(lifecycle, node.uid);
    const runsMs = state === 'in_progress' ? policy.workerTimeoutMs : 0;
    return view.now() - movedAt(node, record) >= stalledAfterMs + runsMs;
  };
  return [...view.caches.of(specs.nodes).values()].filter(isStalled).map(({ name }) => name);
}

function isOurs({ capability }: { readonly capability: string }): boolean {
  return capability === capabilityName;
}

function movedAt(
  { creationTimestamp }: NodeView,
  { createdAt, lastAttemptAt, startedAt, attemptEndedAt }: Partial<VerificationRecord> = {},
): Instant {
  const times = [creationTimestamp, createdAt, lastAttemptAt, startedAt, attemptEndedAt];
  return Math.max(...times.map((time) => parseTime(time) ?? 0));
}

const NAMES_MAX = 3;

export function stallProblem(view: FleetView, options: WatchdogOptions): string | null {
  const names = stalledNodes(view, options);
  if (names.length === 0) return null;
  const more = names.length > NAMES_MAX ? ` and ${names.length - NAMES_MAX} more` : '';
  const minutes = Math.floor(options.stalledAfterMs / 60_000);
  return `not verified, and nothing explains why they have not moved for ${minutes} minutes: ${names.slice(0, NAMES_MAX).join(', ')}${more}`;
}

const openStates: ReadonlySet<string> = new Set(['unverified', 'pending', 'in_progress']);

/** How long it takes, at worst, and whether it still goes on: two figures to be woken by. */
export function measureWaiting(metrics: Metrics, view: FleetView, options: WatchdogOptions): void {
  const oldest = metrics.gauge({
    name: 'muster_verification_oldest_unverified_seconds',
    help: 'How long the node has waited that has waited longest to be verified; 0 when none waits',
  });
  const stalled = metrics.gauge({
    name: 'muster_verification_stalled_nodes',
    help: 'Nodes that are not verified and have not moved, and nothing explains why',
  });
  metrics.beforeScrape(() => {
    let since = view.now();
    for (const lifecycle of view.caches.of(options.specs.lifecycles).values()) {
      if (!openStates.has(lifecycle.verificationState)) continue;
      const record = verificationOf(lifecycle, lifecycle.nodeUID);
      if (record?.reason !== 'ManualOverride') since = Math.min(since, parseTime(record?.createdAt) ?? since);
    }
    oldest.set((view.now() - since) / 1000);
    stalled.set(stalledNodes(view, options).length);
  });
}
