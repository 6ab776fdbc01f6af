// The options of `muster operator` that are about verification, declared once. The names of the environment are those that
// the controller of the original tool read.

import { clusterDnsService, verificationKeys, workerServiceAccount } from '../api/keys.ts';
import {
  gateEffects,
  onboardings,
  retryBackoffs,
  verificationDefaults as defaults,
} from '../api/verification-vocabulary.ts';
import { err, ok } from '../base/result.ts';
import { isRecord } from '../objects/raw.ts';
import type { ServiceName } from '../objects/service.ts';
import {
  choice,
  duration,
  flagSwitch,
  jsonOf,
  nodeValue,
  objectName,
  ownLabel,
  taintKey,
  text,
  whole,
} from './option-kinds.ts';
import { option, type OptionKind, type OptionList, readWhatIsRight } from './options.ts';
import { workerOptions } from './worker-options.ts';
import { workerResources } from './worker-resources.ts';

const SECOND_MS = 1000;

/** What an admin may set for every worker; who and where a worker is, is not among it. */
const workerKeys = [
  'checkTimeout',
  'checkTries',
  'dnsTestDomains',
  'clusterDNSIP',
  'checks',
  'allowedTargets',
  'deniedTargets',
] as const;

/** A map in a config file, JSON in a flag: read as the worker would read it, so that no worker is started in vain. */
const workerSettings: OptionKind<Readonly<Record<string, unknown>>> = {
  placeholder: '<JSON>',
  read(raw) {
    const settings = jsonOf(raw);
    if (!isRecord(settings)) return err(`must be a map, not ${JSON.stringify(raw)}`);
    const stranger = Object.keys(settings).find((key) => !workerKeys.some((each) => each === key));
    if (stranger !== undefined)
      return err(`${stranger} is not a known key; known are ${workerKeys.join(', ')}`);
    const { problems } = readWhatIsRight(workerOptions, {
      flags: new Map(),
      config: settings,
      environment: {},
    });
    return problems.length === 0
      ? ok(settings)
      : err(problems.map(({ path, message }) => `${path} ${message}`).join('; '));
  },
};

/** `namespace/name`. */
const serviceName: OptionKind<ServiceName> = {
  placeholder: '<namespace/name>',
  read: (raw) =>
    typeof raw === 'string' && /^[a-z0-9]([-a-z0-9]*[a-z0-9])?\/[a-z0-9]([-a-z0-9]*[a-z0-9])?$/.test(raw)
      ? ok(readServiceName(raw))
      : err(
          `must be the namespace and the name of a Service such as ${clusterDnsService}, not ${JSON.stringify(raw)}`,
        ),
};

function readServiceName(text: string): ServiceName {
  const [namespace = '', name = ''] = text.split('/');
  return { namespace, name };
}

/** A list in a config file, JSON in a flag. What is in it is read apart, because few operators have any. */
const rawList: OptionKind<readonly unknown[]> = {
  placeholder: '<JSON>',
  read(raw) {
    const list = jsonOf(raw);
    return Array.isArray(list) ? ok(list) : err(`must be a list, not ${JSON.stringify(raw)}`);
  },
};

