// What the status of a rule is computed from.

import type { Instant } from '../../base/clock.ts';
import type { NodeReadinessGateRuleStatus } from '../../api/node-readiness-gate-rule.ts';
import type { RuleView } from '../../fleet/readiness-rule.ts';
import { readinessLimits as limits } from '../../api/readiness-vocabulary.ts';
import type { Disorder } from './policies/predecessors.ts';
import type { Tally } from './tally.ts';

export type GateRuleStatus = NodeReadinessGateRuleStatus;

export type ReportFacts = {
  readonly view: RuleView;
  readonly tally: Tally;
  /** Nodes that the selector matches now. */
  readonly selectedCount: number;
  /** What makes no sense about its place among the rules; null when nothing does. */
  readonly disorder: Disorder | null;
  readonly now: Instant;
};

/** Every node that the rule selects was evaluated since its last change, and is as the rule wants it. */
export function isApplied({ view, tally, selectedCount }: ReportFacts): boolean {
  return (
    view.rule !== null && tally.total === selectedCount && tally.unapplied === 0 && tally.failed.length === 0
  );
}

/** There is room for a list of all nodes: of those that were looked at, and of those that are still to come. */
export function areNodesListed({ tally, selectedCount }: ReportFacts): boolean {
  return Math.max(tally.total, selectedCount) <= limits.listedNodesMax;
}
