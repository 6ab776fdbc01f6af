// What a rule found of each condition, in the words of the API.

import type { NodeReadinessEvaluationStatus } from '../../api/node-readiness-evaluation.ts';
import type { NodeReadinessRuleStatus as UpstreamStatus } from '../../api/node-readiness-rule.ts';
import type { ConditionFinding, Finding } from './finding.ts';
import type { Rule } from '../../fleet/readiness-rule.ts';

type Results = NonNullable<NodeReadinessEvaluationStatus['conditionResults']>;
type UpstreamResults = NonNullable<UpstreamStatus['nodeEvaluations']>[number]['conditionResults'];

export function conditionResults({ requirements }: Rule, { conditions }: Finding): Results {
  return requirements.map(({ type, required }, index) => {
    const { current, mark } = conditions[index] ?? unseen;
    return {
      type,
      currentStatus: current,
      requiredStatus: required,
      satisfied: mark === 'met' || mark === 'defaulted',
      missing: mark === 'missing' || mark === 'defaulted',
    };
  });
}

/** As users of kubernetes-sigs' controller know them: a field more would be pruned by its definition, and written for ever. */
export function upstreamConditionResults({ requirements }: Rule, { conditions }: Finding): UpstreamResults {
  return requirements.map(({ type, required, fallback }, index) => ({
    type,
    currentStatus: (conditions[index] ?? unseen).current,
    requiredStatus: required,
    defaultStatus: fallback,
  }));
}

const unseen: ConditionFinding = { current: 'Unknown', mark: 'missing' };
