// The options of `muster operator`, declared once.

import { authorities } from '../api/disruption-vocabulary.ts';
import { defaultPoolLabels, leaderLeaseName, systemNamespace } from '../api/keys.ts';
import { evaluationModes } from '../api/readiness-vocabulary.ts';
import {
  address,
  choice,
  duration,
  flagSwitch,
  labelKeyList,
  nodeLimit,
  number,
  objectName,
  text,
} from './option-kinds.ts';
import { option, type OptionList, type ValuesOf } from './options.ts';
import { connectionOptions, kubeconfigOrPod, logOptions } from './process-options.ts';
import { verificationOptions } from './verification-options.ts';

const MINUTE_MS = 60_000;

export const operatorOptions = {
  kubeconfig: { ...kubeconfigOrPod, key: 'kubeconfig' },
  context: { ...connectionOptions.context, key: 'context' },
  configFile: option(text('<file>'), {
    flag: 'config',
    key: null,
    fallback: '',
    help: 'a YAML file with any of the keys named here; flags win over it',
  }),
  isElected: option(flagSwitch, {
    flag: 'leader-elect',
    key: 'leaderElection.enabled',
    fallback: true,
    help: 'write only while holding the Lease; --no-leader-elect for a single replica',
  }),
  leaseNamespace: option(text('<namespace>'), {
    flag: 'leader-election-namespace',
    key: 'leaderElection.namespace',
    fallback: '',
    fallbackText: `the pod's own, else ${systemNamespace}`,
    help: 'where the Lease lives',
  }),
  leaseName: option(objectName, {
    flag: 'leader-election-id',
    key: 'leaderElection.id',
    fallback: leaderLeaseName,
    help: 'the name of the Lease',
  }),
  leaseDurationMs: option(duration({ min: '3s', max: '10m' }), {
    flag: 'leader-election-lease-duration',
    key: 'leaderElection.leaseDuration',
    fallback: 15_000,
    fallbackText: '15s',
    help: 'how long a leader that is not heard of is waited for, in whole seconds',
  }),
  renewDeadlineMs: option(duration({ min: '2s', max: '10m' }), {
    flag: 'leader-election-renew-deadline',
    key: 'leaderElection.renewDeadline',
    fallback: 10_000,
    fallbackText: '10s',
    help: 'a leader that could not renew the Lease for so long ends; at most two thirds of its duration',
  }),
  leaseRetryMs: option(duration({ min: '200ms', max: '3m' }), {
    flag: 'leader-election-retry-period',
    key: 'leaderElection.retryPeriod',
    fallback: 2_000,
    fallbackText: '2s',
    help: 'how often the Lease is renewed or looked at, up to a fifth later; at most a quarter of the deadline',
  }),
  healthAddress: option(address, {
    flag: 'health-bind-address',
    key: 'health.bindAddress',
    fallback: { host: '', port: 8081 },
    fallbackText: ':8081',
    help: 'where /healthz and /readyz are served; 0 for nowhere',
  }),
  metricsAddress: option(address, {
    flag: 'metrics-bind-address',
    key: 'metrics.bindAddress',
    fallback: { host: '', port: 8080 },
    fallbackText: ':8080',
    help: 'where /metrics is served; 0 for nowhere',
  }),
  poolLabels: option(labelKeyList, {
    flag: 'pool-labels',
    key: 'poolLabels',
    fallback: defaultPoolLabels,
    fallbackText: 'the labels of the known providers',
    help: 'node labels that name the pool; the first one found wins, else the pool is "default"',
  }),
  resyncMs: option(duration({ min: '1m', max: '24h' }), {
    flag: 'resync-period',
    key: 'resyncPeriod',
    fallback: 10 * MINUTE_MS,
    fallbackText: '10m',
    help: 'how often every node is looked at without a cause, +-10 %',
  }),
  authority: option(choice(authorities), {
    flag: 'authority',
    key: 'authority',
    fallback: 'act',
    fallbackText: 'what the DisruptionPolicy says',
    help: 'the most that may be done to nodes; the policy can only say less',
  }),
  gateBudget: option(nodeLimit, {
    flag: 'gate-budget',
    key: 'gateBudget',
    fallback: null,
    fallbackText: 'what the DisruptionPolicy says',
    help: 'nodes in service of one pool that may be gated at once, in place of what the policy says',
  }),
  evaluations: option(choice(evaluationModes), {
    flag: 'evaluations',
    key: 'readiness.evaluations',
    fallback: 'all',
    help: 'for which nodes of a readiness rule a NodeReadinessEvaluation is kept',
  }),
  logLevel: { ...logOptions.logLevel, key: 'log.level' },
  logFormat: { ...logOptions.logFormat, key: 'log.format' },
  writesPerSecond: option(number({ min: 0.1, max: 10_000 }), {
    flag: 'kube-api-qps',
    key: 'kubeApi.qps',
    fallback: null,
    fallbackText: 'no limit of its own: the API server decides',
    help: 'writes per second to the API server',
  }),
  writeBurst: option(number({ min: 1, max: 10_000 }), {
    flag: 'kube-api-burst',
    key: 'kubeApi.burst',
    fallback: null,
    fallbackText: 'the same as --kube-api-qps, rounded up',
    help: 'writes at once on top of --kube-api-qps',
  }),
  isHttp1: option(flagSwitch, {
    flag: 'http1',
    key: 'kubeApi.http1',
    fallback: false,
    help: 'HTTP/1.1 only, for proxies and load balancers that break HTTP/2',
  }),
  ...verificationOptions,
} satisfies OptionList;

export type OperatorValues = ValuesOf<typeof operatorOptions>;
