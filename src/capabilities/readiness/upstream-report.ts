// The status of a NodeReadinessRule: what both kinds report, and the lists by node that its users know, while there are few
// enough nodes to list.

import { canonical } from '../../base/hash.ts';
import { formatTime } from '../../base/timestamp.ts';
import type { NodeReadinessRuleStatus as UpstreamStatus } from '../../api/node-readiness-rule.ts';
import { readinessLimits as limits } from '../../api/readiness-vocabulary.ts';
import { cut } from '../../fleet/bounds.ts';
import type { NodeStateStore } from '../../fleet/store.ts';
import { upstreamConditionResults } from './condition-results.ts';
import type { Finding } from './finding.ts';
import { failedNodesOf, shared, withFailures } from './report.ts';
import { areNodesListed, type ReportFacts } from './report-facts.ts';
import type { Rule } from '../../fleet/readiness-rule.ts';
import { failureIn, findingIn } from './tally.ts';

type Named = { readonly nodeName: string; readonly finding: Finding; readonly isApplied: boolean };

export function upstreamStatus(facts: ReportFacts, store: NodeStateStore): UpstreamStatus {
  const { view, tally, now } = facts;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the API server checked it against this very schema
  const previous = JSON.parse(view.statusText) as UpstreamStatus;
  const failedNodes = failedNodesOf(tally).map(({ nodeName, verdict: { reason, message } }) => {
    const words = { nodeName, reason, message: cut(message || reason, limits.failureMessageLengthMax) };
    const before = previous.failedNodes?.find((each) => each.nodeName === nodeName);
    const isSame = before?.reason === words.reason && before.message === words.message;
    return { ...words, lastEvaluationTime: isSame ? before.lastEvaluationTime : formatTime(now) };
  });
  return {
    ...withFailures(shared(facts, previous), failedNodes, tally),
    ...(!areNodesListed(facts) || view.rule === null
      ? {}
      : listsOf(view.rule, namedFindings(facts, store), { previous, now: formatTime(now) })),
  };
}

function namedFindings({ view }: ReportFacts, store: NodeStateStore): readonly Named[] {
  const found: Named[] = [];
  store.range((state) => {
    const finding = findingIn(state, view.owner);
    const isApplied = finding !== null && !finding.isPending && failureIn(state, view.owner) === null;
    if (finding !== null) found.push({ nodeName: state.name, finding, isApplied });
    return true;
  });
  return found.sort((a, b) => (a.nodeName < b.nodeName ? -1 : 1));
}

function listsOf(
  rule: Rule,
  named: readonly Named[],
  { previous, now }: { readonly previous: UpstreamStatus; readonly now: string },
): Pick<UpstreamStatus, 'appliedNodes' | 'nodeEvaluations'> {
  if (named.length === 0) return {};
  const before = new Map(previous.nodeEvaluations?.map((each) => [each.nodeName, each]));
  return {
    appliedNodes: named.filter(({ isApplied }) => isApplied).map(({ nodeName }) => nodeName),
    nodeEvaluations: named.map(({ nodeName, finding }) => {
      const said = {
        nodeName,
        conditionResults: upstreamConditionResults(rule, finding),
        taintStatus: finding.hasTaint ? ('Present' as const) : ('Absent' as const),
      };
      const { lastEvaluationTime, ...earlier } = before.get(nodeName) ?? {};
      const isSame = lastEvaluationTime !== undefined && canonical(earlier) === canonical(said);
      return { ...said, lastEvaluationTime: isSame ? lastEvaluationTime : now };
    }),
  };
}
