// The parts that the readiness kinds share: what a rule asks for, and what is reported about it. Build time only.

import { Type } from 'typebox';
import { conditionStatuses, readinessLimits as limits } from './readiness-vocabulary.ts';
import {
  atomicList,
  type CelRule,
  enumOf,
  flag,
  keyLengthMax,
  labelLengthMax,
  labelValuePattern,
  listMap,
  nameLengthMax,
  nodeKey,
  nodeKeyPattern,
  object,
  optional,
  stringMap,
  text,
  time,
  whole,
} from './schema.ts';

/** How many entries the lists of a status may have that earlier controllers wrote, one per node. */
export const nodeListMax = 5000;

export const nodeName = (description: string, rules: readonly CelRule[] = []) =>
  text(description, { min: 1, max: nameLengthMax, rules });

const conditionType = (description: string) =>
  text(description, { min: 1, max: limits.conditionTypeLengthMax });

export const conditionRequirement = object('A condition of the node and the status that it must have.', {
  type: conditionType('The type of the condition.'),
  requiredStatus: enumOf('The status that it must have.', conditionStatuses),
  defaultStatus: optional(
    enumOf(
      'The status that counts while the node lacks the condition; Unknown when absent.',
      conditionStatuses,
    ),
  ),
});

/** What does not go together, in the words of kubernetes-sigs' definition: its users look for them. */
export const requirementRules: readonly CelRule[] = [
  {
    rule: "self.enforcementMode != 'bootstrap-only' || self.conditions.all(c, !has(c.defaultStatus))",
    message: 'defaultStatus should not be used with bootstrap-only enforcementMode',
  },
  {
    rule: "self.enforcementMode != 'bootstrap-only' || !has(self.conditionPolicy) || self.conditionPolicy != 'anyOf'",
    message: 'anyOf conditionPolicy is not supported with bootstrap-only enforcementMode',
  },
  {
    rule: "!has(self.conditionPolicy) || self.conditionPolicy != 'anyOf' || self.conditions.all(c, !has(c.defaultStatus))",
    message: 'defaultStatus is not supported when conditionPolicy is anyOf',
  },
];

const selectorValue = text('A label value.', { max: labelLengthMax, pattern: labelValuePattern });

/** At least one label or expression: a rule for every node has to say so. */
export const nodeSelector = (description: string, rules: readonly CelRule[] = []) =>
  object(
    description,
    {
      matchLabels: optional(
        stringMap('Labels that a node must have.', {
          max: 64,
          valueMax: labelLengthMax,
          valuePattern: labelValuePattern,
          rules: [
            {
              rule: `self.all(key, key.matches('${nodeKeyPattern}') && size(key.split('/')[0]) <= ${nameLengthMax})`,
              message: 'nodeSelector keys must be those of labels',
            },
          ],
        }),
      ),
      matchExpressions: optional(
        atomicList(
          'Requirements on labels, all of which must hold.',
          object('A requirement on one label.', {
            key: nodeKey('The key of the label.'),
            operator: enumOf('How it is compared.', ['In', 'NotIn', 'Exists', 'DoesNotExist']),
            values: optional(
              atomicList('Values for In and NotIn; none for the others.', selectorValue, { max: 4_096 }),
            ),
          }),
          { max: 32 },
        ),
      ),
    },
    {
      isAtomic: true,
      rules: [
        {
          rule: '(has(self.matchLabels) && size(self.matchLabels) > 0) || (has(self.matchExpressions) && size(self.matchExpressions) > 0)',
          message: 'nodeSelector must not be empty',
        },
        {
          rule: "!has(self.matchExpressions) || self.matchExpressions.all(e, (e.operator in ['In', 'NotIn']) == (has(e.values) && size(e.values) > 0))",
          message: 'nodeSelector values are given for In and NotIn, and for these alone',
        },
        ...rules,
      ],
    },
  );

const observedCondition = {
  type: conditionType('The type of the condition.'),
  currentStatus: enumOf(
    'The status that the node has; Unknown when it lacks the condition.',
    conditionStatuses,
  ),
  requiredStatus: enumOf('The status that the rule asks for.', conditionStatuses),
  defaultStatus: optional(enumOf('The status that counts while it is missing.', conditionStatuses)),
};

/** What one condition of a rule found on a node, with no field that kubernetes-sigs' definition would prune. */
export const upstreamConditionResult = object('What was found of one condition.', observedCondition);

/** The same with a conclusion. */
export const conditionResult = object('What was found of one condition.', {
  ...observedCondition,
  satisfied: optional(flag('Whether the requirement is met.')),
  missing: optional(flag('Whether the node lacks the condition.')),
});

const count = (description: string) => whole(description, { min: 0 });

export const summary = object('Counts over all nodes that the rule selects; computed whole each time.', {
  totalApplicableNodes: count('Nodes that the rule selects and that were looked at.'),
  nodesWithTaint: count('Of these, with the taint of the rule.'),
  nodesWithoutTaint: count('Of these, without it.'),
  nodesReady: count('Nodes that meet the requirements.'),
  nodesNotReady: count('Nodes that have every condition they need and do not meet the requirements.'),
  nodesUnknown: count('Nodes that lack a condition and do not meet the requirements.'),
  bootstrapCompletedNodes: optional(count('Nodes that the rule is done with, in mode bootstrap-only.')),
  heldNodes: optional(count('Nodes that would be gated and are held back by the brake or the policy.')),
  conditionSummaries: optional(
    listMap(
      'The same for each condition.',
      object('Counts for one condition.', {
        type: conditionType('The type of the condition.'),
        nodesSatisfied: count('Nodes on which it is as required.'),
        nodesUnsatisfied: count('Nodes on which it is not.'),
        nodesMissing: count('Nodes that lack it and are not satisfied by its default.'),
      }),
      { key: 'type', max: limits.conditionsMax },
    ),
  ),
  lastUpdated: time('When the counts last changed.'),
});

/** As metav1.Condition. */
export const ruleConditions = listMap(
  'The state of the rule: Ready, Conflict, Degraded; NoExecuteNotAllowed and NodeListsOmitted while they are True.',
  object('One aspect of the state of the rule.', {
    type: text('Which aspect.', { min: 1, max: keyLengthMax }),
    status: enumOf('Whether it holds.', conditionStatuses),
    observedGeneration: optional(whole('The generation that was looked at.', { min: 0, format: 'int64' })),
    lastTransitionTime: time('When the status last changed.'),
    reason: text('Why.', { min: 1, max: 1024 }),
    message: text('The same in words.', { max: 32_768 }),
  }),
  { key: 'type', max: 16 },
);

/** Every field but the words is optional, because controllers before us left out what was nought. */
export const dryRunResults = object(
  'What the rule would do, while it is a dry run.',
  {
    affectedNodes: optional(count('Nodes that the rule selects.')),
    taintsToAdd: optional(count('Nodes that would get the taint.')),
    taintsToRemove: optional(count('Nodes that would lose it.')),
    riskyOperations: optional(count('Nodes that lack a condition which the rule asks for.')),
    summary: text('The same in words.', { min: 1, max: limits.dryRunSummaryLengthMax }),
  },
  { minProperties: 1 },
);

export const observedGeneration = whole('The generation that is applied on every node.', {
  min: 0,
  format: 'int64',
});

/** A list that only an earlier controller wrote: kept so that its objects stay valid, and cleared by us. */
export const formerNodeNames = (description: string) =>
  Type.Array(text('The name of a node.', { max: nameLengthMax }), {
    description,
    maxItems: nodeListMax,
    'x-kubernetes-list-type': 'atomic',
  });
