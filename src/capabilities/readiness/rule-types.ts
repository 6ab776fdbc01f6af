// The resource types in which rules are written.

import { nodeReadinessGateRuleType, nodeReadinessRuleType } from '../../api/keys.ts';
import type { ResourceType } from '../../objects/ref.ts';
import type { Front } from './rule.ts';

export const ruleTypes: Readonly<Record<Front, ResourceType>> = {
  NodeReadinessGateRule: nodeReadinessGateRuleType,
  NodeReadinessRule: nodeReadinessRuleType,
};
