// From the configuration of the operator to what verification is made with.

import type { OperatorConfig } from '../cli/operator-options.ts';
import type { VerificationOptions } from '../capabilities/verification/capability.ts';
import { defaultPolicy } from '../capabilities/verification/policy.ts';
import type { WorkerLimits } from '../runtime/arbitrate-worker.ts';

const SECOND_MS = 1000;

export function verificationSettings(
  config: OperatorConfig,
  ownNamespace: string,
): Pick<VerificationOptions, 'template' | 'fallback'> {
  const { reportResultsToAPI, ...settings } = config.workerSettings;
  return {
    template: {
      namespace: config.workerNamespace || ownNamespace,
      image: config.workerImage,
      pullPolicy: config.workerPullPolicy,
      serviceAccountName: config.workerAccount,
      config: settings,
      isReportingToApi: reportResultsToAPI === true,
    },
    fallback: config.isVerifying ? policyOf(config) : null,
  };
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
  return { concurrent: workersMax, perSecond: workerStartsPerSecond, burst: 2 * workerStartsPerSecond };
}
