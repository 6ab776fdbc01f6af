// What metrics are told of visits of nodes and of writes that did not succeed. Decides nothing.

import type { Verdict } from '../../fleet/node-state.ts';
import type { NodeHindered, NodeVisited } from '../../runtime/capability.ts';
import { type Finding, findingOf } from './finding.ts';
import type { ReadinessMetrics } from './metrics.ts';
import { parseOwner } from '../../fleet/readiness-rule.ts';
import { type ReadinessSpecs, rulesIn } from './specs.ts';

export function createVisited(specs: ReadinessSpecs, metrics: ReadinessMetrics) {
  return ({ before, verdicts, caches, tookMs, now }: NodeVisited): void => {
    for (const verdict of verdicts) {
      const finding = findingOf(verdict);
      const owner = parseOwner(verdict.parent);
      if (finding === null || owner === null) continue;
      metrics.evaluated(owner.name, tookMs, now);
      const { requirements = [] } = rulesIn(caches, specs, owner.front).get(owner.name)?.rule ?? {};
      const earlier = findingIn(before, verdict.parent);
      for (const [index, { type }] of requirements.entries())
        if (isFailing(finding, index) && !isFailing(earlier, index))
          metrics.conditionFailed(owner.name, type);
    }
  };
}

function findingIn(verdicts: readonly Verdict[], parent: string): Finding | null {
  const verdict = verdicts.find((each) => each.parent === parent && each.detail !== undefined);
  return verdict === undefined ? null : findingOf(verdict);
}

function isFailing(finding: Finding | null, index: number): boolean {
  const mark = finding?.conditions[index]?.mark;
  return mark === 'unmet' || mark === 'missing' || mark === 'stale';
}

export function createHindered(metrics: ReadinessMetrics) {
  return ({ changes, by }: NodeHindered): void => {
    for (const { kind, owner, to } of changes) {
      const { name } = parseOwner(owner) ?? { name: owner };
      const operation = to === undefined ? 'remove' : 'add';
      if (by === 'failure') metrics.failed(name, kind === 'annotations' ? 'mark' : operation);
      else if (kind === 'taints') metrics.conflicted(name, operation);
    }
  };
}
