// What a process has used up at one moment: time, processor, and how long it waited for a core.

import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';

export type Mark = {
  readonly atMs: number;
  readonly cpu: NodeJS.CpuUsage;
  readonly waitedMs: number | null;
};

export type Spent = {
  readonly wallMs: number;
  readonly cpuMs: number;
  /** Ready to run while others had the core: noise. Null where the system does not tell. */
  readonly waitedMs: number | null;
};

export function mark(): Mark {
  return { atMs: performance.now(), cpu: process.cpuUsage(), waitedMs: waitedMs() };
}

export function spentSince(begun: Mark): Spent {
  const { user, system } = process.cpuUsage(begun.cpu);
  const now = mark();
  return {
    wallMs: now.atMs - begun.atMs,
    cpuMs: (user + system) / 1_000,
    waitedMs: now.waitedMs === null ? null : now.waitedMs - (begun.waitedMs ?? 0),
  };
}

/** How long the main thread has waited for a core since it started: Linux counts it in nanoseconds. */
function waitedMs(): number | null {
  try {
    const [, waitedNs] = readFileSync('/proc/self/schedstat', 'utf8').split(' ');
    return Number(waitedNs) / 1e6;
  } catch {
    return null;
  }
}