export const verificationOptions = {
  isVerifying: option(flagSwitch, {
    flag: 'verify-nodes',
    key: 'verification.enabled',
    env: 'VERIFY_NODES',
    fallback: false,
    help: 'verify every new node that no NodeVerification selects, as the keys below say',
  }),
  workerImage: option(text('<image>'), {
    flag: 'worker-image',
    key: 'verification.workerImage',
    env: 'WORKER_IMAGE',
    fallback: 'muster:latest',
    help: 'the image of workers; the one of the operator, in the chart',
  }),
  workerPullPolicy: option(choice(['IfNotPresent', 'Always', 'Never']), {
    flag: 'worker-image-pull-policy',
    key: 'verification.workerImagePullPolicy',
    fallback: 'IfNotPresent',
    help: 'when it is pulled',
  }),
  workerNamespace: option(text('<namespace>'), {
    flag: 'worker-namespace',
    key: 'verification.workerNamespace',
    env: 'WORKER_NAMESPACE',
    fallback: '',
    fallbackText: 'where the Lease lives',
    help: 'where workers run; nobody else should be able to create pods there',
  }),
  workerAccount: option(objectName, {
    flag: 'worker-service-account',
    key: 'verification.workerServiceAccount',
    fallback: workerServiceAccount,
    help: 'the account of workers; it needs no rights',
  }),
  workerTimeoutMs: option(duration({ min: '5s', max: '1h' }), {
    flag: 'worker-timeout',
    key: 'verification.workerTimeout',
    env: 'WORKER_TIMEOUT',
    fallback: defaults.workerTimeoutSeconds * SECOND_MS,
    fallbackText: '60s',
    help: 'how long a worker may run',
  }),
  workerResources: option(workerResources, {
    flag: 'worker-resources',
    key: 'verification.workerResources',
    fallback: {},
    fallbackText: 'requests of 50m and 64Mi, a limit of 128Mi',
    help: 'requests and limits of cpu and memory of workers whose policy does not say',
  }),
  attemptsMax: option(whole({ min: 1, max: 100 }), {
    flag: 'max-retries',
    key: 'verification.maxRetries',
    env: 'MAX_RETRIES',
    fallback: defaults.maxRetries,
    fallbackText: '5',
    help: 'how many attempts are made in all',
  }),
  retryBackoff: option(choice(retryBackoffs), {
    flag: 'retry-backoff',
    key: 'verification.retryBackoff',
    env: 'RETRY_BACKOFF',
    fallback: defaults.retryBackoff,
    help: 'how long an attempt waits after one that failed: 1, 2, 4 ... 30 s, or 5 s',
  }),
  taintKey: option(taintKey, {
    flag: 'taint-key',
    key: 'verification.taintKey',
    env: 'TAINT_KEY',
    fallback: verificationKeys.taint,
    help: 'the taint of a node that is not verified yet',
  }),
  taintValue: option(nodeValue, {
    flag: 'taint-value',
    key: 'verification.taintValue',
    env: 'TAINT_VALUE',
    fallback: defaults.taintValue,
    help: 'its value, where the operator sets it',
  }),
  taintEffect: option(choice(gateEffects), {
    flag: 'taint-effect',
    key: 'verification.taintEffect',
    env: 'TAINT_EFFECT',
    fallback: defaults.taintEffect,
    help: 'its effect',
  }),
  verifiedLabel: option(ownLabel, {
    flag: 'verified-label',
    key: 'verification.verifiedLabel',
    env: 'VERIFIED_LABEL',
    fallback: verificationKeys.verifiedLabel,
    help: 'the label of a verified node',
  }),
  verifiedLabelValue: option(nodeValue, {
    flag: 'verified-label-value',
    key: 'verification.verifiedLabelValue',
    env: 'VERIFIED_LABEL_VALUE',
    fallback: defaults.labelValue,
    help: 'its value',
  }),
  onboarding: option(choice(onboardings), {
    flag: 'onboarding',
    key: 'verification.onboarding',
    fallback: defaults.onboarding,
    help: 'what becomes of nodes that were in service before: left alone, labelled, or verified without a taint',
  }),
  isDeletingFailed: option(flagSwitch, {
    flag: 'delete-failed-nodes',
    key: 'verification.deleteFailedNodes',
    env: 'DELETE_FAILED_NODES',
    fallback: false,
    help: 'a node that failed for good is to be deleted; not carried out yet, it is shown as held',
  }),
  workerSettings: option(workerSettings, {
    flag: 'worker-settings',
    key: 'verification.workerSettings',
    fallback: {},
    fallbackText: 'the defaults of the worker',
    help: `settings of every worker: ${workerKeys.join(', ')}`,
  }),
  dnsService: option(serviceName, {
    flag: 'dns-service',
    key: 'verification.dnsService',
    fallback: readServiceName(clusterDnsService),
    fallbackText: clusterDnsService,
    help: 'the Service whose pods the check dns-endpoints asks where a policy names none',
  }),
  customChecks: option(rawList, {
    flag: 'worker-init-containers',
    key: 'worker.initContainers',
    fallback: [],
    fallbackText: 'none',
    help: 'custom checks: containers that a policy can choose by name, and that --verify-nodes runs all of',
  }),
  customVolumes: option(rawList, {
    flag: 'worker-volumes',
    key: 'worker.volumes',
    fallback: [],
    fallbackText: 'none',
    help: 'volumes that custom checks may mount: hostPath, emptyDir, configMap or secret',
  }),
  isReportingToApi: option(flagSwitch, {
    flag: 'report-results-to-api',
    key: 'verification.reportResultsToAPI',
    env: 'REPORT_RESULTS_TO_API',
    fallback: false,
    help: 'the report of a worker is copied to an annotation of its pod before that goes; needs a right of its own',
  }),
  isShownOnNodes: option(flagSwitch, {
    flag: 'node-condition',
    key: 'verification.nodeCondition',
    fallback: false,
    help: 'nodes say by the condition Verified whether they are verified; needs a right of its own',
  }),
  workersMax: option<number | null>(whole({ min: 1, max: 1000 }), {
    flag: 'workers-max',
    key: 'verification.maxConcurrent',
    fallback: null,
    fallbackText: '100, and up to 250 while many nodes wait',
    help: 'how many workers run at once; when given, never more, however many nodes wait',
  }),
  workerStartsPerSecond: option(whole({ min: 1, max: 1000 }), {
    flag: 'worker-starts-per-second',
    key: 'verification.startsPerSecond',
    fallback: 50,
    fallbackText: '50',
    help: 'how many workers are started per second, and twice as many at once',
  }),
  stalledAfterMs: option(duration({ min: '11m', max: '24h' }), {
    flag: 'verification-stalled-after',
    key: 'verification.stalledAfter',
    fallback: 15 * 60 * SECOND_MS,
    fallbackText: '15m',
    help: '/readyz fails when a node is not verified, nothing explains why, and it has not moved for so long',
  }),
  isMeasuringNodes: option(flagSwitch, {
    flag: 'metrics-per-node',
    key: 'metrics.perNode',
    fallback: false,
    help: 'the counters of verification carry the name of the node; its series go with it',
  }),
} satisfies OptionList;
