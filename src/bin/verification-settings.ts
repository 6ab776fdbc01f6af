// From the configuration of the operator to what verification is made with.

import type { OperatorConfig } from '../cli/operator-config.ts';
import { checkList } from '../cli/worker-option-kinds.ts';
import type { VerificationOptions } from '../capabilities/verification/capability.ts';
import { defaultPolicy } from '../capabilities/verification/policy.ts';
import type { WorkerTemplate } from '../capabilities/verification/worker-pod.ts';
import { usualChecks } from '../checks/usual.ts';
import { recordsIn, textOf } from '../objects/raw.ts';
import { defaultWorkerLimits, type WorkerLimits } from '../runtime/arbitrate-worker.ts';

const SECOND_MS = 1000;

export function verificationSettings(
  config: OperatorConfig,
  ownNamespace: string,
): Pick<
  VerificationOptions,
  'template' | 'fallback' | 'stalledAfterMs' | 'isMeasuringNodes' | 'isShownOnNodes'
> {
  const { workerSettings } = config;
  return {
    template: {
      namespace: config.workerNamespace || ownNamespace,
      image: config.workerImage,
      pullPolicy: config.workerPullPolicy,
      serviceAccountName: config.workerAccount,
      resources: config.workerResources,
      config: workerSettings,
      checks: checksIn(workerSettings['checks']),
      custom: config.custom,
      dnsService: config.dnsService,
      isReportingToApi: config.isReportingToApi,
    },
    fallback: config.isVerifying ? policyOf(config) : null,
    stalledAfterMs: config.stalledAfterMs,
    isMeasuringNodes: config.isMeasuringNodes,
    isShownOnNodes: config.isShownOnNodes,
  };
}

/** Which checks a worker of these settings runs. What is wrong with them the worker itself says. */
function checksIn(settings: unknown): WorkerTemplate['checks'] {
  if (settings === undefined) return usualChecks.map((name) => ({ name }));
  const list = checkList.read(settings);
  return recordsIn(list.kind === 'ok' ? list.value : []).map(({ name, id, severity }) => ({
    name: textOf(name),
    ...(typeof id === 'string' ? { id } : {}),
    ...(severity === 'advisory' ? { severity } : {}),
  }));
}

function policyOf(config: OperatorConfig): ReturnType<typeof defaultPolicy> {
  const { taintKey: key, taintValue: value, taintEffect: effect } = config;
  return defaultPolicy({
    taints: [{ key, value, effect }],
    verifiedLabel: { key: config.verifiedLabel, value: config.verifiedLabelValue },
    workerTimeoutSeconds: Math.ceil(config.workerTimeoutMs / SECOND_MS),
    maxRetries: config.attemptsMax,
    retryBackoff: config.retryBackoff,
    onboarding: config.onboarding,
    deleteFailedNodes: config.isDeletingFailed,
  });
}

export function workerLimitsOf({ workersMax, workerStartsPerSecond }: OperatorConfig): WorkerLimits {
  return {
    ...defaultWorkerLimits,
    ...(workersMax === null ? {} : { concurrent: workersMax, inCrowd: workersMax }),
    perSecond: workerStartsPerSecond,
    burst: 2 * workerStartsPerSecond,
  };
}
