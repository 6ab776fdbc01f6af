// What the whole machine has spent so far, read from Linux's /proc: on a shared host a part of its time goes to others.

import { readFile } from 'node:fs/promises';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';

export type MachineFigures = {
  /** Of all cores together, idle or not. */
  readonly totalMs: number;
  /** Of all processes together, the kernel included. */
  readonly busyMs: number;
  /** Asked for, and given to other guests of the host. */
  readonly stolenMs: number;
};

/** As in process-figures.ts. */
const tickMs = 10;

export async function readMachineFigures(): Promise<MachineFigures> {
  return parseMachineFigures(await readFile('/proc/stat', 'utf8'));
}

/** The first line: user, nice, system, idle, waiting for a disk, interrupts, soft interrupts, stolen; then guests, who count as user. */
export function parseMachineFigures(stat: string): MachineFigures {
  const [, text = ''] = /^cpu +([\d ]+)$/m.exec(stat) ?? [];
  const [user = 0, nice = 0, system = 0, idle = 0, disk = 0, hard = 0, soft = 0, stolen = 0] = text
    .split(' ')
    .map((ticks) => Number(ticks) * tickMs);
  const busyMs = user + nice + system + hard + soft;
  return { busyMs, stolenMs: stolen, totalMs: busyMs + idle + disk + stolen };
}

/** Which part of the time between two looks the machine did not have. */
export function stolenShare(before: MachineFigures, after: MachineFigures): number {
  const totalMs = after.totalMs - before.totalMs;
  return totalMs <= 0 ? 0 : (after.stolenMs - before.stolenMs) / totalMs;
}

const probeMs = 1_000;
const stolenMax = 0.02;
const otherwiseMs = 15_000;

/** Until a second of work was hardly disturbed, or for so long: from who is idle nothing is stolen, so that only work can tell. */
export async function untilMachineIsOurs(withinMs: number): Promise<void> {
  const startedMs = performance.now();
  for (;;) {
    const before = await readMachineFigures();
    work(probeMs);
    const stolen = stolenShare(before, await readMachineFigures());
    if (stolen <= stolenMax || performance.now() - startedMs > withinMs) return;
    await pause(otherwiseMs);
  }
}

function work(forMs: number): void {
  const startedMs = performance.now();
  while (performance.now() - startedMs < forMs);
}
