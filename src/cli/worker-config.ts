// Flags, config and environment of `muster worker`, read into one value or a list of everything that is wrong. Reads nothing
// of the network: a bad configuration ends the worker before any probe.

import { err, ok, type Problem, type Result } from '../base/result.ts';
import { type PlannedCheck, readPlan } from '../checks/plan.ts';
import { createTargetRules } from '../checks/targets.ts';
import { textOf } from '../objects/raw.ts';
import { formatOptions, type GivenFlags, type Option, readFlags, readWhatIsRight } from './options.ts';
import { type WorkerValues, workerOptions } from './worker-options.ts';

export type WorkerConfig = WorkerValues & { readonly plan: readonly PlannedCheck[] };

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
  const flags = readFlags(workerOptions, sources.args);
  if (flags.kind === 'error') return flags;
  const config = await readConfig(sources, flags.value);
  if (config.kind === 'error') return err([config.error]);
  const { environment } = sources;
  const { values, problems } = readWhatIsRight(workerOptions, {
    flags: flags.value,
    config: config.value,
    environment,
  });
  const plan = planOf(values);
  const all = [...problems, ...missing(values, problems), ...(plan.kind === 'error' ? plan.error : [])];
  return plan.kind === 'error' || all.length > 0 ? err(all) : ok({ ...values, plan: plan.value });
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
    'Exit codes: 0 every required check passed, 1 one failed, 2 bad configuration, 3 inconclusive or stopped early.',
  ].join('\n');
}
