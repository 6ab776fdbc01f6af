// Flags, config and environment of `muster worker`, read into one value or a list of everything that is wrong. Reads nothing
// of the network: a bad configuration ends the worker before any probe.

import { err, ok, type Problem, type Result } from '../base/result.ts';
import { type PlannedCheck, readPlan } from '../checks/plan.ts';
import { createTargetRules } from '../checks/targets.ts';
import { fieldsOf, textOf } from '../objects/raw.ts';
import { daemonsetOptions, type DaemonsetSettings, readDaemonsetSettings } from './daemonset-options.ts';
import {
  formatOptions,
  type Given,
  type GivenFlags,
  type Option,
  readFlags,
  readWhatIsRight,
} from './options.ts';
import { type WorkerValues, workerOptions } from './worker-options.ts';

export type WorkerConfig = WorkerValues & {
  readonly plan: readonly PlannedCheck[];
  /** Null for a worker that only reports. */
  readonly daemonset: DaemonsetSettings | null;
};

export type WorkerSources = {
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The parsed file, or why it cannot be read. */
  readFile(file: string): Promise<Result<unknown, string>>;
  parseText(text: string): Promise<Result<unknown, string>>;
};

export async function readWorkerConfig(
  sources: WorkerSources,
): Promise<Result<WorkerConfig, readonly Problem[]>> {
  const flags = readFlags(everyOption, sources.args);
  if (flags.kind === 'error') return flags;
  const config = await readConfig(sources, flags.value);
  if (config.kind === 'error') return err([config.error]);
  const { environment } = sources;
  const given = { flags: flags.value, config: config.value, environment };
  const { values, daemonset, problems } = isDaemonset(given) ? readDaemonset(given) : readWorker(given);
  const plan = planOf(values);
  const all = [...problems, ...missing(values, problems), ...(plan.kind === 'error' ? plan.error : [])];
  return plan.kind === 'error' || all.length > 0 ? err(all) : ok({ ...values, plan: plan.value, daemonset });
}

const everyOption = { ...workerOptions, ...daemonsetOptions };

function isDaemonset({ flags, config, environment }: Given): boolean {
  const { flag, key, env = '' } = workerOptions.mode;
  return (flags.get(flag) ?? fieldsOf(config)[key ?? ''] ?? environment[env]) === 'daemonset';
}

type ReadValues = {
  readonly values: WorkerValues;
  readonly daemonset: DaemonsetSettings | null;
  readonly problems: readonly Problem[];
};

function readDaemonset(given: Given): ReadValues {
  const { values, problems } = readWhatIsRight(everyOption, given);
  const settings = readDaemonsetSettings(values);
  return settings.kind === 'ok'
    ? { values, daemonset: settings.value, problems }
    : { values, daemonset: null, problems: [...problems, ...settings.error] };
}

/** Variables of the other mode may stand in any pod; a flag of it stands there on purpose. */
function readWorker(given: Given): ReadValues {
  const { values, problems } = readWhatIsRight(workerOptions, given);
  const strays = Object.values(daemonsetOptions)
    .filter(({ flag }) => given.flags.has(flag))
    .map(({ flag }) => ({ path: `--${flag}`, message: 'is a flag of --mode=daemonset' }));
  return { values, daemonset: null, problems: [...problems, ...strays] };
}

async function readConfig(sources: WorkerSources, flags: GivenFlags): Promise<Result<unknown, Problem>> {
  const { configFile, configText } = workerOptions;
  const given = ({ flag, env = '' }: Option) => textOf(flags.get(flag) ?? sources.environment[env]);
  const [file, text] = [given(configFile), given(configText)];
  if (file !== '' && text !== '')
    return err({ path: '--config', message: 'cannot be given together with --config-text' });
  if (file === '' && text === '') return ok({});
  const config = await (file === '' ? sources.parseText(text) : sources.readFile(file));
  if (config.kind === 'ok') return config;
  return err({ path: file === '' ? '--config-text' : file, message: config.error });
}

function planOf(values: WorkerValues): Result<readonly PlannedCheck[], readonly Problem[]> {
  const { checks, checkTimeoutMs, checkTries, dnsTestDomains, allowedTargets, apiHost } = values;
  const denied = [...values.deniedTargets, ...(apiHost === '' ? [] : [apiHost])];
  return readPlan(checks, {
    timeoutMs: checkTimeoutMs,
    triesMax: checkTries ?? 1,
    targets: createTargetRules({ allowed: allowedTargets, denied }),
    params: dnsTestDomains.length === 0 ? {} : { dns: { names: dnsTestDomains } },
  });
}

/** What must be given and what cannot be so; a value that was refused is not missing as well. */
function missing(values: WorkerValues, refused: readonly Problem[]): readonly Problem[] {
  const { nodeName, apiHost } = workerOptions;
  const absent = [
    { option: nodeName, value: values.nodeName },
    { option: apiHost, value: values.apiHost },
  ].filter(
    ({ option, value }) => value === '' && !refused.some(({ path }) => namesOf(option).includes(path)),
  );
  return [
    ...absent.map(({ option }) => ({ path: option.env ?? '', message: 'is required' })),
    ...(values.isWorker
      ? []
      : [
          {
            path: 'WORKER_MODE',
            message: 'is false, but this is the worker; the controller is muster operator',
          },
        ]),
    ...(values.echoAddress !== null && values.echoWord === ''
      ? [{ path: 'ECHO_WORD', message: 'is required for an echo' }]
      : []),
    ...(values.mode === 'control' && values.echoAddress === null
      ? [{ path: 'ECHO_BIND_ADDRESS', message: 'is required for --mode=control' }]
      : []),
  ];
}

function namesOf({ flag, key, env }: Option): readonly string[] {
  return [`--${flag}`, key ?? '', env ?? ''];
}

export function workerHelp(): string {
  return [
    'Usage: muster worker [flags]',
    '',
    'Checks the node it runs on once, writes a report as JSON to standard output and to the termination log, and ends.',
    'Also runs under the name kube-node-ready-worker.',
    '',
    'Flags:',
    formatOptions(workerOptions),
    '',
    'Flags of --mode=daemonset, which releases the node by itself and is deprecated:',
    formatOptions(daemonsetOptions),
    '',
    'Exit codes: 0 every required check passed, 1 one failed, 2 bad configuration, 3 inconclusive or stopped early.',
  ].join('\n');
}
