// The commands for people as a process: terminal, kubeconfig, exit code. With the user's own rights, and reading only.

import { fieldManager } from '../api/keys.ts';
import { systemClock } from '../base/clock.ts';
import { silentLog } from '../base/log.ts';
import { silentMetrics } from '../base/metrics.ts';
import { ok } from '../base/result.ts';
import { explainCommand } from '../cli/views/explain.ts';
import { nodesCommand } from '../cli/views/nodes.ts';
import { rulesCommand } from '../cli/views/rules.ts';
import { runView, type ViewWorld } from '../cli/views/view-command.ts';
import { connectTo, findCluster } from './cluster-client.ts';

export type ViewName = 'rules' | 'explain' | 'nodes';

export async function runViewCommand(name: ViewName, args: readonly string[]): Promise<number> {
  const code = await show(name, args, createWorld());
  // The process ends at once after this, and a slow reader has not taken everything yet.
  await new Promise<void>((resolve) => process.stdout.write('', () => resolve()));
  return code;
}

function show(name: ViewName, args: readonly string[], world: ViewWorld): Promise<number> {
  switch (name) {
    case 'rules':
      return runView(rulesCommand, args, world);
    case 'explain':
      return runView(explainCommand, args, world);
    case 'nodes':
      return runView(nodesCommand, args, world);
  }
}

function createWorld(): ViewWorld {
  const { stdout } = process;
  // Whoever closes the pipe early, as head does, has read enough.
  stdout.on('error', () => process.exit(0));
  return {
    clock: systemClock,
    look: {
      columns: stdout.isTTY ? stdout.columns || null : null,
      hasColour: stdout.isTTY && stdout.hasColors() && !process.env['NO_COLOR'],
    },
    print: (line) => void stdout.write(`${line}\n`),
    complain: (line) => void process.stderr.write(`${line}\n`),
    async connect(flags) {
      const connection = await findCluster(flags);
      if (connection.kind === 'error') return connection;
      const quiet = { log: silentLog, metrics: silentMetrics };
      return ok(connectTo(connection.value, { program: 'muster-cli', fieldManager, ...quiet }));
    },
  };
}
