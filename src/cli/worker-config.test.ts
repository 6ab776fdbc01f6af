import { describe, expect, it } from 'vitest';
import { formatProblem, ok } from '../base/result.ts';
import { readWorkerConfig, type WorkerConfig, workerHelp } from './worker-config.ts';
import { workerOptions } from './worker-options.ts';

const pod = { NODE_NAME: 'worker-1', KUBERNETES_SERVICE_HOST: '10.96.0.1' };

type Said = {
  readonly args?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly file?: unknown;
};

function read({ args = [], environment = pod, file }: Said) {
  return readWorkerConfig({
    args: [...args, ...(file === undefined ? [] : ['--config', 'worker.yaml'])],
    environment,
    readFile: async () => ok(file),
    parseText: async (text) => ok(JSON.parse(text)),
  });
}

async function problems(said: Said): Promise<readonly string[]> {
  const config = await read(said);
  return config.kind === 'error' ? config.error.map(formatProblem) : [];
}

async function value(said: Said): Promise<WorkerConfig> {
  const config = await read(said);
  if (config.kind === 'error') throw new Error(config.error.map(formatProblem).join('\n'));
  return config.value;
}

describe('the configuration of a worker', () => {
  it('needs no more than what a pod has, and then runs the usual checks', async () => {
    const { plan, nodeName, apiPort } = await value({});
    expect({ nodeName, apiPort }).toEqual({ nodeName: 'worker-1', apiPort: 443 });
    expect(plan.map(({ id, severity, timeoutMs, triesMax }) => [id, severity, timeoutMs, triesMax])).toEqual([
      ['dns', 'required', 5000, 3],
      ['api', 'required', 5000, 3],
      ['network', 'required', 5000, 3],
      ['service-discovery', 'required', 5000, 3],
    ]);
  });

  it('knows every field of the original worker as a key of the file', async () => {
    const file = {
      nodeName: 'worker-2',
      namespace: 'kube-system',
      checkTimeout: '7s',
      dnsTestDomains: ['example.com'],
      clusterDNSIP: '10.96.0.10',
      kubernetesServiceHost: '10.96.0.2',
      kubernetesServicePort: '6443',
      workerMode: true,
      reportResultsToAPI: true,
    };
    expect(await value({ file })).toMatchObject({
      nodeName: 'worker-2',
      namespace: 'kube-system',
      checkTimeoutMs: 7000,
      dnsTestDomains: ['example.com'],
      dnsServer: { address: '10.96.0.10', port: 53 },
      apiHost: '10.96.0.2',
      apiPort: 6443,
      isForAnnotation: true,
    });
  });

  it('knows the same as variables', async () => {
    const environment = {
      NODE_NAME: 'worker-3',
      POD_NAMESPACE: 'kube-system',
      CHECK_TIMEOUT: '9s',
      DNS_TEST_DOMAINS: 'a.example.com, b.example.com',
      CLUSTER_DNS_IP: '[fd00::a]:5353',
      KUBERNETES_SERVICE_HOST: 'fd00::1',
      KUBERNETES_SERVICE_PORT: '6443',
      WORKER_MODE: 'true',
      REPORT_RESULTS_TO_API: 'false',
    };
    expect(await value({ environment })).toMatchObject({
      nodeName: 'worker-3',
      namespace: 'kube-system',
      checkTimeoutMs: 9000,
      dnsTestDomains: ['a.example.com', 'b.example.com'],
      dnsServer: { address: 'fd00::a', port: 5353 },
      apiHost: 'fd00::1',
      isForAnnotation: false,
    });
  });

  it('takes flags over the file, the file over variables, and an empty variable for none', async () => {
    const environment = { ...pod, CHECK_TIMEOUT: '1s', POD_NAMESPACE: 'from-env', NODE_UID: '' };
    const file = { checkTimeout: '2s', namespace: 'from-file' };
    const config = await value({ environment, file, args: ['--check-timeout', '3s'] });
    expect(config).toMatchObject({ checkTimeoutMs: 3000, namespace: 'from-file', nodeUID: '' });
  });

  it('plans a check several times under ids of their own, with settings of their own', async () => {
    const target = { address: '10.0.0.1', port: 80, protocol: 'tcp' };
    const checks = [
      {
        name: 'network',
        id: 'web',
        severity: 'advisory',
        timeoutSeconds: 1.5,
        tries: 2,
        params: { targets: [target] },
      },
      { name: 'network' },
    ];
    const { plan } = await value({ file: { checks } });
    expect(plan).toMatchObject([
      { id: 'web', severity: 'advisory', timeoutMs: 1500, triesMax: 2 },
      { id: 'network', severity: 'required', timeoutMs: 5000, triesMax: 3 },
    ]);
  });

  it('takes the names of checks from a flag', async () => {
    expect((await value({ args: ['--checks', 'clock-skew, mtu'] })).plan.map(({ id }) => id)).toEqual([
      'clock-skew',
      'mtu',
    ]);
  });

  it('takes a config as text where there is no file, but not both', async () => {
    expect(await value({ args: ['--config-text', '{"namespace": "a"}'] })).toMatchObject({ namespace: 'a' });
    expect(await problems({ args: ['--config-text', '{}'], file: {} })).toEqual([
      '--config: cannot be given together with --config-text',
    ]);
  });
});

