// Server processes of one run: output into a log file each, stopped by pid, never left behind (see watchdog.ts).

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { until } from './until.ts';
import type { Watchdog } from './watchdog.ts';

export type ServerProcess = {
  readonly name: string;
  readonly pid: number;
  readonly kill: (signal: NodeJS.Signals) => void;
  readonly isRunning: () => boolean;
  /** How it ended, in words; empty while it runs. */
  readonly ending: () => string;
  readonly exited: Promise<void>;
  readonly logFile: string;
};

export type Launch = {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly logFile: string;
  /** The environment of this process when absent. */
  readonly env?: NodeJS.ProcessEnv;
};

const graceMs = 5_000;

export async function launch(
  { name, command, args, logFile, env = process.env }: Launch,
  watchdog: Watchdog,
): Promise<ServerProcess> {
  const log = openSync(logFile, 'a');
  // Detached, so that Ctrl-C reaches the test process alone and the servers are stopped in order.
  const child = spawn(command, args, { detached: true, stdio: ['ignore', log, log], env });
  closeSync(log);
  await once(child, 'spawn');
  const pid = child.pid ?? Number.NaN;
  watchdog.guard(pid);
  const exited = once(child, 'exit').then(() => watchdog.forget(pid));
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  const ending = () => child.signalCode ?? (child.exitCode === null ? '' : `exit code ${child.exitCode}`);
  return { name, pid, kill: (signal) => void child.kill(signal), isRunning, ending, exited, logFile };
}

/** What to say of a server that ended while it was needed. */
export async function wordsOfEnd(server: ServerProcess): Promise<string> {
  return `${server.name} ended (${server.ending()}); its log ends with:\n${await tail(server.logFile)}`;
}

/** Waits for a true answer. A server that exits ends the wait at once, with the end of its log. */
export async function waitUntilReady(
  server: ServerProcess,
  timeoutMs: number,
  isReady: () => Promise<boolean>,
): Promise<void> {
  const probe = async () => {
    if (!server.isRunning()) throw new Error('it exited');
    return (await isReady()) ? true : undefined;
  };
  await until('it is ready', timeoutMs, probe).catch(async (cause: Error) => {
    const end = await tail(server.logFile);
    throw new Error(`${server.name} did not start: ${cause.message}; its log ends with:\n${end}`, { cause });
  });
}

export async function stopProcess(server: ServerProcess): Promise<void> {
  server.kill('SIGTERM');
  const timer = new AbortController();
  const grace = pause(graceMs, 'late', { signal: timer.signal }).catch(() => 'cancelled');
  if ((await Promise.race([server.exited, grace])) === 'late') server.kill('SIGKILL');
  timer.abort();
  await server.exited;
}

async function tail(file: string): Promise<string> {
  return (await readFile(file, 'utf8')).trimEnd().split('\n').slice(-15).join('\n');
}
