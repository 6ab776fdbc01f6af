// What a process has used so far, read from Linux's /proc: processor time, memory now and at its peak.

import { readFile } from 'node:fs/promises';

export type ProcessFigures = {
  readonly cpuMs: number;
  readonly rssBytes: number;
  readonly rssPeakBytes: number;
};

/** A tick of the kernel's accounting: 100 a second on every Linux that Node runs on. */
const tickMs = 10;
const KiB = 1024;

export async function readProcessFigures(pid: number): Promise<ProcessFigures> {
  const [stat, status] = await Promise.all([
    readFile(`/proc/${pid}/stat`, 'utf8'),
    readFile(`/proc/${pid}/status`, 'utf8'),
  ]);
  return parseProcessFigures(stat, status);
}

export function parseProcessFigures(stat: string, status: string): ProcessFigures {
  // The name stands in parentheses and may hold spaces; user and system time are the 12th and 13th field behind it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const sizeOf = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) * KiB;
  return {
    cpuMs: (Number(fields[11]) + Number(fields[12])) * tickMs,
    rssBytes: sizeOf('VmRSS'),
    rssPeakBytes: sizeOf('VmHWM'),
  };
}
