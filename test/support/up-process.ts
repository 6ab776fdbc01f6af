// A `muster up` as a process, watched through what it prints.

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { until } from '../control-plane/until.ts';

/** The built-in stages in place of the demonstration's own: then nothing happens that the test did not ask for. */
export const stillStages = path.resolve(import.meta.dirname, '../../src/sim/stages/world');

export type UpProcess = {
  readonly pid: number;
  readonly kubeconfig: string;
  readonly exited: Promise<number | null>;
  readonly stdout: Promise<string>;
  stderr(): string;
  waitUntilReady(): Promise<void>;
  signal(signal: NodeJS.Signals): void;
  /** Ends it if it still runs, and removes its files. */
  remove(): Promise<void>;
};

export function startUp(script: string, flags: readonly string[]): UpProcess {
  const folder = mkdtempSync(path.join(tmpdir(), 'muster-up-'));
  const kubeconfig = path.join(folder, 'kubeconfig');
  const args = [script, 'up', '--output', 'json', '--kubeconfig-out', kubeconfig, ...flags];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (more: string) => (stderr += more));
  const exited = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)));
  const stdout = text(child.stdout);
  return {
    pid: child.pid ?? 0,
    kubeconfig,
    exited,
    stdout,
    stderr: () => stderr,
    waitUntilReady: () =>
      until('all nodes are in service', 60_000, () => /are in service after/.test(stderr) || undefined).then(
        () => undefined,
      ),
    signal: (signal) => void child.kill(signal),
    async remove() {
      child.kill('SIGTERM');
      await exited;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
