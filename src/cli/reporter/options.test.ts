import { readFileSync } from 'node:fs';
import path from 'node:path';
import { loadAll } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { formatProblem } from '../../base/result.ts';
import { readReporterConfig, reporterHelp } from './options.ts';

type Container = {
  readonly args: readonly string[];
  readonly env: readonly { readonly name: string; readonly value?: string }[];
};
type DaemonSet = {
  readonly kind: string;
  readonly spec: { readonly template: { readonly spec: { readonly containers: readonly Container[] } } };
};

const needed = {
  NODE_NAME: 'worker-1',
  CONDITION_TYPE: 'network.k8s.io/CalicoReady',
  CHECK_ENDPOINT: 'http://127.0.0.1:9099/readiness',
};
const read = (environment: Record<string, string>, args: readonly string[] = []) =>
  readReporterConfig({ args, environment });
const problems = (environment: Record<string, string>, args: readonly string[] = []) => {
  const config = read(environment, args);
  return config.kind === 'error' ? config.error.map(formatProblem) : [];
};

describe('the configuration of a reporter', () => {
  it("takes the variables and the defaults of kubernetes-sigs' reporter", () => {
    expect(read(needed)).toMatchObject({
      kind: 'ok',
      value: {
        nodeName: 'worker-1',
        intervalMs: 30_000,
        heartbeatMs: 300_000,
        timeoutMs: 10_000,
        failureThreshold: 1,
        successThreshold: 1,
        metricsAddress: { host: '', port: 9445 },
        isImpersonating: false,
      },
    });
  });

  it('reads every variable, and lets a flag win', () => {
    const environment = {
      ...needed,
      CHECK_INTERVAL: '1m30s',
      HEARTBEAT_PERIOD: '10m',
      METRICS_BIND_ADDRESS: '0',
      IMPERSONATE_NODE: 'true',
      FAILURE_THRESHOLD: '3',
    };
    expect(read(environment, ['--failure-threshold', '5'])).toMatchObject({
      kind: 'ok',
      value: {
        intervalMs: 90_000,
        heartbeatMs: 600_000,
        metricsAddress: null,
        isImpersonating: true,
        failureThreshold: 5,
      },
    });
  });

  it('names every variable that is missing', () => {
    expect(problems({})).toEqual([
      'NODE_NAME: is required',
      'CONDITION_TYPE: is required',
      'CHECK_ENDPOINT: is required',
    ]);
  });

  it.each([
    ['CHECK_INTERVAL', '0s', 'CHECK_INTERVAL: must be a duration from 1s to 24h such as 10m, not "0s"'],
    ['CHECK_INTERVAL', 'soon', 'CHECK_INTERVAL: must be a duration from 1s to 24h such as 10m, not "soon"'],
    [
      'CHECK_ENDPOINT',
      'ftp://a',
      'CHECK_ENDPOINT: must be a URL of http or https with a host, not "ftp://a"',
    ],
    ['CHECK_ENDPOINT', '/ready', 'CHECK_ENDPOINT: must be a URL of http or https with a host, not "/ready"'],
    ['IMPERSONATE_NODE', 'yes', 'IMPERSONATE_NODE: must be true or false, not "yes"'],
    ['FAILURE_THRESHOLD', '0', 'FAILURE_THRESHOLD: must be a whole number from 1 to 100, not "0"'],
    [
      'CONDITION_TYPE',
      'a b',
      'CONDITION_TYPE: must be the type of a condition, such as NetworkReady behind a domain and a slash, not "a b"',
    ],
  ])('refuses %s=%s', (variable, value, problem) => {
    expect(problems({ ...needed, [variable]: value })).toEqual([problem]);
  });

  it('refuses a flag that is none', () => {
    expect(problems(needed, ['--wings'])).toEqual(['--wings: is not a flag; --help lists them']);
  });

  it('is what the sample manifest sets', () => {
    const file = path.resolve(import.meta.dirname, '../../../config/samples/reporter/daemonset.yaml');
    const set = (loadAll(readFileSync(file, 'utf8')) as DaemonSet[]).find(({ kind }) => kind === 'DaemonSet');
    const [container] = set?.spec.template.spec.containers ?? [];
    const given = container?.env.map(({ name, value = 'worker-1' }) => [name, value]) ?? [];
    expect(container?.args).toEqual(['reporter']);
    expect(read(Object.fromEntries(given))).toMatchObject({
      kind: 'ok',
      value: { nodeName: 'worker-1', failureThreshold: 3 },
    });
  });

  it('is all in the help', () => {
    for (const variable of [
      ...Object.keys(needed),
      'CHECK_INTERVAL',
      'HEARTBEAT_PERIOD',
      'METRICS_BIND_ADDRESS',
    ])
      expect(reporterHelp()).toContain(`env: ${variable}`);
  });
});
