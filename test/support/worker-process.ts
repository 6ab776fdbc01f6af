// A real worker process: started from a bundle, pointed at stubs, judged by exit code, report and termination message.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { buildAll } from '../../scripts/build.ts';
import { type CheckResult, parseReport, type WorkerReport } from '../../src/base/worker-report.ts';

/** The bundles that users run, built once for a file of tests. */
export async function buildWorker(): Promise<{ readonly script: string; remove(): void }> {
  const folder = mkdtempSync(path.join(tmpdir(), 'muster-bundles-'));
  await buildAll(folder);
  return { script: path.join(folder, 'muster.cjs'), remove: () => rmSync(folder, { recursive: true }) };
}

export type WorkerRun = {
  readonly config?: unknown;
  readonly environment?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  /** Put before the command, such as the making of a network namespace. */
  readonly prefix?: readonly string[];
  readonly nodeFlags?: readonly string[];
  /** The script is called by a name that means the worker. */
  readonly hasCommandInName?: boolean;
  /** The bundle that is started. */
  readonly script: string;
  /** For a worker that cannot end by itself: killed as soon as it has reported. */
  readonly isKilledAfterReport?: boolean;
  /** For a worker that stays: stopped as a kubelet does once its log says this. */
  readonly stopAtLine?: string;
  /** Called with what it says on standard error, as it says it. */
  readonly onWords?: (words: string) => void;
  /** Called with the process once it runs. */
  readonly onStart?: (kill: (signal: NodeJS.Signals) => void) => Promise<void>;
};

export type WorkerEnd = {
  readonly code: number | null;
  readonly report: WorkerReport | null;
  readonly terminationMessage: string;
  readonly stdout: string;
  readonly stderr: string;
  readonly ms: number;
  check(id: string): CheckResult | undefined;
};

export async function runWorker(run: WorkerRun): Promise<WorkerEnd> {
  const folder = mkdtempSync(path.join(tmpdir(), 'muster-worker-run-'));
  const log = path.join(folder, 'termination-log');
  writeFileSync(log, '');
  const [command = '', ...rest] = [
    ...(run.prefix ?? []),
    process.execPath,
    ...(run.nodeFlags ?? []),
    run.script,
    ...(run.hasCommandInName === true ? [] : ['worker']),
    ...(run.config === undefined ? [] : ['--config-text', JSON.stringify(run.config)]),
    ...(run.args ?? []),
  ];
  const started = performance.now();
  const env = { PATH: process.env['PATH'], TERMINATION_LOG: log, ...run.environment };
  const child = spawn(command, rest, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const killWithParent = () => void child.kill('SIGKILL');
  process.once('exit', killWithParent);
  if (run.isKilledAfterReport === true) child.stdout.once('data', () => child.kill('SIGKILL'));
  const { stopAtLine } = run;
  if (stopAtLine !== undefined)
    child.stderr.on('data', (chunk: Buffer) => void (chunk.includes(stopAtLine) && child.kill('SIGTERM')));
  child.stderr.on('data', (chunk: Buffer) => run.onWords?.(chunk.toString()));
  void run.onStart?.((signal) => void child.kill(signal));
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null]>,
  ]);
  process.removeListener('exit', killWithParent);
  const terminationMessage = readFileSync(log, 'utf8');
  rmSync(folder, { recursive: true });
  const parsed = parseReport(terminationMessage);
  const report = parsed.kind === 'ok' ? parsed.value : null;
  const check = (id: string) => report?.checks.find((each) => each.id === id);
  return { code, report, terminationMessage, stdout, stderr, ms: performance.now() - started, check };
}
