// `muster worker` as a process: configuration, one run of the checks, one report, exit code. Writes nothing to the cluster; only
// the daemonset mode does, which is a chunk of its own.

import { closeSync, constants, openSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { sleep, systemClock } from '../base/clock.ts';
import { systemRandom } from '../base/random.ts';
import { err, formatProblem, ok, type Problem, type Result } from '../base/result.ts';
import {
  type CheckVerdict,
  formatReport,
  terminationLogVariable,
  type WorkerReport,
} from '../base/worker-report.ts';
import { type EchoServer, serveEcho } from '../checks/probes/echo-server.ts';
import { createMachine } from '../checks/probes/machine.ts';
import { runPlan, verdictOf } from '../checks/run.ts';
import type { DaemonsetSettings } from '../cli/daemonset-options.ts';
import type { Address } from '../cli/option-kinds.ts';
import { readWorkerConfig, type WorkerConfig, workerHelp } from '../cli/worker-config.ts';
import { parseYaml } from '../kube/yaml.ts';

const exitCodes: Readonly<Record<CheckVerdict | 'usage', number>> = {
  pass: 0,
  fail: 1,
  usage: 2,
  inconclusive: 3,
};

export async function runWorker(args: readonly string[]): Promise<number> {
  if (args.includes('--help') || args.includes('-h')) {
    console.log(workerHelp());
    return exitCodes.pass;
  }
  const stop = createStop();
  const config = await readWorkerConfig({
    args,
    environment: process.env,
    readFile: readConfigFile,
    parseText,
  });
  if (config.kind === 'error') return refuse(config.error, args);
  const { daemonset, mode } = config.value;
  // Whoever checks against a control worker relies on its node: one that is not well itself never answers.
  const known = mode === 'control' ? await checkOnce(config.value, stop) : null;
  if (known !== null && known !== 'pass') return exitCodes[known];
  const echo = await startEcho(config.value, stop.signal);
  if (echo.kind === 'error') return refuse([{ path: 'echo.bindAddress', message: echo.error }], args);
  const verdict = await (daemonset === null
    ? (known ?? checkOnce(config.value, stop))
    : releaseSelf(config.value, daemonset, stop.signal));
  await echo.value;
  return exitCodes[verdict];
}

async function checkOnce(config: WorkerConfig, stop: Stop): Promise<CheckVerdict> {
  const cancel = systemClock.after(config.runTimeoutMs, () => stop.because('the run took too long'));
  const report = await check(config, stop.signal);
  cancel();
  publish(report, config.terminationLog);
  return report.verdict;
}

/** The client of the API server is loaded only here: a worker that reports has no use for it. */
async function releaseSelf(
  config: WorkerConfig,
  settings: DaemonsetSettings,
  stop: AbortSignal,
): Promise<CheckVerdict> {
  const { runDaemonsetWorker } = await import('./daemonset-worker.ts');
  return runDaemonsetWorker({
    config,
    settings,
    stop,
    async check(signal) {
      const report = await check(config, signal);
      publish(report, config.terminationLog);
      return report;
    },
  });
}

function refuse(problems: readonly Problem[], args: readonly string[]): number {
  const lines = problems.map(formatProblem);
  for (const line of lines) console.error(`muster worker: ${line}`);
  const { NODE_NAME, NODE_UID, VERIFICATION_NONCE } = process.env;
  publish(
    {
      nodeName: flagIn(args, 'node-name') ?? NODE_NAME ?? '',
      nodeUID: flagIn(args, 'node-uid') ?? NODE_UID ?? '',
      nonce: flagIn(args, 'nonce') ?? VERIFICATION_NONCE ?? '',
      verdict: 'inconclusive',
      isComplete: false,
      isForAnnotation: false,
      checks: [],
      problems: lines,
    },
    flagIn(args, 'termination-log') ?? process.env[terminationLogVariable] ?? '',
  );
  return exitCodes.usage;
}

/** Whoever is refused is still told of where it asked for: `--flag value` or `--flag=value`, whatever else is wrong. */
function flagIn(args: readonly string[], flag: string): string | undefined {
  const at = args.findIndex((arg) => arg === `--${flag}` || arg.startsWith(`--${flag}=`));
  if (at < 0) return undefined;
  const [, value = args[at + 1]] = /^[^=]*=(.*)$/.exec(args[at] ?? '') ?? [];
  return value;
}

type Stop = { readonly signal: AbortSignal; because(reason: string): void };

function createStop(): Stop {
  const controller = new AbortController();
  const because = (reason: string) => controller.abort(new Error(reason));
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => because(signal));
  return { signal: controller.signal, because };
}

async function check(config: WorkerConfig, signal: AbortSignal): Promise<WorkerReport> {
  const world = createMachine({
    ...config,
    clock: systemClock,
    random: systemRandom,
    apiEndpoint: { address: config.apiHost, port: config.apiPort },
  });
  const checks = await runPlan({ plan: config.plan, world, stop: signal });
  const isComplete = checks.every(({ code }) => code !== 'Interrupted');
  const { nodeName, nodeUID, nonce, isForAnnotation } = config;
  const verdict = verdictOf(checks, isComplete);
  return { nodeName, nodeUID, nonce, verdict, isComplete, isForAnnotation, checks, problems: [] };
}

/** The echo for other workers, if one is wanted. The inner promise ends when no peer needs it any more. */
async function startEcho(config: WorkerConfig, signal: AbortSignal): Promise<Result<Promise<void>, string>> {
  const { echoAddress, echoMs, echoWord } = config;
  if (echoAddress === null) return ok(Promise.resolve());
  const server = await listen(echoAddress, echoWord);
  if (server.kind === 'error') return server;
  console.error(`muster worker: echo on port ${server.value.port}`);
  return ok(sleep(systemClock, echoMs, signal));
}

/** Without an address on every one, of both families where the node has both. */
async function listen({ host, port }: Address, word: string): Promise<Result<EchoServer, string>> {
  const terms = { clock: systemClock, word };
  if (host !== '') return serveEcho({ address: host, port }, terms);
  const both = await serveEcho({ address: '::', port }, terms);
  return both.kind === 'ok' ? both : serveEcho({ address: '0.0.0.0', port }, terms);
}

const TERMINATION_LOG_DEFAULT = '/dev/termination-log';

/**
 * Where no file is named, only one that a kubelet made is written to: outside of a pod there is none. Synchronous, because a
 * disk that hangs may hold every thread that would write in the background.
 */
function publish(report: WorkerReport, terminationLog: string): void {
  const text = formatReport(report);
  const isNamed = terminationLog !== '';
  const flags = constants.O_WRONLY | constants.O_TRUNC | (isNamed ? constants.O_CREAT : 0);
  try {
    const file = openSync(isNamed ? terminationLog : TERMINATION_LOG_DEFAULT, flags, 0o644);
    writeFileSync(file, text);
    closeSync(file);
  } catch (error) {
    if (isNamed) console.error(`muster worker: ${terminationLog}: ${wordsOf(error)}`);
  }
  console.log(text);
}

async function readConfigFile(file: string): Promise<Result<unknown, string>> {
  try {
    return await parseText(await readFile(file, 'utf8'));
  } catch (error) {
    return err(wordsOf(error));
  }
}

/** The YAML parser costs memory, and an operator writes JSON: it is loaded only for what JSON cannot be. */
async function parseText(text: string): Promise<Result<unknown, string>> {
  if (!text.trimStart().startsWith('{')) return parseYaml(text);
  try {
    const parsed: unknown = JSON.parse(text);
    return ok(parsed);
  } catch {
    return parseYaml(text);
  }
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
