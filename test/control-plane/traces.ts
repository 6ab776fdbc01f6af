// What a run could leave behind: processes whose command line names its data directory, servers and watchdog alike.

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { until } from './until.ts';

/** Waits until neither the directory nor a process of the run is there. */
export async function noTraceOf(dir: string): Promise<void> {
  await until(`nothing of ${dir} is left`, 20_000, async () => {
    const isClean = !existsSync(dir) && (await processesOf(dir)).length === 0;
    return isClean ? true : undefined;
  });
}

/** The programs of the run that are alive, by path. */
export async function processesOf(dir: string): Promise<readonly string[]> {
  const commandLines = existsSync('/proc/self') ? await fromProc() : await fromPs();
  return commandLines.filter((line) => line.includes(dir)).map((line) => line.split(' ')[0] ?? '');
}

async function fromProc(): Promise<readonly string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  // A process may end between the listing and the reading.
  const read = (pid: string) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return (await Promise.all(pids.map(read))).map((line) => line.replaceAll('\0', ' '));
}

// macOS has no /proc; slim images have no ps.
async function fromPs(): Promise<readonly string[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'args=']);
  return stdout.split('\n');
}
