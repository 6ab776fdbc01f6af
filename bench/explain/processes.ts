// The two processes of the bench: the embedded API server, and one `muster explain` after the other, each of which tells at its
// end what it used up.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

const script = (folder: string) => path.join(folder, 'dist', 'muster.cjs');
const kubeconfigIn = (folder: string) => path.join(folder, 'kubeconfig');

export type RunningServer = { readonly url: string; stop(): Promise<void> };

export async function startServer(folder: string): Promise<RunningServer> {
  const kubeconfig = kubeconfigIn(folder);
  const args = [script(folder), 'apiserver', '--port', '0', '--kubeconfig-out', kubeconfig];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const killWithParent = () => void child.kill('SIGKILL');
  process.once('exit', killWithParent);
  await once(child.stdout, 'data');
  const { clusters } = JSON.parse(await readFile(kubeconfig, 'utf8')) as {
    clusters: readonly { cluster: { server: string } }[];
  };
  return {
    url: clusters[0]?.cluster.server ?? '',
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'close');
      process.removeListener('exit', killWithParent);
    },
  };
}

export type Run = { readonly wallMs: number; readonly cpuMs: number };

/** Loaded before the program: the processor time of all of it, the start of Node included. */
const probe = `process.on('exit', () => {
  const { user, system } = process.cpuUsage();
  require('node:fs').writeSync(3, String((user + system) / 1000));
});\n`;

export async function runExplain(folder: string): Promise<Run> {
  const probeFile = path.join(folder, 'probe.cjs');
  writeFileSync(probeFile, probe);
  const args = ['--require', probeFile, script(folder), 'explain', 'rule', 'network'];
  const startedMs = performance.now();
  const child = spawn(process.execPath, args, {
    env: { ...process.env, KUBECONFIG: kubeconfigIn(folder) },
    stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
  });
  const [out, cpu, [code]] = await Promise.all([
    text(child.stdio[1] as Readable),
    text(child.stdio[3] as Readable),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  const wallMs = performance.now() - startedMs;
  if (code !== 3 || !out.includes('confirm-impact')) throw new Error(`explain ended with ${code}: ${out}`);
  return { wallMs, cpuMs: Number(cpu) };
}
