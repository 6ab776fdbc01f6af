// Every key that Muster writes or reads on objects, spelled once: labels, annotations, taints, the field manager, and the
// resource types of our own kinds. Only names live here, never a decision about them.

import type { ResourceType } from '../objects/ref.ts';

const group = 'muster.dev';
const version = 'v1alpha1';

export const fieldManager = 'muster';

/** Where the manifests put the operator, and the Lease that its replicas compete for. */
export const systemNamespace = 'muster-system';
export const leaderLeaseName = 'muster';

export const annotationKeys = {
  /** On a Node: which of its keys are ours, what we wrote and what stood there before. */
  owned: `${group}/owned`,
  /** On a Node: `now` asks for it to be verified again. Taken away when that has begun. */
  verify: `${group}/verify`,
  /** On a rule: "<generation>/<at most N nodes>", a person's consent to gate more nodes than the brake allows. */
  confirmImpact: `${group}/confirm-impact`,
  /** On a rule: the taints that nodes may carry on its behalf, the one that it names and those that it named before. */
  ruleTaints: `${group}/taints`,
} as const;

/** As whom a kubelet acts on its own node, and nobody else. */
export const nodeUserPrefix = 'system:node:';

const gateGroup = 'nodereadiness.io';
const upstreamGroup = 'readiness.node.x-k8s.io';

/** Taints of NodeReadinessRules begin so; autoscalers know the prefix and take such a taint for a passing one. */
export const readinessTaintPrefix = 'readiness.k8s.io/';

/** On a Node: a rule of mode bootstrap-only is done with it. Followed by the rule's UID, formerly by its name. */
export const bootstrapMarkerPrefix = `${readinessTaintPrefix}bootstrap-completed-`;

/** On rules: what they put on nodes goes before they do. The same as those of the controllers that served them before. */
export const ruleFinalizers = {
  NodeReadinessGateRule: `${gateGroup}/cleanup-taints`,
  NodeReadinessRule: `${upstreamGroup}/cleanup-taints`,
} as const;

/** Leases of the other controllers that serve these kinds: while one is held, its kind is theirs. */
export const peerLeaseNames = {
  NodeReadinessGateRule: `ba65f13e.${gateGroup}`,
  NodeReadinessRule: `ba65f13e.${upstreamGroup}`,
} as const;

/** Labels of a NodeReadinessEvaluation. */
export const evaluationLabels = { rule: 'rule', node: 'node' } as const;

const verificationGroup = 'node-ready';

/** What marks a node that is not verified yet, and one that is, where a policy names nothing else. */
export const verificationKeys = {
  taint: `${verificationGroup}/unverified`,
  verifiedLabel: `${verificationGroup}/verified`,
  /** Label by which a kubelet asks that its node is born with the taint: outside of the prefixes that a kubelet may not set. */
  bornUnverified: `${group}/born-unverified`,
} as const;

/** The condition of a Node that says whether it is verified, where the operator is told to keep it. */
export const verifiedConditionType = 'Verified';

/** On worker pods: what they are found by, and what they are for. */
export const workerLabels = { app: 'app', component: 'component', node: 'node' } as const;
export const workerLabelValues = {
  app: 'kube-node-ready',
  component: 'worker',
  /** The component of one that echoes for workers on other nodes. */
  control: 'control',
} as const;
export const workerAnnotations = {
  targetNode: 'kube-node-ready/target-node',
  nodeUID: 'kube-node-ready/node-uid',
  round: 'kube-node-ready/round',
  attempt: 'kube-node-ready/attempt',
  policy: 'kube-node-ready/policy',
  /** A hash of each check that it was told to run, with its parameters. */
  checks: 'kube-node-ready/checks',
  createdAt: 'kube-node-ready/created-at',
  /** The report of the worker, where it asks for that. */
  report: 'kube-node-ready/report',
  /** Which control workers it was told of, by UID; absent where nobody asks for any. */
  peers: 'kube-node-ready/peers',
} as const;
/** On pods without a controller that Cluster Autoscaler may take away with their node. */
export const safeToEvictAnnotation = 'cluster-autoscaler.kubernetes.io/safe-to-evict';
/** Which Service an EndpointSlice belongs to; set by Kubernetes. */
export const serviceNameLabel = 'kubernetes.io/service-name';

/** The Service of the cluster's DNS, as nearly every cluster calls it. */
export const clusterDnsService = 'kube-system/kube-dns';

export const workerServiceAccount = 'kube-node-ready-worker';

/** Karpenter: a node of a claim, and one that it has taken in. Before that it may put taints back. */
export const karpenterLabels = {
  nodePool: 'karpenter.sh/nodepool',
  registered: 'karpenter.sh/registered',
} as const;

/** Taint of a node that Karpenter has not taken in yet. */
const karpenterUnregistered = 'karpenter.sh/unregistered';

/** Taints that agents and clouds take away when a node has what it needs; a worker before that would prove nothing. */
export const startupTaints = {
  keys: [
    'node.cloudprovider.kubernetes.io/uninitialized',
    karpenterUnregistered,
    'node.kubernetes.io/not-ready',
    'node.kubernetes.io/network-unavailable',
  ],
  prefixes: [
    'startup-taint.cluster-autoscaler.kubernetes.io/',
    'ignore-taint.cluster-autoscaler.kubernetes.io/',
  ],
  suffixes: ['/agent-not-ready'],
} as const;

/** Annotations of a Node that are cached: a wish for any other could never be seen fulfilled. */
export const keptAnnotationPrefixes: readonly string[] = [`${group}/`, bootstrapMarkerPrefix];

