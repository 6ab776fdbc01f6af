import { describe, expect, it } from 'vitest';
import { formatProblem, ok } from '../base/result.ts';
import { daemonsetOptions, retiredVariables } from './daemonset-options.ts';
import { readWorkerConfig, workerHelp } from './worker-config.ts';

const pod = { NODE_NAME: 'worker-1', KUBERNETES_SERVICE_HOST: '10.96.0.1' };

type Said = {
  readonly args?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly file?: unknown;
};

async function read({ args = ['--mode=daemonset'], environment = {}, file }: Said) {
  const config = await readWorkerConfig({
    args: [...args, ...(file === undefined ? [] : ['--config', 'worker.yaml'])],
    environment: { ...pod, ...environment },
    readFile: async () => ok(file),
    parseText: async (text) => ok(JSON.parse(text)),
  });
  return config.kind === 'ok' ? config.value : config.error.map(formatProblem);
}

describe('the daemonset mode', () => {
  it('needs no more than what a pod has', async () => {
    expect(await read({})).toMatchObject({
      nodeName: 'worker-1',
      daemonset: {
        initialTimeoutMs: 300_000,
        attemptsMax: 5,
        backoff: 'exponential',
        taints: ['node-ready/unverified:NoSchedule'],
        verifiedLabel: 'node-ready/verified',
        verifiedLabelValue: 'true',
        isDryRun: false,
        logLevel: 'info',
        logFormat: 'json',
      },
    });
  });

  it('is not the mode of a worker that is not asked for it, whatever its variables say', async () => {
    const environment = { TAINT_KEY: 'not a key', DELETE_FAILED_NODE: 'true', MAX_RETRIES: '0' };
    expect(await read({ args: [], environment })).toMatchObject({ daemonset: null });
  });

  it('can be asked for by a variable', async () => {
    const environment = { VERIFICATION_MODE: 'daemonset' };
    expect(await read({ args: [], environment })).toMatchObject({ daemonset: { attemptsMax: 5 } });
    expect(await read({ args: ['--mode=worker'], environment })).toMatchObject({ daemonset: null });
  });

  it('can be asked for in the file', async () => {
    const file = { mode: 'daemonset', moreTaints: ['a/b:NoExecute'], logging: { format: 'text' } };
    expect(await read({ args: [], file })).toMatchObject({
      daemonset: { taints: ['node-ready/unverified:NoSchedule', 'a/b:NoExecute'], logFormat: 'text' },
    });
  });

  it('honours the variables of the earlier tool', async () => {
    const environment = {
      INITIAL_TIMEOUT: '300s',
      CHECK_TIMEOUT: '10s',
      MAX_RETRIES: '3',
      RETRY_BACKOFF: 'linear',
      DNS_TEST_DOMAINS: 'kubernetes.default.svc.cluster.local,google.com',
      TAINT_KEY: 'startup-taint.cluster-autoscaler.kubernetes.io/unverified',
      TAINT_VALUE: 'true',
      TAINT_EFFECT: 'NoExecute',
      VERIFIED_LABEL: 'example.com/verified',
      VERIFIED_LABEL_VALUE: 'yes',
      LOG_LEVEL: 'debug',
      LOG_FORMAT: 'text',
      DRY_RUN: 'true',
      DELETE_FAILED_NODE: 'false',
      ENABLE_METRICS: 'true',
      METRICS_PORT: '8080',
      KLOG_VERBOSITY: '2',
    };
    expect(await read({ environment })).toMatchObject({
      checkTimeoutMs: 10_000,
      dnsTestDomains: ['kubernetes.default.svc.cluster.local', 'google.com'],
      daemonset: {
        initialTimeoutMs: 300_000,
        attemptsMax: 3,
        backoff: 'linear',
        taints: ['startup-taint.cluster-autoscaler.kubernetes.io/unverified:NoExecute'],
        verifiedLabel: 'example.com/verified',
        verifiedLabelValue: 'yes',
        logLevel: 'debug',
        logFormat: 'text',
        isDryRun: true,
      },
    });
    const known = new Set<string>([
      'CHECK_TIMEOUT',
      'DNS_TEST_DOMAINS',
      ...Object.values(daemonsetOptions).flatMap((option) => ('env' in option ? option.env : [])),
      ...Object.keys(retiredVariables),
    ]);
    expect(Object.keys(environment).filter((variable) => !known.has(variable))).toEqual([]);
  });

  it.each<[string, Record<string, string>, string]>([
    [
      'to delete nodes',
      { DELETE_FAILED_NODE: 'true' },
      'DELETE_FAILED_NODE: is true, but a worker never deletes a node',
    ],
    [
      "to remove a taint of Kubernetes' own",
      { TAINT_KEY: 'node.kubernetes.io/not-ready' },
      'TAINT_KEY: node.kubernetes.io/not-ready belongs to Kubernetes or to an autoscaler',
    ],
    [
      'to open the control plane',
      { TAINT_KEY: 'node-role.kubernetes.io/control-plane' },
      'TAINT_KEY: node-role.kubernetes.io/control-plane belongs to Kubernetes',
    ],
    ['a key that is none', { TAINT_KEY: 'a b' }, 'TAINT_KEY: "a b" is not a taint key'],
    ['an effect that is none', { TAINT_EFFECT: 'NoWay' }, 'TAINT_EFFECT: must be one of NoSchedule'],
    ['a label that is none', { VERIFIED_LABEL: '-' }, 'VERIFIED_LABEL: "-" is not a label key'],
    ['a value that is none', { VERIFIED_LABEL_VALUE: 'a b' }, 'VERIFIED_LABEL_VALUE: "a b" is not'],
    ['no try at all', { MAX_RETRIES: '0' }, 'MAX_RETRIES: must be a whole number from 1 to 100, not "0"'],
    ['a pause that is none', { RETRY_BACKOFF: 'cubic' }, 'RETRY_BACKOFF: must be one of exponential, linear'],
  ])('refuses %s', async (_, environment, words) => {
    expect(await read({ environment })).toEqual([expect.stringContaining(words)]);
  });

  it.each(['node-ready/unverified', 'a:NoWay', 'node.kubernetes.io/unreachable:NoExecute'])(
    'refuses %s among more taints',
    async (taint) => {
      expect(await read({ args: ['--mode=daemonset', '--more-taints', `x/y:NoSchedule,${taint}`] })).toEqual([
        expect.stringContaining('--more-taints: '),
      ]);
    },
  );

  it('has flags that nothing else takes', async () => {
    expect(await read({ args: ['--dry-run'] })).toEqual(['--dry-run: is a flag of --mode=daemonset']);
  });

  it('is told about in the help', () => {
    for (const { flag } of Object.values(daemonsetOptions)) expect(workerHelp()).toContain(`--${flag}`);
  });
});
