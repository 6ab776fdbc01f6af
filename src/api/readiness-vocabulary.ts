// The closed lists and bounds of the readiness kinds, for code that runs. The schemas are built from these, so that what the
// operator may write and what the API server accepts cannot differ.

export const conditionStatuses = ['True', 'False', 'Unknown'] as const;
export const conditionPolicies = ['allOf', 'anyOf'] as const;
export const enforcementModes = ['bootstrap-only', 'continuous'] as const;
export const ruleTaintEffects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'] as const;
export const taintStatuses = ['Present', 'Absent', 'Unknown'] as const;

/** How kubectl and people call the kinds of rules. */
export const ruleShortNames = { NodeReadinessGateRule: 'nrgr', NodeReadinessRule: 'nrr' } as const;

/** For which nodes of a rule an evaluation is kept. */
export const evaluationModes = ['all', 'unsatisfied', 'none'] as const;
export type EvaluationMode = (typeof evaluationModes)[number];

export type ConditionPolicy = (typeof conditionPolicies)[number];
export type EnforcementMode = (typeof enforcementModes)[number];

export const readinessLimits = {
  conditionsMax: 32,
  conditionTypeLengthMax: 316,
  afterMax: 16,
  /** Of the failed nodes that a status lists; their number is given beside. */
  failedNodesMax: 20,
  failureMessageLengthMax: 128,
  /** Of a status, the lists of a NodeReadinessRule aside: fewer failed nodes are listed where this would be exceeded. */
  statusBytesMax: 8192,
  /** Of what it says condition by condition. Thirty-two conditions of usual names need less. */
  conditionSummariesBytesMax: 5120,
  /** Beyond so many nodes the lists of a NodeReadinessRule are left out. */
  listedNodesMax: 100,
  dryRunSummaryLengthMax: 4096,
  /** Names of nodes in the words of a dry run. */
  dryRunSampleMax: 5,
  conditionMessageLengthMax: 1024,
  errorLengthMax: 256,
} as const;
