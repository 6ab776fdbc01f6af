// NodeReadinessEvaluation: what one rule found on one node. Written only when what it says changes. Schema and types; code
// that runs imports the types only.

import type { KindDefinition } from './crd.ts';
import { nodeReadinessEvaluationType } from './keys.ts';
import { conditionRequirement, conditionResult, nodeName } from './readiness-schema.ts';
import { readinessLimits as limits, taintStatuses } from './readiness-vocabulary.ts';
import {
  atomicList,
  type CelRule,
  type Described,
  enumOf,
  flag,
  keyLengthMax,
  labelLengthMax,
  nameLengthMax,
  object,
  optional,
  text,
  time,
  whole,
} from './schema.ts';

// It is found by its name, which is made of these two.
const immutable: CelRule = { rule: 'self == oldSelf', message: 'is immutable' };

const spec = object('Which rule, which node.', {
  ruleName: text('The name of the rule.', { min: 1, max: nameLengthMax, rules: [immutable] }),
  nodeName: nodeName('The name of the node.', [immutable]),
  ruleGeneration: whole('The generation of the rule that was evaluated.', { min: 0, format: 'int64' }),
  conditions: optional(
    atomicList('Unwritten: the rule has them.', conditionRequirement, { max: limits.conditionsMax }),
  ),
  taint: optional(
    object('Unwritten: the rule has it.', {
      key: text('The key of the taint.', { max: keyLengthMax }),
      effect: text('The effect of the taint.', { max: labelLengthMax }),
      value: optional(text('The value of the taint.', { max: labelLengthMax })),
    }),
  ),
});

const status = object('What was found. Written by the operator alone.', {
  conditionResults: optional(
    atomicList('What was found of each condition.', conditionResult, { max: limits.conditionsMax }),
  ),
  allConditionsSatisfied: optional(flag('Whether the requirements of the rule are met.')),
  taintStatus: optional(enumOf('Whether the node carries the taint of the rule.', taintStatuses)),
  reason: optional(text('Why the node is as it is.', { max: labelLengthMax })),
  lastEvaluated: optional(time('When what is said here last changed.')),
  evaluationCount: optional(
    whole('Evaluations of the node until then, by the operator that wrote it.', { min: 0 }),
  ),
  lastError: optional(
    text('What went wrong last; absent when nothing is wrong.', { max: limits.errorLengthMax }),
  ),
  lastErrorTime: optional(time('When that was last written.')),
  consecutiveErrors: optional(
    whole('Unwritten: errors are told when they begin and when they end.', { min: 0 }),
  ),
});

export type NodeReadinessEvaluationSpec = Described<typeof spec>;
export type NodeReadinessEvaluationStatus = Described<typeof status>;

export const nodeReadinessEvaluationKind: KindDefinition = {
  type: nodeReadinessEvaluationType,
  olderVersions: [
    {
      name: 'v1alpha1',
      deprecationWarning:
        'nodereadiness.io/v1alpha1 NodeReadinessEvaluation is deprecated; use nodereadiness.io/v1alpha2',
    },
  ],
  shortNames: ['nre', 'nodereadinesseval'],
  description: 'What one readiness rule found on one node. Muster writes it; read it freely.',
  spec,
  status,
  rules: [],
  columns: [
    { name: 'Node', type: 'string', description: 'The node.', jsonPath: '.spec.nodeName' },
    { name: 'Rule', type: 'string', description: 'The rule.', jsonPath: '.spec.ruleName' },
    {
      name: 'Taint',
      type: 'string',
      description: 'Whether the taint is there.',
      jsonPath: '.status.taintStatus',
    },
    {
      name: 'Ready',
      type: 'boolean',
      description: 'Whether the requirements are met.',
      jsonPath: '.status.allConditionsSatisfied',
    },
    { name: 'Reason', type: 'string', description: 'Why.', jsonPath: '.status.reason', priority: 1 },
    {
      name: 'Age',
      type: 'date',
      description: 'Age of this object.',
      jsonPath: '.metadata.creationTimestamp',
    },
  ],
  selectableFields: ['.spec.nodeName', '.spec.ruleName'],
};
