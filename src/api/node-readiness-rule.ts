// NodeReadinessRule: the rule of kubernetes-sigs' node-readiness-controller, field by field, with a summary in its status.
// Everything but dryRun is immutable. Schema and types; code that runs imports the types only.

import type { KindDefinition } from './crd.ts';
import { nodeReadinessRuleType, readinessTaintPrefix } from './keys.ts';
import {
  conditionRequirement,
  dryRunResults,
  nodeListMax,
  nodeName,
  nodeSelector,
  observedGeneration,
  requirementRules,
  ruleConditions,
  summary,
  upstreamConditionResult,
} from './readiness-schema.ts';
import {
  conditionPolicies,
  enforcementModes,
  readinessLimits as limits,
  ruleShortNames,
  ruleTaintEffects,
} from './readiness-vocabulary.ts';
import {
  type CelRule,
  type Described,
  enumOf,
  flag,
  labelLengthMax,
  labelValuePattern,
  listMap,
  nameLengthMax,
  object,
  optional,
  setOf,
  text,
  time,
  whole,
} from './schema.ts';

/** Of the whole key, its prefix included, which leaves less for the prefix than Kubernetes does. */
const upstreamKeyLengthMax = 253;

const immutable = (field: string): CelRule => ({ rule: 'self == oldSelf', message: `${field} is immutable` });

const namePart = "self.split('/')[1]";
const whereItHasAName = "self.split('/').size() != 2 || ";
const keyWords =
  "alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";

/** Longer texts are taken than are valid: only so far does a rule come to say what is wrong with them. */
const spoken = { key: 512, value: 512, effect: 64 } as const;

const taintKeyRules: readonly CelRule[] = [
  {
    rule: `self.startsWith('${readinessTaintPrefix}')`,
    message: `taint key must start with '${readinessTaintPrefix}'`,
  },
  {
    rule: `size(self) <= ${upstreamKeyLengthMax}`,
    message: `taint key length must be at most ${upstreamKeyLengthMax} characters`,
  },
  {
    rule: "self.split('/').size() == 2",
    message: "taint key must have exactly one '/' separator (prefix/name format)",
  },
  {
    rule: `${whereItHasAName}(size(${namePart}) >= 1 && size(${namePart}) <= ${labelLengthMax})`,
    message: `taint key name part must be 1-${labelLengthMax} characters`,
  },
  {
    rule: `${whereItHasAName}${namePart}.matches('^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$')`,
    message: `taint key name part must consist of ${keyWords}`,
  },
  immutable('taint key'),
];

const taintValueRules: readonly CelRule[] = [
  {
    rule: `size(self) <= ${labelLengthMax}`,
    message: `taint value length must be at most ${labelLengthMax} characters`,
  },
  { rule: `self.matches('${labelValuePattern}')`, message: `taint value must consist of ${keyWords}` },
];

const effects = ruleTaintEffects.map((effect) => `'${effect}'`).join(', ');

const taint = object(
  'The taint that a node carries until it is ready.',
  {
    key: text('The key of the taint.', { max: spoken.key, rules: taintKeyRules }),
    value: optional(text('The value of the taint.', { max: spoken.value, rules: taintValueRules })),
    effect: text(`What it does to pods that do not tolerate it: ${ruleTaintEffects.join(', ')}.`, {
      max: spoken.effect,
      rules: [
        { rule: `self in [${effects}]`, message: `taint effect must be one of ${effects}` },
        immutable('taint effect'),
      ],
    }),
    timeAdded: optional(time('Accepted and not used.')),
  },
  {
    rules: [
      {
        rule: '!has(oldSelf.value) || (has(self.value) && self.value == oldSelf.value)',
        message: 'taint value is immutable',
      },
    ],
  },
);

const spec = object(
  'What is asked of nodes, of which nodes, and what they carry until then.',
  {
    conditions: listMap('The conditions that are required.', conditionRequirement, {
      key: 'type',
      min: 1,
      max: limits.conditionsMax,
      rules: [immutable('conditions')],
    }),
    conditionPolicy: optional(
      enumOf('Whether all or any of them are; allOf when absent.', conditionPolicies),
    ),
    enforcementMode: enumOf(
      'Whether a node is gated once, until it is ready for the first time, or whenever it is not ready.',
      enforcementModes,
      { rules: [immutable('enforcementMode')] },
    ),
    taint,
    nodeSelector: nodeSelector('The nodes that the rule is about.', [immutable('nodeSelector')]),
    dryRun: optional(flag('Only say what would be done.')),
  },
  {
    rules: [
      {
        rule: "(has(self.conditionPolicy) ? self.conditionPolicy : 'allOf') == (has(oldSelf.conditionPolicy) ? oldSelf.conditionPolicy : 'allOf')",
        message: 'conditionPolicy is immutable',
      },
      ...requirementRules,
    ],
  },
);

const nodeFailure = object('A node on which the rule could not be applied.', {
  nodeName: nodeName('The name of the node.'),
  reason: optional(text('Why.', { min: 1, max: 256 })),
  message: optional(text('The same in words.', { min: 1, max: 10_240 })),
  lastEvaluationTime: time('Since when it fails like this.'),
});

const nodeEvaluation = object('What was found on one node.', {
  nodeName: nodeName('The name of the node.'),
  conditionResults: listMap('What was found of each condition.', upstreamConditionResult, {
    key: 'type',
    max: nodeListMax,
  }),
  taintStatus: enumOf('Whether the node carries the taint.', ['Present', 'Absent']),
  lastEvaluationTime: time('When what is said here last changed.'),
});

const status = object(
  'What became of the rule. Written by the operator alone.',
  {
    observedGeneration: optional(observedGeneration),
    appliedNodes: optional(
      setOf(
        'Nodes on which the rule is applied, while it selects at most 100.',
        text('The name of a node.', { max: nameLengthMax }),
        { max: nodeListMax },
      ),
    ),
    failedNodes: optional(
      listMap('Nodes on which the rule could not be applied; we list at most 20 of them.', nodeFailure, {
        key: 'nodeName',
        max: nodeListMax,
      }),
    ),
    nodeEvaluations: optional(
      listMap('What was found on each node, while the rule selects at most 100.', nodeEvaluation, {
        key: 'nodeName',
        max: nodeListMax,
      }),
    ),
    dryRunResults: optional(dryRunResults),
    summary: optional(summary),
    conditions: optional(ruleConditions),
    failedNodeCount: optional(whole('How many nodes failed.', { min: 0 })),
  },
  { minProperties: 1 },
);

export type NodeReadinessRuleStatus = Described<typeof status>;

export const nodeReadinessRuleKind: KindDefinition = {
  type: nodeReadinessRuleType,
  shortNames: [ruleShortNames.NodeReadinessRule],
  description: 'Keeps a taint on the nodes it selects until their conditions are as required.',
  spec,
  status,
  rules: [],
  columns: [
    { name: 'Mode', type: 'string', description: 'When nodes are gated.', jsonPath: '.spec.enforcementMode' },
    { name: 'Taint', type: 'string', description: 'The key of the taint.', jsonPath: '.spec.taint.key' },
    { name: 'Effect', type: 'string', description: 'Of the taint.', jsonPath: '.spec.taint.effect' },
    { name: 'DryRun', type: 'boolean', description: 'A dry run.', jsonPath: '.spec.dryRun' },
    { name: 'Age', type: 'date', description: 'Age of the rule.', jsonPath: '.metadata.creationTimestamp' },
  ],
  selectableFields: ['.spec.enforcementMode', '.spec.taint.key', '.spec.dryRun'],
};
