// Every reason that Muster gives, with what it means. The same word stands in code, status, event, log, CLI and docs;
// a reason that is not in this list does not compile.

export const reasonMeanings = {
  // Stages and gates of a node.
  NodeCreated: 'The node was seen for the first time.',
  NodeRecreated: 'A node of this name existed before with another UID; its record starts anew.',
  NodeBeingDeleted: 'The Node object has a deletion timestamp.',
  StageChanged: 'The node moved from one stage of its life to another.',
  Rebooted: 'The boot ID of the node changed.',
  Updated: 'The node runs another version of the kubelet.',
  NoOpenGate: 'No gate holds the node back.',
  OwnTaint: 'A taint that Muster set keeps pods away.',
  SystemTaint: 'A taint that Kubernetes or its cloud provider set keeps pods away.',
  ForeignTaint: 'A taint that someone else set keeps some pods away; Muster never touches it.',
  Cordoned: 'The node is marked unschedulable; Muster never changes that.',
  KubeletNotReady: 'The Ready condition of the node is not True.',
  ClusterAutoscalerTaint: 'Cluster Autoscaler has marked the node for removal.',
  KarpenterDisrupted: 'Karpenter is draining the node to remove it.',
  ConfigurationPending:
    'Labels, taints or a provider ID that the configuration of the node asks for are missing.',
  VerificationPending: 'The node waits for its verification or is being verified.',
  UpdateInProgress: 'The node is being updated.',

  // The verification of a node.
  VerificationStarted: 'A worker is checking the node.',
  VerificationPassed: 'Every required check passed.',
  VerificationFailed: 'A required check ran on the node and failed.',
  VerificationInconclusive: 'A worker could not find out whether the node is sound; it is tried again.',
  VerificationGivenUp: 'As many attempts failed as the policy allows; the node keeps its taint.',
  VerificationOverdue: 'The node was not verified in the time that the policy gives it.',
  VerificationSuspended: 'The policy is suspended; the node stays as it is.',
  PolicyRefused:
    'The policy names a check that the operator does not have, or asks for what cannot be done or seen; no worker runs for it.',
  AlreadyVerified: 'The node carried the label of a verified node when it was first seen.',
  Onboarded: 'The node was in service before its policy and is taken for verified, as that policy says.',
  NotOnboarded: 'The node was in service before its policy, which leaves such nodes alone.',
  ManualOverride: 'Somebody took the taint away before the node was verified; it is left alone.',
  NodeNotReady: 'The kubelet is not ready, so no worker can run.',
  NodeInUse: 'The node is cordoned or about to be removed; it is not verified now.',
  StartupTaint: 'An agent or the cloud has not finished with the node; it is verified after that.',
  NotRegistered: 'Karpenter has not taken the node in yet.',
  RequirementMissing: 'The node lacks something that its policy requires and that needs no worker to see.',
  MutualWait:
    'An agent that the policy requires has had no pod on the node for a minute: it may wait for the taint that the node carries until it is there.',
  BackingOff: 'The last attempt did not pass; the next one waits.',
  WorkerSlotsSpent: 'As many workers run as are allowed at once; this node waits for its turn.',
  WorkerRateSpent: 'As many workers were started just now as are allowed; this node waits for its turn.',
  WorkerStarting: 'The worker is being created, scheduled or started.',
  WorkerRunning: 'The worker is checking the node.',
  WorkerUnschedulable: 'The scheduler finds no way to run the worker on the node.',
  WorkerImageUnavailable: 'The image of the worker cannot be pulled, or its container cannot be set up.',
  WorkerRejected: 'The API server refused the worker: a quota, pod security or a priority class.',
  ChecksChanged:
    'The policy asks for other checks than those of the worker that runs; the next one runs them.',
  WorkerGone: 'The worker was deleted before it had ended.',
  WorkerEvicted: 'The worker was evicted, preempted or killed before it had ended.',
  WorkerTimedOut: 'The worker did not end in the time it was given.',
  WorkerMisconfigured: 'The worker refused its configuration; no check ran.',
  ReportUnusable: 'The worker ended without a report about this node, this attempt and every required check.',
  CheckInconclusive: 'A required check could not find out what it was to find out.',
  CheckFailed: 'A required check ran on the node and failed.',
  DeletionHeld: 'The node is to be deleted by its policy and is kept.',

  // What a readiness rule found on a node.
  ConditionsSatisfied: 'The conditions that the rule asks for are as required.',
  ConditionMissing: 'The node lacks a condition that the rule asks for.',
  ConditionUnsatisfied: 'A condition of the node is not as the rule requires.',
  ConditionStale: 'A condition has not been confirmed for longer than the rule allows.',
  Stabilizing: 'The conditions changed too recently for the rule to act on it.',
  BootstrapCompleted: 'The node was ready once, and the rule is done with it.',
  RuleSuspended: 'The rule is suspended; the node stays as it is.',
  RuleIsDryRun: 'The rule only says what it would do.',
  RuleLeft: 'A rule does not select the node any more, or is gone; what it put there is taken away.',
  WaitingForRules: 'Rules that come before this one are not met on the node yet; it stays as it is.',
  PeerPresent: 'Another controller holds its Lease and serves rules of this kind; Muster leaves them to it.',
  RuleConflict:
    'Two rules have the same taint; it is there while one of them wants it, as the older one says.',
  TaintAdded: 'A rule put its taint on the node.',
  TaintRemoved: 'A rule took its taint from the node.',
  TaintAdopted: 'A rule found its taint on the node and answers for it from now on.',

  // The state of a readiness rule.
  Applied: 'The rule is applied on every node that it selects.',
  Applying: 'The rule is not applied on every node that it selects yet.',
  RuleBeingDeleted: 'The rule is being deleted, and goes when nothing of it is left on any node.',
  NodesFailing: 'The rule could not be applied on some nodes.',
  GatingIsHeld: 'Some nodes would be gated and are held back; the message says by what.',
  InvalidRule: 'The rule cannot be read; nothing is done on its behalf.',
  UnknownPredecessor: 'The rule comes after one that does not exist; it waits until there is one.',
  CircularOrder:
    'The rule comes after itself, by way of others or not: they wait for each other on nodes where none of them is met.',
  AsExpected: 'Nothing is wrong.',
  TooManyNodes: 'The rule selects too many nodes for lists in its status; see NodeReadinessEvaluations.',

  // What a reporter found at the endpoint it asks, as the reason of the condition that it keeps on its node.
  EndpointOK: 'The endpoint answered that all is well.',
  EndpointNotReady: 'The endpoint answered with a status that is not one of success.',
  EndpointConnectionError:
    'The endpoint did not answer: no connection, none in time, or nothing that can be read.',
  HealthCheckFailed: 'The reporter could not ask the endpoint at all.',

  // The brake.
  GatingBudgetSpent: 'As many nodes in service are gated in this pool as the policy allows; this one waits.',
  RuleBudgetSpent: 'As many nodes in service are gated by this rule as it allows; this one waits.',
  GatingPaused: 'Somebody has asked to pause; no node in service is newly gated, and none is evicted from.',
  NodeHeld: 'The policy says to leave this node alone; it is not newly gated.',
  ObserveOnly: 'The authority of the operator is to observe; nothing is newly gated.',
  NoExecuteNotAllowed:
    'The policy does not allow a taint of this key with the effect NoExecute, or its authority is not to act; it is not set.',
  ControlPlaneProtected: 'A taint with the effect NoExecute is never set on a node of the control plane.',

  // What became of a decision.
  Conflict:
    'Two capabilities want different things of one key; the more important one has its way, and a taint stands while one wants it.',
  Contested:
    'A change of ours is undone, or was made to and fro, too often; it is made again after a minute, and not before.',
  WriteFailed: 'A write to the node failed and is tried again.',
  Rejected:
    'The API server refused the change; it is tried again later each time, and at once when its cause changes.',
  WritesFailing: 'Writes of this kind fail for a cause that concerns all of them; they rest for a while.',
  WritesInFlight: 'Enough writes of this kind are under way; this one waits for its turn.',
  NotSynced: 'What the decision needs has not been read completely yet; everything stays as it is.',
  NotLeading: 'Another replica leads; this one watches and writes nothing.',
  RecordUnreadable:
    'The ownership record on the node cannot be parsed; nothing is removed and the record is rebuilt.',
  InternalError: 'A capability failed on this node; its keys stay as they are until it succeeds.',
} as const;

export type Reason = keyof typeof reasonMeanings;
