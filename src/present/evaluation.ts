// What a rule found on a node, as its NodeReadinessEvaluation says it, and to which group of the rule's nodes that makes it
// belong. The evaluation is the operator's own word: nothing is decided here a second time.

import { parseTime } from '../base/timestamp.ts';
import type { Instant } from '../base/clock.ts';
import type { Reason } from '../api/reasons.ts';
import { type Front, fronts, type RuleView } from '../fleet/readiness-rule.ts';
import { fieldsOf, type RawObject, recordsIn, textOf } from '../objects/raw.ts';

export type ConditionResult = {
  readonly type: string;
  readonly current: string;
  readonly required: string;
  readonly isMet: boolean;
  readonly isMissing: boolean;
};

export type Evaluation = {
  readonly front: Front | null;
  readonly nodeName: string;
  readonly generation: number;
  readonly results: readonly ConditionResult[];
  readonly isMet: boolean;
  readonly hasTaint: boolean;
  readonly reason: string;
  /** When what it says last changed; null before anything was said. */
  readonly since: Instant | null;
  /** What went wrong; empty when nothing did. */
  readonly error: string;
};

export function readEvaluation(raw: RawObject): Evaluation {
  const metadata: Readonly<Record<string, unknown>> = raw.metadata ?? {};
  const [owner] = recordsIn(metadata['ownerReferences']);
  const spec = fieldsOf(raw.spec);
  const status = fieldsOf(raw.status);
  const generation = spec['ruleGeneration'];
  return {
    front: fronts.find((front) => front === owner?.['kind']) ?? null,
    nodeName: textOf(spec['nodeName']),
    generation: typeof generation === 'number' ? generation : 0,
    results: recordsIn(status['conditionResults']).map((result) => ({
      type: textOf(result['type']),
      current: textOf(result['currentStatus']),
      required: textOf(result['requiredStatus']),
      isMet: result['satisfied'] === true,
      isMissing: result['missing'] === true,
    })),
    isMet: status['allConditionsSatisfied'] === true,
    hasTaint: status['taintStatus'] === 'Present',
    reason: textOf(status['reason']),
    since: parseTime(textOf(status['lastEvaluated'])),
    error: textOf(status['lastError']),
  };
}

/** In the order in which people want to hear of them. */
export const nodeGroups = [
  'failing',
  'held',
  'gated',
  'waiting',
  'outdated',
  'dryRun',
  'done',
  'free',
] as const;
export type NodeGroup = (typeof nodeGroups)[number];

/** Nodes that the rule does not let go, or cannot. */
export const heldBack = ['failing', 'held', 'gated'] as const satisfies readonly NodeGroup[];

const waitingReasons: ReadonlySet<string> = new Set([
  'Stabilizing',
  'WaitingForRules',
  'RuleSuspended',
  'PeerPresent',
] satisfies readonly Reason[]);

/** An evaluation is not written while its node is: what lacks a taint that the rule wants there is held back. */
export function groupOf(evaluation: Evaluation, { generation, rule }: RuleView): NodeGroup {
  const { error, reason, isMet, hasTaint } = evaluation;
  if (error !== '') return 'failing';
  if (evaluation.generation !== generation || reason === '') return 'outdated';
  if (rule?.isDryRun) return 'dryRun';
  if (waitingReasons.has(reason)) return 'waiting';
  if (reason === ('BootstrapCompleted' satisfies Reason)) return 'done';
  if (isMet) return hasTaint ? 'waiting' : 'free';
  return hasTaint ? 'gated' : 'held';
}

export type Grouped = ReadonlyMap<NodeGroup, readonly Evaluation[]>;

/** Within a group those that have been so for the longest time come first. */
export function groupNodes(evaluations: readonly Evaluation[], view: RuleView): Grouped {
  const sorted = evaluations.toSorted(
    (a, b) => (a.since ?? 0) - (b.since ?? 0) || (a.nodeName < b.nodeName ? -1 : 1),
  );
  const grouped = Map.groupBy(sorted, (evaluation) => groupOf(evaluation, view));
  return new Map(
    nodeGroups.flatMap((group) => (grouped.has(group) ? [[group, grouped.get(group) ?? []]] : [])),
  );
}
