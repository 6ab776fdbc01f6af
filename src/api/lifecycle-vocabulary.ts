// The closed lists and bounds of NodeLifecycle, for code that runs. The schema is built from these, so that what the
// operator may write and what the API server accepts cannot differ.

/** In the order of a node's life. */
export const stages = [
  'Joined',
  'Configuring',
  'Verifying',
  'Gated',
  'InService',
  'Updating',
  'Leaving',
] as const;
export type Stage = (typeof stages)[number];

export const stageMeanings: Readonly<Record<Stage, string>> = {
  Joined: 'Its kubelet is not ready and the node was never in service.',
  Configuring: 'Its configuration is not applied yet.',
  Verifying: 'Its verification has not passed yet.',
  Gated: 'A gate of ours, of Kubernetes or a cordon keeps pods away, or its kubelet is no longer ready.',
  InService:
    'Nothing holds it back. Taints of others, which dedicate a node to some pods, are shown and do not count.',
  Updating: 'An update is draining, changing or rebooting it.',
  Leaving: 'It is about to be removed, and `leaving` names by whom.',
};

export const gateKinds = ['Own', 'System', 'Cordon', 'Foreign'] as const;
export type GateKind = (typeof gateKinds)[number];

export const removers = ['ClusterAutoscaler', 'Karpenter', 'NodeDeletion'] as const;
export type Remover = (typeof removers)[number];

export const ownedKinds = ['Label', 'Annotation', 'Taint'] as const;
export type OwnedKind = (typeof ownedKinds)[number];

export const verificationStates = [
  'unverified',
  'pending',
  'in_progress',
  'verified',
  'failed',
  'deleting',
] as const;

export const checkVerdicts = ['pass', 'fail', 'inconclusive'] as const;

export const updatePhases = ['Pending', 'Draining', 'Updating', 'Rebooting', 'Paused', 'Completed'] as const;
export type UpdatePhase = (typeof updatePhases)[number];

/** What a writer cuts to: beyond these the API server refuses the whole write. */
export const lifecycleLimits = {
  gatesMax: 16,
  conflictsMax: 4,
  ownedMax: 64,
  checksMax: 64,
  timelineMax: 32,
  reasonLengthMax: 64,
  messageLengthMax: 128,
  gateSummaryLengthMax: 63,
  ownedValueLengthMax: 256,
} as const;
