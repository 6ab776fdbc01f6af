// Flags and the config file of `muster operator`, read into one value or a list of everything that is wrong.

import { err, ok, type Problem, type Result } from '../base/result.ts';
import { type OperatorConfig, operatorOptions } from './operator-options.ts';
import { formatOptions, readFlags, readValues } from './options.ts';

export type ConfigFiles = {
  /** The parsed file, or why it cannot be read. */
  read(file: string): Promise<Result<unknown, string>>;
};

export async function readOperatorConfig(
  args: readonly string[],
  files: ConfigFiles,
): Promise<Result<OperatorConfig, readonly Problem[]>> {
  const flags = readFlags(operatorOptions, args);
  if (flags.kind === 'error') return flags;
  const file = flags.value.get(operatorOptions.configFile.flag);
  const config: Result<unknown, string> = typeof file === 'string' ? await files.read(file) : ok({});
  if (config.kind === 'error') return err([{ path: String(file), message: config.error }]);
  const values = readValues(operatorOptions, flags.value, config.value);
  if (values.kind === 'error' && typeof file === 'string') {
    return err(
      values.error.map(({ path, message }) => ({
        path: path.startsWith('--') ? path : `${file}: ${path}`,
        message,
      })),
    );
  }
  if (values.kind === 'ok' && values.value.writeBurst !== null && values.value.writesPerSecond === null) {
    return err([{ path: '--kube-api-burst', message: 'means nothing without --kube-api-qps' }]);
  }
  return values;
}

export function operatorHelp(): string {
  return [
    'Usage: muster operator [flags]',
    '',
    'Watches the nodes of a cluster, keeps the central state of each and publishes one NodeLifecycle per node.',
    'Needs the CRDs (muster crds | kubectl apply -f -) and the rights printed by muster rbac.',
    '',
    'Flags:',
    formatOptions(operatorOptions),
    '',
    'Exit codes: 0 stopped by a signal, 1 failure or lease lost, 2 usage or configuration.',
  ].join('\n');
}
