// The wire shapes of Pod and DaemonSet. Probes, volume sources, affinity and the like are kept as they come: nothing in the
// server looks into them.

import { kindFields, metadata } from '../metadata-shape.ts';
import {
  type Fields,
  flag,
  int,
  list,
  map,
  open,
  pointer,
  quantities,
  shown,
  struct,
  text,
  texts,
  time,
} from '../shape.ts';

const toleration = struct({
  key: text,
  operator: text,
  value: text,
  effect: text,
  tolerationSeconds: pointer(int),
});

const containerFields: Fields = {
  name: shown(text),
  image: text,
  command: list(text),
  args: list(text),
  workingDir: text,
  ports: list(
    struct({ name: text, hostPort: int, containerPort: shown(int), protocol: text, hostIP: text }),
    'containerPort',
  ),
  envFrom: open,
  env: list(struct({ name: shown(text), value: text, valueFrom: open }), 'name'),
  resources: struct({ limits: quantities, requests: quantities, claims: open }),
  resizePolicy: open,
  restartPolicy: pointer(text),
  restartPolicyRules: open,
  volumeMounts: list(
    struct({
      name: shown(text),
      readOnly: flag,
      recursiveReadOnly: pointer(text),
      mountPath: shown(text),
      subPath: text,
      mountPropagation: pointer(text),
      subPathExpr: text,
    }),
    'mountPath',
  ),
  volumeDevices: open,
  livenessProbe: open,
  readinessProbe: open,
  startupProbe: open,
  lifecycle: open,
  terminationMessagePath: text,
  terminationMessagePolicy: text,
  imagePullPolicy: text,
  securityContext: open,
  stdin: flag,
  stdinOnce: flag,
  tty: flag,
};

const container = struct(containerFields);

/** A volume is a name and one source, whose kind is the name of its field. */
const volume = struct({
  name: shown(text),
  ...Object.fromEntries(
    [
      'hostPath',
      'emptyDir',
      'gitRepo',
      'secret',
      'nfs',
      'iscsi',
      'persistentVolumeClaim',
      'downwardAPI',
      'configMap',
      'projected',
      'csi',
      'ephemeral',
      'image',
    ].map((source) => [source, open]),
  ),
});

const podSpec = struct({
  volumes: list(volume, 'name'),
  initContainers: list(container, 'name'),
  containers: shown(list(container, 'name')),
  ephemeralContainers: open,
  restartPolicy: text,
  terminationGracePeriodSeconds: pointer(int),
  activeDeadlineSeconds: pointer(int),
  dnsPolicy: text,
  nodeSelector: texts,
  serviceAccountName: text,
  serviceAccount: text,
  automountServiceAccountToken: pointer(flag),
  nodeName: text,
  hostNetwork: flag,
  hostPID: flag,
  hostIPC: flag,
  shareProcessNamespace: pointer(flag),
  securityContext: open,
  imagePullSecrets: list(struct({ name: text }), 'name'),
  hostname: text,
  subdomain: text,
  affinity: open,
  schedulerName: text,
  tolerations: list(toleration),
  hostAliases: open,
  priorityClassName: text,
  priority: pointer(int),
  dnsConfig: open,
  readinessGates: open,
  runtimeClassName: pointer(text),
  enableServiceLinks: pointer(flag),
  preemptionPolicy: pointer(text),
  overhead: quantities,
  topologySpreadConstraints: open,
  setHostnameAsFQDN: pointer(flag),
  os: open,
  hostUsers: pointer(flag),
  schedulingGates: open,
  resourceClaims: open,
  resources: open,
  hostnameOverride: pointer(text),
});

const podCondition = struct({
  type: shown(text),
  observedGeneration: int,
  status: shown(text),
  lastProbeTime: time,
  lastTransitionTime: time,
  reason: text,
  message: text,
});

const containerStatus = struct({
  name: shown(text),
  state: shown(struct({ waiting: open, running: open, terminated: open })),
  lastState: shown(struct({ waiting: open, running: open, terminated: open })),
  ready: shown(flag),
  restartCount: shown(int),
  image: shown(text),
  imageID: shown(text),
  containerID: text,
  started: pointer(flag),
  allocatedResources: quantities,
  resources: open,
  volumeMounts: open,
  user: open,
  allocatedResourcesStatus: open,
  stopSignal: pointer(text),
});

export const podFields = kindFields({
  spec: podSpec,
  status: struct({
    observedGeneration: int,
    phase: text,
    conditions: list(podCondition, 'type'),
    message: text,
    reason: text,
    nominatedNodeName: text,
    hostIP: text,
    hostIPs: open,
    podIP: text,
    podIPs: list(struct({ ip: text }), 'ip'),
    startTime: pointer(time),
    initContainerStatuses: list(containerStatus),
    containerStatuses: list(containerStatus),
    qosClass: text,
    ephemeralContainerStatuses: list(containerStatus),
    resize: text,
    resourceClaimStatuses: open,
    extendedResourceClaimStatus: open,
    allocatedResources: quantities,
    resources: open,
  }),
});

const labelSelector = pointer(
  struct({
    matchLabels: texts,
    matchExpressions: list(struct({ key: shown(text), operator: shown(text), values: list(text) })),
  }),
);

export const daemonSetFields = kindFields({
  spec: struct({
    selector: labelSelector,
    template: struct({ metadata, spec: podSpec }),
    updateStrategy: open,
    minReadySeconds: int,
    revisionHistoryLimit: pointer(int),
  }),
  status: struct({
    currentNumberScheduled: shown(int),
    numberMisscheduled: shown(int),
    desiredNumberScheduled: shown(int),
    numberReady: shown(int),
    observedGeneration: int,
    updatedNumberScheduled: int,
    numberAvailable: int,
    numberUnavailable: int,
    collisionCount: pointer(int),
    conditions: list(
      struct({
        type: shown(text),
        status: shown(text),
        lastTransitionTime: time,
        reason: text,
        message: text,
      }),
      'type',
    ),
  }),
});

export const podDisruptionBudgetFields = kindFields({
  spec: struct({
    minAvailable: pointer({ shape: { kind: 'intOrText' }, emit: 'present' }),
    selector: labelSelector,
    maxUnavailable: pointer({ shape: { kind: 'intOrText' }, emit: 'present' }),
    unhealthyPodEvictionPolicy: pointer(text),
  }),
  status: struct({
    observedGeneration: int,
    disruptedPods: map({ kind: 'time' }),
    disruptionsAllowed: shown(int),
    currentHealthy: shown(int),
    desiredHealthy: shown(int),
    expectedPods: shown(int),
    conditions: list(
      struct({
        type: shown(text),
        status: shown(text),
        observedGeneration: int,
        lastTransitionTime: time,
        reason: shown(text),
        message: shown(text),
      }),
      'type',
    ),
  }),
});
