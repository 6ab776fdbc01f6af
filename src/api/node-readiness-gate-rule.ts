// NodeReadinessGateRule: keeps a taint on nodes until their conditions are as required. Schema and types; code that runs
// imports the types only, and the lists and bounds from readiness-vocabulary.

import type { KindDefinition } from './crd.ts';
import { nodeReadinessGateRuleType } from './keys.ts';
import { duration } from './duration-schema.ts';
import {
  conditionRequirement,
  conditionResult,
  dryRunResults,
  formerNodeNames,
  nodeListMax,
  nodeName,
  nodeSelector,
  observedGeneration,
  requirementRules,
  ruleConditions,
  summary,
} from './readiness-schema.ts';
import {
  conditionPolicies,
  enforcementModes,
  readinessLimits as limits,
  ruleShortNames,
  ruleTaintEffects,
} from './readiness-vocabulary.ts';
import {
  atomicList,
  type Described,
  enumOf,
  flag,
  intOrString,
  labelLengthMax,
  labelValuePattern,
  listMap,
  nameLengthMax,
  object,
  objectNamePattern,
  optional,
  setOf,
  taintKey,
  text,
  time,
  whole,
} from './schema.ts';

const upToADay = { max: '24h', isZeroAllowed: true } as const;

const taint = object('The taint that a node carries until it is ready.', {
  key: taintKey('The key of the taint'),
  effect: enumOf('What it does to pods that do not tolerate it.', ruleTaintEffects),
  value: optional(text('The value of the taint.', { max: labelLengthMax, pattern: labelValuePattern })),
});

const spec = object(
  'What is asked of nodes, of which nodes, and what they carry until then.',
  {
    conditions: listMap('The conditions that are required.', conditionRequirement, {
      key: 'type',
      min: 1,
      max: limits.conditionsMax,
    }),
    conditionPolicy: optional(
      enumOf('Whether all or any of them are; allOf when absent.', conditionPolicies),
    ),
    enforcementMode: enumOf(
      'Whether a node is gated once, until it is ready for the first time, or whenever it is not ready.',
      enforcementModes,
    ),
    taint,
    nodeSelector: nodeSelector('The nodes that the rule is about.'),
    dryRun: optional(flag('Only say what would be done.')),
    suspend: optional(flag('Leave every node as it is; go on reporting.')),
    healthyFor: optional(
      duration('How long the requirements must be met before the taint goes, such as 30s.', upToADay),
    ),
    unhealthyFor: optional(
      duration('How long they must be unmet before a node that was released is gated again.', upToADay),
    ),
    maxConditionAge: optional(
      duration('A condition whose last heartbeat is older does not count as met, whatever it says.', {
        ...upToADay,
        isZeroAllowed: false,
      }),
    ),
    after: optional(
      setOf(
        'Rules of this kind that come first: until each of them is met on a node, this one leaves it as it is.',
        text('The name of a rule.', { min: 1, max: nameLengthMax, pattern: objectNamePattern }),
        { max: limits.afterMax },
      ),
    ),
    bootstrap: optional(
      object('Details of the mode bootstrap-only.', {
        perBoot: optional(
          flag('A node that has rebooted has to be ready anew, by what its conditions say then.'),
        ),
      }),
    ),
    maxNewlyGated: optional(
      intOrString(
        'Beyond so many nodes in service of one pool, a number or a share, this rule gates no more.',
        {
          rules: [
            {
              rule: "type(self) == int ? self >= 0 : self.matches('^(100|[1-9]?[0-9])%$')",
              message: 'must be a number or a percentage from 0% to 100%',
            },
          ],
        },
      ),
    ),
    gracePeriod: optional(
      text('Accepted for manifests of v1alpha1, in which it never did anything; use healthyFor.', {
        max: 32,
      }),
    ),
  },
  {
    rules: [
      ...requirementRules,
      {
        rule: "!has(self.bootstrap) || !has(self.bootstrap.perBoot) || !self.bootstrap.perBoot || self.enforcementMode == 'bootstrap-only'",
        message: 'bootstrap.perBoot needs enforcementMode bootstrap-only',
      },
      {
        rule: "!has(self.unhealthyFor) || self.enforcementMode == 'continuous'",
        message: 'unhealthyFor needs enforcementMode continuous',
      },
    ],
  },
);

