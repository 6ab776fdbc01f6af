// The options of `muster reporter`, declared once. The variables and their defaults are those of kubernetes-sigs'
// readiness-condition-reporter, and some more; what is wrong is refused, never replaced by a default.

import { err, ok, type Problem, type Result } from '../../base/result.ts';
import { labelKeyProblem } from '../../objects/label-key.ts';
import { address, duration, flagSwitch, objectName, whole } from '../option-kinds.ts';
import {
  formatOptions,
  type Option,
  option,
  type OptionKind,
  type OptionList,
  readFlags,
  readWhatIsRight,
  type ValuesOf,
} from '../options.ts';
import { kubeconfigOrPod, logOptions } from '../process-options.ts';

const conditionType: OptionKind<string> = {
  placeholder: '<type>',
  read(raw) {
    const problem = typeof raw === 'string' ? labelKeyProblem(raw) : 'must be text';
    return typeof raw === 'string' && problem === null
      ? ok(raw)
      : err(
          `must be the type of a condition, such as NetworkReady behind a domain and a slash, not ${JSON.stringify(raw)}`,
        );
  },
};

const endpoint: OptionKind<URL | null> = {
  placeholder: '<url>',
  read(raw) {
    const url = typeof raw === 'string' && URL.canParse(raw) ? new URL(raw) : null;
    const isHttp = url !== null && /^https?:$/.test(url.protocol) && url.hostname !== '';
    return isHttp ? ok(url) : err(`must be a URL of http or https with a host, not ${JSON.stringify(raw)}`);
  },
};

export const reporterOptions = {
  nodeName: option(objectName, {
    flag: 'node-name',
    key: null,
    env: 'NODE_NAME',
    fallback: '',
    fallbackText: 'none: it must be given',
    help: 'the node whose condition is kept',
  }),
  conditionType: option(conditionType, {
    flag: 'condition-type',
    key: null,
    env: 'CONDITION_TYPE',
    fallback: '',
    fallbackText: 'none: it must be given',
    help: 'the type of the condition',
  }),
  endpoint: option(endpoint, {
    flag: 'check-endpoint',
    key: null,
    env: 'CHECK_ENDPOINT',
    fallback: null,
    fallbackText: 'none: it must be given',
    help: 'what is asked with GET: a 2xx makes the condition True, anything else False',
  }),
  intervalMs: option(duration({ min: '1s', max: '24h' }), {
    flag: 'check-interval',
    key: null,
    env: 'CHECK_INTERVAL',
    fallback: 30_000,
    fallbackText: '30s',
    help: 'how long after one answer the endpoint is asked again',
  }),
  heartbeatMs: option(duration({ min: '1s', max: '24h' }), {
    flag: 'heartbeat-period',
    key: null,
    env: 'HEARTBEAT_PERIOD',
    fallback: 300_000,
    fallbackText: '5m',
    help: 'how often a condition that does not change is confirmed',
  }),
  timeoutMs: option(duration({ min: '100ms', max: '5m' }), {
    flag: 'check-timeout',
    key: null,
    env: 'CHECK_TIMEOUT',
    fallback: 10_000,
    fallbackText: '10s',
    help: 'how long an answer may take',
  }),
  failureThreshold: option(whole({ min: 1, max: 100 }), {
    flag: 'failure-threshold',
    key: null,
    env: 'FAILURE_THRESHOLD',
    fallback: 1,
    fallbackText: '1',
    help: 'bad answers in a row that make a condition False which was True',
  }),
  successThreshold: option(whole({ min: 1, max: 100 }), {
    flag: 'success-threshold',
    key: null,
    env: 'SUCCESS_THRESHOLD',
    fallback: 1,
    fallbackText: '1',
    help: 'good answers in a row that make a condition True which was False',
  }),
  jitterPercent: option(whole({ min: 0, max: 50 }), {
    flag: 'check-jitter',
    key: null,
    env: 'CHECK_JITTER',
    fallback: 10,
    fallbackText: '10',
    help: 'by how many percent the interval varies, so that the reporters of a fleet do not speak at once',
  }),
  metricsAddress: option(address, {
    flag: 'metrics-bind-address',
    key: null,
    env: 'METRICS_BIND_ADDRESS',
    fallback: { host: '', port: 9445 },
    fallbackText: ':9445',
    help: 'where /metrics and /healthz are served; 0 for nowhere',
  }),
  isImpersonating: option(flagSwitch, {
    flag: 'impersonate-node',
    key: null,
    env: 'IMPERSONATE_NODE',
    fallback: false,
    help: 'act as system:node:<node>, which Kubernetes 1.36 and newer can hold to its own node alone',
  }),
  kubeconfig: kubeconfigOrPod,
  ...logOptions,
} satisfies OptionList;

type ReporterValues = ValuesOf<typeof reporterOptions>;
export type ReporterConfig = Omit<ReporterValues, 'endpoint'> & { readonly endpoint: URL };

type Sources = {
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
};

export function readReporterConfig({
  args,
  environment,
}: Sources): Result<ReporterConfig, readonly Problem[]> {
  const flags = readFlags(reporterOptions, args);
  if (flags.kind === 'error') return flags;
  const { values, problems } = readWhatIsRight(reporterOptions, {
    flags: flags.value,
    config: {},
    environment,
  });
  const { nodeName, conditionType, endpoint } = reporterOptions;
  const absent = [
    { option: nodeName, isGiven: values.nodeName !== '' },
    { option: conditionType, isGiven: values.conditionType !== '' },
    { option: endpoint, isGiven: values.endpoint !== null },
  ].filter(({ option, isGiven }) => !isGiven && !isRefused(option, problems));
  const all = [
    ...problems,
    ...absent.map(({ option }) => ({ path: option.env ?? '', message: 'is required' })),
  ];
  if (values.endpoint === null || all.length > 0) return err(all);
  return ok({ ...values, endpoint: values.endpoint });
}

/** A value that was refused is not missing as well. */
function isRefused({ flag, env }: Option, problems: readonly Problem[]): boolean {
  return problems.some(({ path }) => path === `--${flag}` || path === env);
}

export function reporterHelp(): string {
  return [
    'Usage: muster reporter [flags]',
    '',
    'Asks an HTTP endpoint on the node it runs on and keeps a condition of the Node accordingly, for readiness rules to go by.',
    'Writes when something changes and once per heartbeat, and needs one right: patch on nodes/status, its own or that of its node.',
    '',
    'Flags:',
    formatOptions(reporterOptions),
    '',
    'Exit codes: 0 stopped by a signal, 1 failure, 2 usage or configuration.',
  ].join('\n');
}
