// `muster sim` as a process of its own, on the cluster of a kubeconfig.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { musterScript } from './operator-process.ts';

export type SimProcess = { lines(): readonly string[]; stop(): Promise<number | null> };

export function startSim(kubeconfig: string, ...flags: readonly string[]): SimProcess {
  const args = [musterScript, 'sim', '--kubeconfig', kubeconfig, ...flags];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
  const exited = once(child, 'close');
  return {
    lines: () => printed.split('\n'),
    async stop() {
      child.kill('SIGTERM');
      const [code] = (await exited) as [number | null];
      return code;
    },
  };
}
