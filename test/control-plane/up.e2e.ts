import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, expect, it } from 'vitest';
import { noTraceOf, processesOf } from './traces.ts';

type Up = { readonly child: ChildProcess; readonly kubeconfig: string };

const command = join(import.meta.dirname, 'up.ts');
const started = new Set<ChildProcess>();

afterEach(() => {
  for (const child of started) child.kill('SIGKILL');
  started.clear();
});

it('takes everything down on SIGTERM and exits with 0', async () => {
  const { child, kubeconfig } = await up(['--nodes', '3']);
  const dir = dirname(kubeconfig);
  expect(existsSync(kubeconfig)).toBe(true);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
  await noTraceOf(dir);
});

it('leaves nothing behind even when it is killed', async () => {
  const { child, kubeconfig } = await up([]);
  const dir = dirname(kubeconfig);
  expect(await processesOf(dir)).toHaveLength(5);
  child.kill('SIGKILL');
  await noTraceOf(dir);
});

it('writes the kubeconfig where it is told to', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'muster-up-'));
  const file = join(dir, 'kubeconfig');
  const { child, kubeconfig } = await up(['--kubeconfig-out', file]);
  expect(kubeconfig).toBe(file);
  expect(existsSync(file)).toBe(true);
  child.kill('SIGINT');
  expect(await once(child, 'exit')).toEqual([0, null]);
  await rm(dir, { recursive: true });
});

it('refuses a flag that it does not know in one sentence and exits with 2', async () => {
  const child = spawn(process.execPath, [command, '--node', '3'], { stdio: ['ignore', 'ignore', 'pipe'] });
  const [[message], [code]] = await Promise.all([once(child.stderr, 'data'), once(child, 'exit')]);
  expect(String(message)).toBe("Unknown option '--node'\n");
  expect(code).toBe(2);
});

async function up(args: readonly string[]): Promise<Up> {
  const child = spawn(process.execPath, [command, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  started.add(child);
  const [line] = await once(createInterface(child.stdout), 'line');
  return { child, kubeconfig: String(line).replace('export KUBECONFIG=', '') };
}
