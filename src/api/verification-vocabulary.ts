// The closed lists, bounds and defaults of verification, for code that runs. The schema is built from these.

export const retryBackoffs = ['exponential', 'linear'] as const;
export type RetryBackoff = (typeof retryBackoffs)[number];

/** The pause after so many attempts that did not pass: 1, 2, 4, 8, 16, 30 s; or 5 s each time. */
export function retryPauseMs(backoff: RetryBackoff, attempts: number): number {
  return backoff === 'linear' ? 5_000 : Math.min(30_000, 1_000 * 2 ** Math.max(0, attempts - 1));
}

/** What becomes of a node that was in service before its policy. */
export const onboardings = ['Ignore', 'Label', 'Verify'] as const;
export type Onboarding = (typeof onboardings)[number];

/** What it means to a verified node that it is not the one any more that was checked: it booted, or was updated. */
export const changeActions = ['Ignore', 'Verify', 'Gate'] as const;
export type ChangeAction = (typeof changeActions)[number];

export const gateEffects = ['NoSchedule', 'NoExecute', 'PreferNoSchedule'] as const;

export const checkSeverities = ['required', 'advisory'] as const;

/** Every check that a worker knows by itself, and the parameters that it takes; a test compares them with the checks. */
export const checkParamNames: Readonly<Record<string, readonly string[]>> = {
  dns: ['names'],
  'dns-endpoints': ['addresses', 'port', 'name', 'silentMax'],
  api: [],
  network: ['targets'],
  'service-discovery': ['services'],
  'clock-skew': ['skewSecondsMax'],
  'disk-space': ['freePercentMin', 'freeInodesPercentMin', 'freeMiBMin'],
  'fsync-latency': ['writes', 'p99MsMax'],
  'peer-echo': ['peers', 'packets', 'lossPercentMax', 'peersMin'],
  mtu: ['peers', 'mtu'],
};
export const checkNames: readonly string[] = Object.keys(checkParamNames);

export const verificationDefaults = {
  taintValue: 'true',
  taintEffect: 'NoSchedule',
  labelValue: 'true',
  workerTimeoutSeconds: 60,
  maxRetries: 5,
  retryBackoff: 'exponential',
  nodeReadyTimeoutSeconds: 600,
  /** Cluster Autoscaler gives a node with a startup taint 15 minutes. */
  deadlineSeconds: 840,
  failuresBeforeGate: 2,
  onReboot: 'Verify',
  onUpdate: 'Verify',
  onboarding: 'Ignore',
  requests: { cpu: '50m', memory: '64Mi' },
  limits: { memory: '128Mi' },
} as const;

export const verificationLimits = {
  checksMax: 50,
  taintsMax: 8,
  tolerationsMax: 16,
  requirementsMax: 16,
  problemsMax: 8,
  problemLengthMax: 256,
} as const;
