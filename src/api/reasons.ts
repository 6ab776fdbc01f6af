// Every reason that Muster gives, with what it means. The same word stands in code, status, event, log, CLI and docs;
// a reason that is not in this list does not compile.

export const reasonMeanings = {
  // Stages and gates of a node.
  NodeCreated: 'The node was seen for the first time.',
  NodeRecreated: 'A node of this name existed before with another UID; its record starts anew.',
  NodeBeingDeleted: 'The Node object has a deletion timestamp.',
  StageChanged: 'The node moved from one stage of its life to another.',
  Rebooted: 'The boot ID of the node changed.',
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

  // What became of a decision.
  Conflict: 'Two capabilities want different things of one key; the more important one has its way.',
  Contested: 'Somebody keeps undoing a change of ours; it is made again after a minute, and not before.',
  Rejected: 'The API server refused the change; it is not tried again until its cause changes.',
  WritesFailing: 'Writes of this kind fail for a cause that concerns all of them; they rest for a while.',
  WritesInFlight: 'Enough writes of this kind are under way; this one waits for its turn.',
  NotSynced: 'What the decision needs has not been read completely yet; everything stays as it is.',
  NotLeading: 'Another replica leads; this one watches and writes nothing.',
  RecordUnreadable:
    'The ownership record on the node cannot be parsed; nothing is removed and the record is rebuilt.',
  InternalError: 'A capability failed on this node; its keys stay as they are until it succeeds.',
} as const;

export type Reason = keyof typeof reasonMeanings;
