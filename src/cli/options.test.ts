import { describe, expect, it } from 'vitest';
import { formatProblem } from '../base/result.ts';
import { readOperatorConfig, operatorHelp } from './operator-config.ts';
import { operatorOptions } from './operator-options.ts';
import type { Option } from './options.ts';

const noFile = { environment: {}, read: async () => ({ kind: 'error', error: 'ENOENT' }) as const };
const fileWith = (content: unknown) => ({
  environment: {},
  read: async () => ({ kind: 'ok', value: content }) as const,
});

async function problemsOf(
  args: readonly string[],
  files: Parameters<typeof readOperatorConfig>[1] = noFile,
): Promise<readonly string[]> {
  const config = await readOperatorConfig(args, files);
  return config.kind === 'error' ? config.error.map(formatProblem) : [];
}

describe('flags and config of the operator', () => {
  it('takes defaults when nothing is said', async () => {
    const config = await readOperatorConfig([], noFile);
    expect(config).toMatchObject({
      kind: 'ok',
      value: {
        isElected: true,
        leaseName: 'muster',
        leaseDurationMs: 15_000,
        renewDeadlineMs: 10_000,
        leaseRetryMs: 2_000,
        healthAddress: { host: '', port: 8081 },
        resyncMs: 600_000,
        writesPerSecond: null,
      },
    });
  });

  it('lets a flag win over the config file and the file over the default', async () => {
    const file = fileWith({
      log: { level: 'debug', format: 'text' },
      health: { bindAddress: '127.0.0.1:9' },
    });
    const config = await readOperatorConfig(['--config', 'f', '--log-level=warn'], file);
    expect(config).toMatchObject({
      kind: 'ok',
      value: { logLevel: 'warn', logFormat: 'text', healthAddress: { host: '127.0.0.1', port: 9 } },
    });
  });

  it('names every problem of a config file with its path, unknown keys included', async () => {
    const file = fileWith({
      colour: 'red',
      log: { level: 'loud', depth: 3 },
      resyncPeriod: '10',
      poolLabels: ['bad key'],
    });
    expect(await problemsOf(['--config', 'muster.yaml'], file)).toEqual([
      expect.stringMatching(/^muster\.yaml: colour: is not a known key; known are kubeconfig, /),
      expect.stringMatching(/^muster\.yaml: log\.depth: is not a known key/),
      expect.stringMatching(/^muster\.yaml: poolLabels: "bad key" is not a label key: name "bad key" is not/),
      'muster.yaml: resyncPeriod: must be a duration from 1m to 24h such as 10m, not "10"',
      'muster.yaml: log.level: must be one of debug, info, warn, error, not "loud"',
    ]);
  });

  it('names every wrong flag at once', async () => {
    expect(await problemsOf(['--colour', '--log-level', 'loud', 'extra', '--kubeconfig'])).toEqual([
      '--colour: is not a flag; --help lists them',
      'extra: is not expected here',
      '--kubeconfig: needs a value: <file>',
    ]);
    expect(await problemsOf(['--log-level', 'loud', '--resync-period', '1s'])).toEqual([
      '--resync-period: must be a duration from 1m to 24h such as 10m, not "1s"',
      '--log-level: must be one of debug, info, warn, error, not "loud"',
    ]);
  });

  it.each([
    [':8081', { host: '', port: 8081 }],
    ['127.0.0.1:0', { host: '127.0.0.1', port: 0 }],
    ['[::1]:80', { host: '::1', port: 80 }],
    ['0', null],
  ])('reads the address %s', async (text, expected) => {
    expect(await readOperatorConfig(['--health-bind-address', text], noFile)).toMatchObject({
      kind: 'ok',
      value: { healthAddress: expected },
    });
  });

  it.each(['8081', ':99999', 'a b:1', ''])('refuses the address %j', async (text) => {
    expect(await problemsOf([`--health-bind-address=${text}`])).toEqual([
      expect.stringContaining('must be an address such as :8081'),
    ]);
  });

  it('refuses a lease name that no object can have', async () => {
    expect(await problemsOf(['--leader-election-id', 'Bad_Name'])).toEqual([
      `--leader-election-id: must be lower-case letters, digits, '-' and '.', not "Bad_Name"`,
    ]);
  });

  it('switches a switch off with --no-', async () => {
    expect(await readOperatorConfig(['--no-leader-elect'], noFile)).toMatchObject({
      kind: 'ok',
      value: { isElected: false },
    });
  });

  it('refuses a burst without a rate, and a config file that is not a map', async () => {
    expect(await problemsOf(['--kube-api-burst', '5'])).toEqual([
      '--kube-api-burst: means nothing without --kube-api-qps',
    ]);
    expect(await problemsOf(['--config', 'f'], fileWith([1]))).toEqual(['f: config: must be a map, not [1]']);
    expect(await problemsOf(['--config', 'f'])).toEqual(['f: ENOENT']);
  });

  it.each([
    [['--leader-election-lease-duration', '15500ms'], ['must be whole seconds, not 15500 ms']],
    [
      ['--leader-election-lease-duration=12s'],
      [
        'must be at most two thirds of the lease duration of 12 s, not 10000 ms: the rest is for writes under way',
      ],
    ],
    [
      ['--leader-election-retry-period=3s'],
      ['must be at most a quarter of the renew deadline of 10000 ms, not 3000 ms: one renewal may be lost'],
    ],
    [
      [
        '--leader-election-lease-duration=30s',
        '--leader-election-renew-deadline=20s',
        '--leader-election-retry-period=5s',
      ],
      [],
    ],
  ])('holds the times of the lease against each other: %j', async (args, words) => {
    const problems = await problemsOf(args);
    expect(problems.map((problem) => problem.replace(/^--[a-z-]+: /, ''))).toEqual(words);
  });

  it('lists every flag and config key in help', () => {
    const help = operatorHelp();
    for (const { flag, key } of Object.values(operatorOptions)) {
      expect(help).toContain(`--${flag}`);
      if (key !== null) expect(help).toContain(`config: ${key}`);
    }
  });

  it('takes the names of the environment that the original controller read', async () => {
    const environment = { WORKER_IMAGE: 'registry/muster:1', MAX_RETRIES: '3', DELETE_FAILED_NODES: 'false' };
    expect(await readOperatorConfig([], { ...noFile, environment })).toMatchObject({
      kind: 'ok',
      value: { workerImage: 'registry/muster:1', attemptsMax: 3, isDeletingFailed: false },
    });
    expect(await problemsOf([], { ...noFile, environment: { MAX_RETRIES: 'many' } })).toEqual([
      'MAX_RETRIES: must be a whole number from 1 to 100, not "many"',
    ]);
  });

  it.each<[string, string, string]>([
    ['taintKey', 'node.kubernetes.io/not-ready', 'node.kubernetes.io/not-ready belongs to Kubernetes'],
    [
      'taintKey',
      'karpenter.sh/disrupted',
      'karpenter.sh/disrupted belongs to Kubernetes or to an autoscaler',
    ],
    ['taintKey', 'node-role.kubernetes.io/control-plane', 'belongs to Kubernetes'],
    ['taintKey', 'a b', '"a b" is not a taint key'],
    ['taintValue', 'a b', '"a b" is not'],
    ['verifiedLabel', '-', '"-" is not a label key'],
    [
      'verifiedLabel',
      'kubernetes.io/hostname',
      'kubernetes.io/hostname is set by Kubernetes or by a provider',
    ],
    ['verifiedLabelValue', 'a b', '"a b" is not'],
  ])(
    'refuses as verification.%s the text %j, in a file, a variable and a flag',
    async (key, value, words) => {
      const { flag, env = '' } = optionOf(`verification.${key}`);
      const refused = (path: string) => [expect.stringMatching(new RegExp(`^${path}: .*`))];
      const given = [
        [
          `f: verification.${key}`,
          await problemsOf(['--config', 'f'], fileWith({ verification: { [key]: value } })),
        ],
        [env, await problemsOf([], { ...noFile, environment: { [env]: value } })],
        [`--${flag}`, await problemsOf([`--${flag}=${value}`])],
      ] as const;
      for (const [path, problems] of given) {
        expect(problems).toEqual(refused(path));
        expect(problems[0]).toContain(words);
      }
    },
  );

  it('takes a startup taint that an autoscaler knows by its prefix', async () => {
    const key = 'startup-taint.cluster-autoscaler.kubernetes.io/unverified';
    expect(await problemsOf(['--taint-key', key])).toEqual([]);
  });

  it('reads the settings of workers as a worker would', async () => {
    const settings = (workerSettings: unknown) =>
      problemsOf(['--config', 'f'], fileWith({ verification: { workerSettings } }));
    expect(await settings({ dnsTestDomains: ['example.com.'], checkTimeout: '3s' })).toEqual([]);
    expect(await settings({ nodeName: 'a' })).toEqual([
      expect.stringContaining('f: verification.workerSettings: nodeName is not a known key'),
    ]);
    expect(await settings({ checkTimeout: '3 days' })).toEqual([
      expect.stringContaining('checkTimeout must be a duration'),
    ]);
  });
});

function optionOf(key: string): Option {
  const found = Object.values<Option>(operatorOptions).find((option) => option.key === key);
  if (found === undefined) throw new Error(`no option has the key ${key}`);
  return found;
}
