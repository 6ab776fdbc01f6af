// `muster migrate` as a process: connection and exit code.

import { fieldManager } from '../api/keys.ts';
import { systemClock } from '../base/clock.ts';
import { silentLog } from '../base/log.ts';
import { silentMetrics } from '../base/metrics.ts';
import { systemRandom } from '../base/random.ts';
import { formatProblem } from '../base/result.ts';
import { migrateStoredVersions } from '../cli/migrate.ts';
import { connectKubeApi } from '../kube/connect.ts';
import { nodeCommands, nodeFiles } from '../kube/host-ports.ts';
import { readConnection } from '../kube/kubeconfig.ts';
import { version } from './version.ts';

export type MigrateFlags = { readonly kubeconfig?: string; readonly context?: string };

const exitCodes = { done: 0, failure: 1, usage: 2 } as const;

export async function runMigrate({ kubeconfig = '', context = '' }: MigrateFlags): Promise<number> {
  const given = { environment: process.env, files: nodeFiles, kubeconfig, context };
  const connection = await readConnection(given);
  if (connection.kind === 'error') {
    for (const problem of connection.error) console.error(`muster migrate: ${formatProblem(problem)}`);
    return exitCodes.usage;
  }
  const { api, close } = connectKubeApi(connection.value, {
    log: silentLog,
    metrics: silentMetrics,
    clock: systemClock,
    random: systemRandom,
    files: nodeFiles,
    commands: nodeCommands,
    environment: process.env,
    isInteractive: process.stdin.isTTY,
    userAgent: `muster-migrate/${version}`,
    fieldManager: `${fieldManager}-migrate`,
    protocol: 'auto',
  });
  const result = await migrateStoredVersions(api, (line) => console.log(line));
  close();
  if (result.kind === 'ok') return exitCodes.done;
  console.error(`muster migrate: ${result.error}`);
  return exitCodes.failure;
}
