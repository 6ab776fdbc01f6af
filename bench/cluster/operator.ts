// The operator as the chart runs it: the bundle in a process of its own, with the chart's flags of Node, its log in a file.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type ServerProcess,
  stopProcess,
  waitUntilReady,
  wordsOfEnd,
} from '../../test/control-plane/processes.ts';
import { until } from '../../test/control-plane/until.ts';
import { freePorts } from '../../test/control-plane/ports.ts';
import { chartEnvironment, chartHeapMiB, chartMemoryMiB } from '../chart-flags.ts';
import type { Cluster } from './cluster.ts';
import { openContainer, type WorkingSet } from './container.ts';
import { readProcessFigures } from './process-figures.ts';
import { growthBy, type Labels, type Pages, parseSamples, type Sample, sumOf } from './samples.ts';

export type Operator = {
  readonly pid: number;
  readonly process: ServerProcess;
  readonly scrape: () => Promise<readonly Sample[]>;
  /** Waits until it has written nothing for so long, and has nothing to look at. */
  readonly untilCalm: (calmMs: number, withinMs: number) => Promise<void>;
  readonly memory: () => Promise<Memory>;
  readonly stop: () => Promise<void>;
};

export type OperatorOptions = {
  readonly flags: readonly string[];
  readonly nodeFlags?: readonly string[];
  /** That of the chart when absent. */
  readonly heapMiB?: number;
};

/** At its peak. */
export type Memory =
  | (WorkingSet & { readonly by: 'working set in a container' })
  | { readonly bytes: number; readonly by: 'RSS' };

const MiB = 1024 * 1024;
const readyMsMax = 180_000;
/** Each look makes the operator count its nodes, which is a part of what is measured. */
const lookMs = 1_000;

export async function startOperator(
  { launch, operatorKubeconfig, muster }: Cluster,
  { flags, nodeFlags = [], heapMiB = chartHeapMiB() }: OperatorOptions,
): Promise<Operator> {
  const [health = 0, metrics = 0] = await freePorts(2);
  const container = await openContainer(chartMemoryMiB(heapMiB) * MiB);
  // On a disk: in a file system in memory every line of the log would count as memory of the operator.
  const logDir = await mkdtemp(path.join(tmpdir(), 'muster-operator-'));
  const args = [
    ...nodeFlags,
    muster,
    'operator',
    `--kubeconfig=${operatorKubeconfig}`,
    `--health-bind-address=127.0.0.1:${health}`,
    `--metrics-bind-address=127.0.0.1:${metrics}`,
    ...flags,
  ];
  const process = await launch({
    name: 'operator',
    ...(container?.commandLine(args) ?? { command: globalThis.process.execPath, args }),
    env: { PATH: globalThis.process.env['PATH'], ...chartEnvironment(heapMiB) },
    logFile: path.join(logDir, 'operator.log'),
  });
  await waitUntilReady(process, readyMsMax, () => answersOk(`http://127.0.0.1:${health}/readyz`));
  const scrape = async () => parseSamples(await readPage(process, `http://127.0.0.1:${metrics}/metrics`));
  return {
    pid: process.pid,
    process,
    scrape,
    untilCalm: (calmMs, withinMs) => untilCalm(scrape, calmMs, withinMs),
    memory: async () =>
      container === null
        ? { bytes: (await readProcessFigures(process.pid)).rssPeakBytes, by: 'RSS' }
        : { ...container.peak(), by: 'working set in a container' },
    async stop() {
      await stopProcess(process);
      await container?.close();
      await rm(logDir, { recursive: true });
    },
  };
}

const pageMsMax = 30_000;

async function readPage(operator: ServerProcess, url: string): Promise<string> {
  return until('the operator shows its metrics', pageMsMax, async () => {
    if (!operator.isRunning()) throw new Error(await wordsOfEnd(operator));
    return fetch(url).then(
      (answer) => answer.text(),
      () => undefined,
    );
  });
}

async function untilCalm(scrape: Operator['scrape'], calmMs: number, withinMs: number): Promise<void> {
  const deadline = Date.now() + withinMs;
  let writes = Number.NaN;
  let since = Date.now();
  for (;;) {
    const samples = await scrape();
    const counted = sumOf(samples, 'muster_api_requests_total', isWrite);
    // Nothing written and much to do is a machine that stands still, not an operator at rest.
    const due = sumOf(samples, 'muster_queue_depth', ({ state }) => state !== 'delayed');
    if (counted !== writes || due > 0) {
      writes = counted;
      since = Date.now();
    }
    if (Date.now() - since >= calmMs) return;
    if (Date.now() > deadline) throw new Error(`the operator still writes after ${withinMs} ms`);
    await pause(lookMs);
  }
}

/** A Lease is renewed at rest as well; everything else is written for a reason. */
export function isWrite({ verb = '', resource = '' }: Labels): boolean {
  return !['get', 'list', 'watch'].includes(verb) && !resource.startsWith('leases');
}

async function answersOk(url: string): Promise<boolean> {
  return fetch(url).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** What was written and not refused, by verb and resource. */
export function writesIn(pages: Pages): ReadonlyMap<string, number> {
  return growthBy('muster_api_requests_total', pages, (labels) =>
    isWrite(labels) && labels['code']?.startsWith('2') ? whatOf(labels) : null,
  );
}

/** Everything else that was asked: what was read, and what was refused, by verb, resource and code. */
export function otherRequestsIn(pages: Pages): ReadonlyMap<string, number> {
  return growthBy('muster_api_requests_total', pages, (labels) => {
    const { code = '', resource = '' } = labels;
    if (resource.startsWith('leases') || (isWrite(labels) && code.startsWith('2'))) return null;
    return `${whatOf(labels)} ${code}`;
  });
}

export function whatOf({ verb, resource }: Labels): string {
  return `${verb} ${resource}`;
}
