// The kinds that Muster defines, in the order in which they are installed and documented. To add one: a file and a line.

import type { KindDefinition } from './crd.ts';
import { disruptionPolicyKind } from './disruption-policy.ts';
import { nodeLifecycleKind } from './node-lifecycle.ts';
import { nodeReadinessEvaluationKind } from './node-readiness-evaluation.ts';
import { nodeReadinessGateRuleKind } from './node-readiness-gate-rule.ts';
import { nodeReadinessRuleKind } from './node-readiness-rule.ts';
import { nodeVerificationKind } from './node-verification.ts';

export const kinds: readonly KindDefinition[] = [
  nodeLifecycleKind,
  disruptionPolicyKind,
  nodeReadinessGateRuleKind,
  nodeReadinessEvaluationKind,
  nodeReadinessRuleKind,
  nodeVerificationKind,
];