export const labelKeys = {
  managedBy: 'app.kubernetes.io/managed-by',
  appName: 'app.kubernetes.io/name',
  podSecurityEnforce: 'pod-security.kubernetes.io/enforce',
  zone: 'topology.kubernetes.io/zone',
  /** On every Namespace: its own name, set by the API server. */
  namespaceName: 'kubernetes.io/metadata.name',
} as const;

/** Labels that a kubelet or a cloud sets on a node. */
export const nodeLabelKeys = {
  hostname: 'kubernetes.io/hostname',
  operatingSystem: 'kubernetes.io/os',
  architecture: 'kubernetes.io/arch',
  instanceType: 'node.kubernetes.io/instance-type',
  region: 'topology.kubernetes.io/region',
  zone: labelKeys.zone,
  pool: 'node.kubernetes.io/pool',
} as const;

/** What the simulated world reads and writes; on a cluster without it they mean nothing. */
export const simKeys = {
  /** Label of a Node: its kubelet is a simulated one. Nodes without it are left alone. */
  simulated: 'sim.muster.dev/simulated',
  /** Annotation of a Node: the stage that is to happen to it now. Taken away when it has happened. */
  play: 'sim.muster.dev/play',
  /** Annotation of a Node: why the stage that was asked for last did not happen. */
  playRefused: 'sim.muster.dev/play-refused',
  /** Annotation of a Pod: how it ends. */
  outcome: 'sim.muster.dev/outcome',
} as const;

/** Labels whose keys begin so name the roles of a node. */
export const nodeRolePrefix = 'node-role.kubernetes.io/';

/** On the bookmark that ends the initial events of a watch. */
export const initialEventsEndAnnotation = 'k8s.io/initial-events-end';

/** Both a label and a taint: the role of a node that runs the control plane. */
export const controlPlaneRole = 'node-role.kubernetes.io/control-plane';

/** Taints of others that say that a node is about to go. */
export const leavingTaintKeys = {
  /** Cluster Autoscaler has decided and drains. */
  clusterAutoscaler: 'ToBeDeletedByClusterAutoscaler',
  /** Karpenter drains and then deletes. */
  karpenter: 'karpenter.sh/disrupted',
} as const;

/** Cluster Autoscaler may remove the node later; it is advice to the scheduler and no departure yet. */
export const deletionCandidateTaintKey = 'DeletionCandidateOfClusterAutoscaler';

/** Taints that Kubernetes itself sets and takes away. */
export const systemTaintKeys = {
  notReady: 'node.kubernetes.io/not-ready',
  unreachable: 'node.kubernetes.io/unreachable',
  unschedulable: 'node.kubernetes.io/unschedulable',
  networkUnavailable: 'node.kubernetes.io/network-unavailable',
  memoryPressure: 'node.kubernetes.io/memory-pressure',
  diskPressure: 'node.kubernetes.io/disk-pressure',
  pidPressure: 'node.kubernetes.io/pid-pressure',
  outOfService: 'node.kubernetes.io/out-of-service',
  uninitialized: 'node.cloudprovider.kubernetes.io/uninitialized',
} as const;

/** Taints that no rule and no policy may name: whoever sets them would set them again and again, and whoever needs them would miss them. */
export const foreignTaintKeys: readonly string[] = [
  ...Object.values(systemTaintKeys),
  ...Object.values(leavingTaintKeys),
  deletionCandidateTaintKey,
  karpenterUnregistered,
  controlPlaneRole,
];

/** Labels that name a node's pool, the first one found wins. Karpenter comes first: its nodes may carry a cloud's label too. */
export const defaultPoolLabels: readonly string[] = [
  'karpenter.sh/nodepool', // Karpenter
  'eks.amazonaws.com/nodegroup', // Amazon EKS managed node groups
  'cloud.google.com/gke-nodepool', // Google GKE
  'kubernetes.azure.com/agentpool', // Azure AKS
  'doks.digitalocean.com/node-pool', // DigitalOcean Kubernetes
  'kops.k8s.io/instancegroup', // kOps
  'worker.gardener.cloud/pool', // Gardener
  'node.kubernetes.io/pool', // set by people, where no provider sets one
];

/** Labels that Kubernetes, clouds and autoscalers set and read: none may stand for a node that is verified. */
export const foreignLabelKeys: readonly string[] = [
  ...Object.values(nodeLabelKeys),
  ...Object.values(karpenterLabels),
  ...defaultPoolLabels,
  controlPlaneRole,
].filter((key, index, all) => all.indexOf(key) === index);

export const nodeLifecycleType: ResourceType = {
  group,
  version,
  plural: 'nodelifecycles',
  kind: 'NodeLifecycle',
  scope: 'Cluster',
};

export const disruptionPolicyType: ResourceType = {
  group,
  version,
  plural: 'disruptionpolicies',
  kind: 'DisruptionPolicy',
  scope: 'Cluster',
};

export const nodeVerificationType: ResourceType = {
  group,
  version,
  plural: 'nodeverifications',
  kind: 'NodeVerification',
  scope: 'Cluster',
};

/** The one DisruptionPolicy of a cluster. */
export const disruptionPolicyName = 'default';

export const nodeReadinessGateRuleType: ResourceType = {
  group: gateGroup,
  version: 'v1alpha2',
  plural: 'nodereadinessgaterules',
  kind: 'NodeReadinessGateRule',
  scope: 'Cluster',
};

export const nodeReadinessEvaluationType: ResourceType = {
  group: gateGroup,
  version: 'v1alpha2',
  plural: 'nodereadinessevaluations',
  kind: 'NodeReadinessEvaluation',
  scope: 'Cluster',
};

export const nodeReadinessRuleType: ResourceType = {
  group: upstreamGroup,
  version: 'v1alpha1',
  plural: 'nodereadinessrules',
  kind: 'NodeReadinessRule',
  scope: 'Cluster',
};
