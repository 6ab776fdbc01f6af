// `muster worker` as a process: configuration, one run of the checks, one report, exit code. Writes nothing to the cluster.

import { constants } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { systemClock } from '../base/clock.ts';
import { systemRandom } from '../base/random.ts';
import { err, formatProblem, ok, type Problem, type Result } from '../base/result.ts';
import { type CheckVerdict, formatReport, type WorkerReport } from '../base/worker-report.ts';
import { serveEcho } from '../checks/probes/echo-server.ts';
import { createMachine } from '../checks/probes/machine.ts';
import { runPlan, verdictOf } from '../checks/run.ts';
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
  if (config.kind === 'error') return refuse(config.error);
  const echo = await startEcho(config.value, stop);
  if (echo.kind === 'error') return refuse([{ path: 'echo.bindAddress', message: echo.error }]);
  const report = await check(config.value, stop.signal);
  await publish(report, config.value.terminationLog);
  await echo.value;
  return exitCodes[report.verdict];
}

async function refuse(problems: readonly Problem[]): Promise<number> {
  const lines = problems.map(formatProblem);
  for (const line of lines) console.error(`muster worker: ${line}`);
  const { NODE_NAME = '', NODE_UID = '', VERIFICATION_NONCE = '', TERMINATION_LOG = '' } = process.env;
  await publish(
    {
      nodeName: NODE_NAME,
      nodeUID: NODE_UID,
      nonce: VERIFICATION_NONCE,
      verdict: 'inconclusive',
      isComplete: false,
      isForAnnotation: false,
      checks: [],
      problems: lines,
    },
    TERMINATION_LOG,
  );
  return exitCodes.usage;
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

/** Starts the clock of the run, and the echo if one is wanted. The inner promise ends when no peer needs it any more. */
async function startEcho(config: WorkerConfig, stop: Stop): Promise<Result<Promise<void>, string>> {
  systemClock.after(config.runTimeoutMs, () => stop.because('the run took too long'));
  const { echoAddress, echoMs, echoWord } = config;
  if (echoAddress === null) return ok(Promise.resolve());
  const { host, port } = echoAddress;
  const server = await serveEcho({ address: host === '' ? '::' : host, port }, echoWord);
  if (server.kind === 'error') return server;
  console.error(`muster worker: echo on port ${server.value.port}`);
  return ok(
    new Promise((resolve) => {
      systemClock.after(echoMs, resolve);
      stop.signal.addEventListener('abort', () => resolve());
    }),
  );
}

const TERMINATION_LOG_DEFAULT = '/dev/termination-log';

/** Where no file is named, only one that a kubelet made is written to: outside of a pod there is none. */
async function publish(report: WorkerReport, terminationLog: string): Promise<void> {
  const text = formatReport(report);
  console.log(text);
  const isNamed = terminationLog !== '';
  const flags = constants.O_WRONLY | constants.O_TRUNC | (isNamed ? constants.O_CREAT : 0);
  try {
    const file = await open(isNamed ? terminationLog : TERMINATION_LOG_DEFAULT, flags, 0o644);
    await file.writeFile(text);
    await file.close();
  } catch (error) {
    if (isNamed) console.error(`muster worker: ${terminationLog}: ${wordsOf(error)}`);
  }
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
