import { describe, expect, it } from 'vitest';
import { formatProblem } from '../base/result.ts';
import { readOperatorConfig } from './operator-config.ts';

function read(file: unknown, environment: Readonly<Record<string, string>> = {}) {
  const sources = { environment, read: async () => ({ kind: 'ok', value: file }) as const };
  return readOperatorConfig(['--config', 'f'], sources);
}

async function problemsOf(file: unknown): Promise<readonly string[]> {
  const config = await read(file);
  return config.kind === 'error' ? config.error.map(formatProblem) : [];
}

/** By the field of the original controller: where it stands in a file, and what is read there. */
const fields: Readonly<Record<string, readonly [file: object, value: object]>> = {
  WorkerImage: [{ verification: { workerImage: 'a:1' } }, { workerImage: 'a:1' }],
  WorkerNamespace: [{ verification: { workerNamespace: 'w' } }, { workerNamespace: 'w' }],
  WorkerTimeout: [{ verification: { workerTimeout: '90s' } }, { workerTimeoutMs: 90_000 }],
  WorkerResources: [
    { verification: { workerResources: { requests: { cpu: 1 }, limits: { memory: '256Mi' } } } },
    { workerResources: { requests: { cpu: '1' }, limits: { memory: '256Mi' } } },
  ],
  MaxRetries: [{ verification: { maxRetries: 3 } }, { attemptsMax: 3 }],
  RetryBackoff: [{ verification: { retryBackoff: 'linear' } }, { retryBackoff: 'linear' }],
  ReconcileInterval: [{ resyncPeriod: '2m' }, { resyncMs: 120_000 }],
  DeleteFailedNodes: [{ verification: { deleteFailedNodes: true } }, { isDeletingFailed: true }],
  TaintKey: [{ verification: { taintKey: 'a.io/new' } }, { taintKey: 'a.io/new' }],
  TaintValue: [{ verification: { taintValue: 'yes' } }, { taintValue: 'yes' }],
  TaintEffect: [{ verification: { taintEffect: 'NoExecute' } }, { taintEffect: 'NoExecute' }],
  VerifiedLabel: [{ verification: { verifiedLabel: 'a.io/ok' } }, { verifiedLabel: 'a.io/ok' }],
  VerifiedLabelValue: [{ verification: { verifiedLabelValue: 'yes' } }, { verifiedLabelValue: 'yes' }],
  MetricsEnabled: [{ metrics: { bindAddress: '0' } }, { metricsAddress: null }],
  MetricsPort: [{ metrics: { bindAddress: ':9090' } }, { metricsAddress: { host: '', port: 9090 } }],
  HealthPort: [{ health: { bindAddress: ':9091' } }, { healthAddress: { host: '', port: 9091 } }],
  LogLevel: [{ log: { level: 'debug' } }, { logLevel: 'debug' }],
  LogFormat: [{ log: { format: 'text' } }, { logFormat: 'text' }],
};

describe('the configuration of the original controller', () => {
  it.each(Object.entries(fields))('has a key for %s', async (_, [file, value]) => {
    expect(await read(file)).toMatchObject({ kind: 'ok', value });
  });

  it('is read from every variable of its Deployment', async () => {
    const environment = {
      WORKER_IMAGE: 'kube-node-ready:latest',
      WORKER_NAMESPACE: 'kube-system',
      MAX_RETRIES: '5',
      DELETE_FAILED_NODES: 'false',
    };
    expect(await read({}, environment)).toMatchObject({
      kind: 'ok',
      value: {
        workerImage: 'kube-node-ready:latest',
        workerNamespace: 'kube-system',
        attemptsMax: 5,
        isDeletingFailed: false,
      },
    });
  });

  it.each([
    [
      'a key that does not exist',
      { verification: { maxRetires: 3 } },
      'verification.maxRetires: is not a known',
    ],
    ['a list of it', { verification: [] }, 'verification: must be a map'],
  ])('is refused with %s', async (_, file, words) => {
    expect(await problemsOf(file)).toEqual([expect.stringContaining(`f: ${words}`)]);
  });
});

describe('the resources of workers', () => {
  it.each<[string, unknown, string]>([
    ['a word', 'much', 'must be a map of requests and limits, not "much"'],
    ['another part', { claims: {} }, 'claims is not a known key; known are requests, limits'],
    ['another resource', { limits: { gpu: 1 } }, 'limits.gpu is not a known key; known are cpu, memory'],
    ['no map', { limits: 3 }, 'limits must be a map, not 3'],
    ['a map as an amount', { limits: { cpu: {} } }, 'limits.cpu must be a quantity of 0 or more, not {}'],
    [
      'no quantity',
      { limits: { memory: 'lots' } },
      'limits.memory must be a quantity of 0 or more, not "lots"',
    ],
    [
      'less than nothing',
      { requests: { cpu: '-1' } },
      'requests.cpu must be a quantity of 0 or more, not "-1"',
    ],
    [
      'a limit below what is asked for',
      { requests: { cpu: '2' }, limits: { cpu: '1' } },
      'requests.cpu of 2 is more than limits.cpu of 1',
    ],
    [
      'a request above the usual limit',
      { requests: { memory: '256Mi' } },
      'requests.memory of 256Mi is more than limits.memory of 128Mi',
    ],
    [
      'a limit below the usual request',
      { limits: { memory: '32Mi' } },
      'requests.memory of 64Mi is more than limits.memory of 32Mi',
    ],
  ])('are refused as %s, before any pod is', async (_, workerResources, words) => {
    expect(await problemsOf({ verification: { workerResources } })).toEqual([
      `f: verification.workerResources: ${words}`,
    ]);
  });

  it('are JSON in a flag', async () => {
    const flag = '--worker-resources={"limits":{"cpu":"500m"}}';
    const sources = { environment: {}, read: async () => ({ kind: 'ok', value: {} }) as const };
    expect(await readOperatorConfig([flag], sources)).toMatchObject({
      kind: 'ok',
      value: { workerResources: { limits: { cpu: '500m' } } },
    });
  });
});
