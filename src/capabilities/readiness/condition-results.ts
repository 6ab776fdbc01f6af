// What a rule found of each condition, in the words of the API.

import type { NodeReadinessEvaluationStatus } from '../../api/node-readiness-evaluation.ts';
import type { Finding } from './finding.ts';
import type { Rule } from '../../fleet/readiness-rule.ts';

type Results = NonNullable<NodeReadinessEvaluationStatus['conditionResults']>;

export function conditionResults({ requirements }: Rule, { conditions }: Finding): Results {
  return requirements.map(({ type, required }, index) => {
    const { current, mark } = conditions[index] ?? { current: 'Unknown', mark: 'missing' };
    return {
      type,
      currentStatus: current,
      requiredStatus: required,
      satisfied: mark === 'met' || mark === 'defaulted',
      missing: mark === 'missing' || mark === 'defaulted',
    };
  });
}
