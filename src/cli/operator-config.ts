// Flags and the config file of `muster operator`, read into one value or a list of everything that is wrong.

import { err, ok, type Problem, type Result } from '../base/result.ts';
import { type CustomChecks, noCustomChecks } from '../api/custom-check.ts';
import { type OperatorValues, operatorOptions } from './operator-options.ts';
import { formatOptions, type Option, readFlags, readWhatIsRight } from './options.ts';

/** The values of the options, and what was read apart. */
export type OperatorConfig = OperatorValues & { readonly custom: CustomChecks };

export type ConfigSources = {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The parsed file, or why it cannot be read. */
  read(file: string): Promise<Result<unknown, string>>;
};

export async function readOperatorConfig(
  args: readonly string[],
  sources: ConfigSources,
): Promise<Result<OperatorConfig, readonly Problem[]>> {
  const flags = readFlags(operatorOptions, args);
  if (flags.kind === 'error') return flags;
  const file = flags.value.get(operatorOptions.configFile.flag);
  const config: Result<unknown, string> = typeof file === 'string' ? await sources.read(file) : ok({});
  if (config.kind === 'error') return err([{ path: String(file), message: config.error }]);
  const { environment } = sources;
  const { values, problems } = readWhatIsRight(operatorOptions, {
    flags: flags.value,
    config: config.value,
    environment,
  });
  if (problems.length > 0) return err(problems.map((problem) => placed(problem, file)));
  const custom = await readCustom(values);
  const contradictions = [...contradictionsIn(values), ...(custom.kind === 'error' ? custom.error : [])];
  return custom.kind === 'error' || contradictions.length > 0
    ? err(contradictions)
    : ok({ ...values, custom: custom.value });
}

async function readCustom({
  customChecks: initContainers,
  customVolumes: volumes,
  workerSettings,
}: OperatorValues): Promise<Result<CustomChecks, readonly Problem[]>> {
  if (initContainers.length === 0 && volumes.length === 0) return ok(noCustomChecks);
  const { readCustomChecks } = await import('./custom-check-kinds.ts');
  return readCustomChecks({ initContainers, volumes, workerSettings });
}

/** Values that are right alone and wrong together. */
function contradictionsIn(values: OperatorValues): readonly Problem[] {
  const { writeBurst, writesPerSecond, leaseDurationMs, renewDeadlineMs, leaseRetryMs } = values;
  const problems: readonly (readonly [isWrong: boolean, path: string, message: string])[] = [
    [
      writeBurst !== null && writesPerSecond === null,
      '--kube-api-burst',
      'means nothing without --kube-api-qps',
    ],
    [
      leaseDurationMs % 1000 !== 0,
      '--leader-election-lease-duration',
      `must be whole seconds, not ${leaseDurationMs} ms`,
    ],
    [
      renewDeadlineMs * 3 > leaseDurationMs * 2,
      '--leader-election-renew-deadline',
      `must be at most two thirds of the lease duration of ${leaseDurationMs / 1000} s, not ${renewDeadlineMs} ms: the rest is for writes under way`,
    ],
    [
      leaseRetryMs * 4 > renewDeadlineMs,
      '--leader-election-retry-period',
      `must be at most a quarter of the renew deadline of ${renewDeadlineMs} ms, not ${leaseRetryMs} ms: one renewal may be lost`,
    ],
  ];
  return problems.filter(([isWrong]) => isWrong).map(([, path, message]) => ({ path, message }));
}

const variables: ReadonlySet<string> = new Set(
  Object.values(operatorOptions).flatMap(({ env }: Option) => env ?? []),
);

/** A key of the file is named with the file; flags and variables stand for themselves. */
function placed({ path, message }: Problem, file: unknown): Problem {
  const isOfFile = typeof file === 'string' && !path.startsWith('--') && !variables.has(path);
  return { path: isOfFile ? `${file}: ${path}` : path, message };
}

export function operatorHelp(): string {
  return [
    'Usage: muster operator [flags]',
    '',
    'Watches the nodes of a cluster, keeps the central state of each and publishes one NodeLifecycle per node.',
    'Needs the CRDs (muster crds | kubectl apply -f -) and the rights printed by muster rbac.',
    'Also runs under the name kube-node-ready-controller.',
    '',
    'Flags:',
    formatOptions(operatorOptions),
    '',
    'Exit codes: 0 stopped by a signal, 1 failure or lease lost, 2 usage or configuration.',
  ].join('\n');
}