const nodeFailure = object('A node on which the rule could not be applied.', {
  nodeName: nodeName('The name of the node.'),
  reason: text('Why.', { max: 256 }),
  message: text('The same in words.', { max: 10_240 }),
  lastUpdated: time('Since when it fails like this.'),
});

const formerEvaluation = object('What an earlier controller found on one node.', {
  nodeName: nodeName('The name of the node.'),
  conditionResults: optional(
    atomicList('What was found of each condition.', conditionResult, { max: limits.conditionsMax }),
  ),
  taintStatus: optional(text('Whether the taint was there.', { max: 32 })),
  taintAction: optional(text('What was done.', { max: 32 })),
  lastEvaluated: optional(time('When.')),
});

const status = object('What became of the rule. Written by the operator alone.', {
  observedGeneration: optional(observedGeneration),
  conditions: optional(ruleConditions),
  summary: optional(summary),
  failedNodes: optional(
    listMap('Nodes on which the rule could not be applied; we list at most 20 of them.', nodeFailure, {
      key: 'nodeName',
      max: nodeListMax,
    }),
  ),
  failedNodeCount: optional(whole('How many such nodes there are.', { min: 0 })),
  dryRunResults: optional(dryRunResults),
  appliedNodes: optional(formerNodeNames('Written before v1alpha2; unused.')),
  completedNodes: optional(formerNodeNames('Written before v1alpha2; unused.')),
  nodeEvaluations: optional(
    atomicList('Written before v1alpha2; see NodeReadinessEvaluation.', formerEvaluation, {
      max: nodeListMax,
    }),
  ),
});

export type NodeReadinessGateRuleStatus = Described<typeof status>;

export const nodeReadinessGateRuleKind: KindDefinition = {
  type: nodeReadinessGateRuleType,
  olderVersions: [
    {
      name: 'v1alpha1',
      deprecationWarning:
        'nodereadiness.io/v1alpha1 NodeReadinessGateRule is deprecated; use nodereadiness.io/v1alpha2',
    },
  ],
  shortNames: [ruleShortNames.NodeReadinessGateRule],
  description: 'Keeps a taint on the nodes it selects until their conditions are as required.',
  spec,
  status,
  rules: [
    {
      rule: '!has(self.spec.after) || !(self.metadata.name in self.spec.after)',
      message: 'a rule cannot come after itself',
      fieldPath: '.spec.after',
    },
  ],
  columns: [
    { name: 'Mode', type: 'string', description: 'When nodes are gated.', jsonPath: '.spec.enforcementMode' },
    { name: 'Taint', type: 'string', description: 'The key of the taint.', jsonPath: '.spec.taint.key' },
    {
      name: 'Nodes',
      type: 'integer',
      description: 'Nodes that the rule selects.',
      jsonPath: '.status.summary.totalApplicableNodes',
    },
    {
      name: 'Tainted',
      type: 'integer',
      description: 'Nodes with the taint.',
      jsonPath: '.status.summary.nodesWithTaint',
    },
    {
      name: 'Applied',
      type: 'string',
      description: 'Whether the rule is applied everywhere.',
      jsonPath: ".status.conditions[?(@.type=='Ready')].status",
    },
    { name: 'DryRun', type: 'boolean', description: 'A dry run.', jsonPath: '.spec.dryRun', priority: 1 },
    {
      name: 'Effect',
      type: 'string',
      description: 'Of the taint.',
      jsonPath: '.spec.taint.effect',
      priority: 1,
    },
    { name: 'Age', type: 'date', description: 'Age of the rule.', jsonPath: '.metadata.creationTimestamp' },
  ],
  selectableFields: ['.spec.enforcementMode', '.spec.taint.key', '.spec.dryRun'],
};
