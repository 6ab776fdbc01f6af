// `muster migrate` as a process: connection and exit code.

import { fieldManager } from '../api/keys.ts';
import { silentLog } from '../base/log.ts';
import { silentMetrics } from '../base/metrics.ts';
import { formatProblem } from '../base/result.ts';
import { migrateStoredVersions } from '../cli/migrate.ts';
import { connectTo, findCluster } from './cluster-client.ts';

export type MigrateFlags = { readonly kubeconfig?: string; readonly context?: string };

const exitCodes = { done: 0, failure: 1, usage: 2 } as const;

export async function runMigrate({ kubeconfig = '', context = '' }: MigrateFlags): Promise<number> {
  const connection = await findCluster({ kubeconfig, context });
  if (connection.kind === 'error') {
    for (const problem of connection.error) console.error(`muster migrate: ${formatProblem(problem)}`);
    return exitCodes.usage;
  }
  const { api, close } = connectTo(connection.value, {
    program: 'muster-migrate',
    fieldManager: `${fieldManager}-migrate`,
    log: silentLog,
    metrics: silentMetrics,
  });
  const result = await migrateStoredVersions(api, (line) => console.log(line));
  close();
  if (result.kind === 'ok') return exitCodes.done;
  console.error(`muster migrate: ${result.error}`);
  return exitCodes.failure;
}