describe('a wrong configuration of a worker', () => {
  it('has all its problems listed at once, each with its path', async () => {
    const file = {
      colour: 'red',
      checkTimeout: 5,
      workerMode: false,
      checks: [
        { name: 'dns', params: { names: ['10.0.0.1', 'localhost'], shape: 1 } },
        { name: 'dance' },
        { name: 'network', severity: 'grave', params: { targets: [{ port: 0 }] } },
      ],
    };
    const found = await problems({ file, environment: { NODE_NAME: 'Worker_1' } });
    expect(found.map((problem) => problem.replace(/(?:;|, not|, but) .*$/, ''))).toEqual([
      'colour: is not a known key',
      "NODE_NAME: must be lower-case letters, digits, '-' and '.'",
      'checkTimeout: must be a duration from 100ms to 5m such as 10m',
      'KUBERNETES_SERVICE_HOST: is required',
      'WORKER_MODE: is false',
      'checks[0].params.shape: is not a known key',
      'checks[0].params.names[0]: must be a DNS name, neither an IP address nor localhost',
      'checks[0].params.names[1]: must be a DNS name, neither an IP address nor localhost',
      expect.stringMatching(/^checks\[1\]\.name: must be one of dns, dns-endpoints/),
      'checks[2].params.targets[0].address: is required',
      'checks[2].params.targets[0].protocol: is required',
      'checks[2].params.targets[0].port: must be an integer from 1 to 65535',
      'checks[2].severity: must be required or advisory',
    ]);
  });

  it.each([
    ['an empty list of checks', { file: { checks: [] } }, /^checks: must be a list with at least one check$/],
    ['51 checks', { file: { checks: Array.from({ length: 51 }, () => ({ name: 'dns' })) } }, /at most 50/],
    ['one id twice', { file: { checks: [{ name: 'dns' }, { name: 'dns' }] } }, /dns more than once/],
    ['an id that is too long', { file: { checks: [{ name: 'dns', id: 'x'.repeat(21) }] } }, /up to 20/],
    ['a list in place of a map', { file: ['dns'] }, /^config: must be a map/],
    [
      'a name for the API server',
      { file: { kubernetesServiceHost: 'api.example.com' } },
      /must be an IP address/,
    ],
    ['an address as a test domain', { file: { dnsTestDomains: ['8.8.8.8'] } }, /neither an IP address/],
    ['localhost as a test domain', { file: { dnsTestDomains: ['localhost.'] } }, /nor localhost/],
    [
      'no name to resolve',
      { file: { checks: [{ name: 'dns', params: { names: [] } }] } },
      /a list of 1 to 16/,
    ],
    ['an echo without a word', { file: { echo: { bindAddress: ':7007' } } }, /ECHO_WORD: is required/],
    ['a control worker that echoes nowhere', { file: { mode: 'control' } }, /ECHO_BIND_ADDRESS: is required/],
    ['a bad CIDR', { file: { allowedTargets: ['10.0.0.0/64'] } }, /must be an address or a CIDR/],
    ['a nonce that cannot be repeated', { file: { nonce: 'a b' } }, /must be up to 40 letters/],
    [
      'the API server as a target',
      {
        file: { checks: [{ name: 'peer-echo', params: { peers: [{ address: '10.96.0.1', port: 443 }] } }] },
      },
      /10\.96\.0\.1 belongs to the API server/,
    ],
    ['an unknown flag', { args: ['--wings'] }, /--wings: is not a flag/],
  ] as const)('is refused: %s', async (_sentence, said, expected) => {
    expect(await problems(said)).toEqual([expect.stringMatching(expected)]);
  });
});

describe('the help of the worker', () => {
  it('names every flag, key and variable', () => {
    for (const { flag, key, env } of Object.values(workerOptions)) {
      expect(workerHelp()).toContain(`--${flag}`);
      if (key !== null) expect(workerHelp()).toContain(`config: ${key}`);
      expect(workerHelp()).toContain(`env: ${env}`);
    }
  });
});
