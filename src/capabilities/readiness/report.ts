// The status of a rule, computed whole from the tally. Times move only when what they speak of does, so that an unchanged
// status is never written again.

import { canonical } from '../../base/hash.ts';
import { formatTime } from '../../base/timestamp.ts';
import { readinessLimits as limits } from '../../api/readiness-vocabulary.ts';
import { bytesOf, cut, shed } from '../../fleet/bounds.ts';
import { type GateRuleStatus, isApplied, type ReportFacts } from './report-facts.ts';
import { ruleConditions } from './rule-conditions.ts';
import type { NodeVerdict, Tally } from './tally.ts';

export function gateRuleStatus(facts: ReportFacts): GateRuleStatus {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the API server checked it against this very schema
  const previous = JSON.parse(facts.view.statusText) as GateRuleStatus;
  const failedNodes = failedNodesOf(facts.tally).map(({ nodeName, verdict: { reason, message } }) => {
    const words = { nodeName, reason, message: cut(message, limits.failureMessageLengthMax) };
    const before = previous.failedNodes?.find((each) => each.nodeName === nodeName);
    const isSame = before?.reason === words.reason && before.message === words.message;
    return { ...words, lastUpdated: isSame ? before.lastUpdated : formatTime(facts.now) };
  });
  return withFailures(shared(facts, previous), failedNodes, facts.tally);
}

/** All are counted, and as many are listed as there is room for. */
export function withFailures<S extends object, F>(
  status: S,
  failedNodes: readonly F[],
  { failed }: Tally,
): S | (S & { readonly failedNodes: readonly F[]; readonly failedNodeCount: number }) {
  if (failedNodes.length === 0) return status;
  const whole = { ...status, failedNodes, failedNodeCount: failed.length };
  return { ...whole, failedNodes: shed(failedNodes, bytesOf(whole) - limits.statusBytesMax).kept };
}

/** What both kinds report alike. */
export function shared(
  facts: ReportFacts,
  previous: Pick<GateRuleStatus, 'observedGeneration' | 'summary' | 'conditions'>,
): Pick<GateRuleStatus, 'observedGeneration' | 'summary' | 'conditions' | 'dryRunResults'> {
  const { view, tally } = facts;
  const observedGeneration = isApplied(facts) ? view.generation : previous.observedGeneration;
  return {
    ...(observedGeneration === undefined ? {} : { observedGeneration }),
    conditions: ruleConditions(facts, previous.conditions ?? []),
    summary: summaryOf(facts, previous.summary),
    ...(view.rule?.isDryRun ? { dryRunResults: dryRunOf(tally) } : {}),
  };
}

export function failedNodesOf({ failed }: Tally): readonly NodeVerdict[] {
  return failed.toSorted((a, b) => (a.nodeName < b.nodeName ? -1 : 1)).slice(0, limits.failedNodesMax);
}

type Summary = NonNullable<GateRuleStatus['summary']>;

function summaryOf({ view, tally, now }: ReportFacts, previous: Summary | undefined): Summary {
  const summaries = (view.rule?.requirements ?? []).map(({ type }, index) => ({
    type,
    nodesSatisfied: tally.conditions[index]?.satisfied ?? 0,
    nodesUnsatisfied: tally.conditions[index]?.unsatisfied ?? 0,
    nodesMissing: tally.conditions[index]?.missing ?? 0,
  }));
  const counts = {
    totalApplicableNodes: tally.total,
    nodesWithTaint: tally.withTaint,
    nodesWithoutTaint: tally.total - tally.withTaint,
    nodesReady: tally.ready,
    nodesNotReady: tally.notReady,
    nodesUnknown: tally.unknown,
    ...(view.rule?.mode === 'bootstrap-only' ? { bootstrapCompletedNodes: tally.bootstrapped } : {}),
    ...(tally.held.length === 0
      ? {}
      : { heldNodes: new Set(tally.held.map(({ nodeName }) => nodeName)).size }),
    conditionSummaries: shed(summaries, bytesOf(summaries) - limits.conditionSummariesBytesMax).kept,
  };
  const { lastUpdated, ...before } = previous ?? {};
  const isSame = lastUpdated !== undefined && canonical(before) === canonical(counts);
  return { ...counts, lastUpdated: isSame ? lastUpdated : formatTime(now) };
}

function dryRunOf(tally: Tally): NonNullable<GateRuleStatus['dryRunResults']> {
  const { wouldAdd, wouldRemove, lacking, total } = tally;
  const phrases = [
    ...phrase(wouldAdd, 'would get the taint'),
    ...phrase(wouldRemove, 'would lose it'),
    ...(lacking === 0 ? [] : [`${lacking} lack a condition`]),
  ];
  return {
    affectedNodes: total,
    taintsToAdd: wouldAdd.length,
    taintsToRemove: wouldRemove.length,
    riskyOperations: lacking,
    summary: cut(phrases.join(', ') || 'No changes needed', limits.dryRunSummaryLengthMax),
  };
}

function phrase(names: readonly string[], words: string): readonly string[] {
  if (names.length === 0) return [];
  const sample = names.toSorted().slice(0, limits.dryRunSampleMax).join(', ');
  const more = names.length > limits.dryRunSampleMax ? ', ...' : '';
  return [`${names.length} ${words} (${sample}${more})`];
}
