// Containers as real child processes of this one. A process gets a folder for its termination message, loses nothing of what
// it writes, and ends with us: a pod must not outlive the world it runs in.

import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import path from 'node:path';
import { scratchVariable, terminationLogVariable } from '../base/worker-report.ts';
import type { ContainerCommand } from './container-command.ts';

export type ProcessEnd = {
  readonly code: number;
  /** What it left in the file that stands for /dev/termination-log; empty when nothing. */
  readonly message: string;
};

export type RunningProcess = {
  readonly ended: Promise<ProcessEnd>;
  /** Asks it to end; `now` does not ask. */
  stop(how: 'politely' | 'now'): void;
};

export interface Processes {
  start(command: ContainerCommand, onText: (text: string) => void): RunningProcess;
  /** Ends all that still run, at once. */
  stopAll(): void;
}

/** As a shell says it: the program could not be started. */
const CANNOT_START = 127;

export function createChildProcesses(environment: Readonly<Record<string, string>>): Processes {
  const running = new Set<RunningProcess>();
  return {
    start(command, onText) {
      const started = startOne(command, environment, onText);
      running.add(started);
      void started.ended.then(() => running.delete(started));
      return started;
    },
    stopAll() {
      for (const each of running) each.stop('now');
    },
  };
}

function startOne(
  { argv, env }: ContainerCommand,
  environment: Readonly<Record<string, string>>,
  onText: (text: string) => void,
): RunningProcess {
  const folder = mkdtempSync(path.join(tmpdir(), 'muster-pod-'));
  const file = path.join(folder, 'termination-log');
  const [program = '', ...args] = argv;
  // Its own process group, so that Ctrl-C reaches it through the kubelet and not past it; the channel ends it when we die.
  const child = spawn(program, args, {
    env: { ...environment, ...env, [terminationLogVariable]: file, [scratchVariable]: folder },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: true,
  });
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => onText(text));
  const { promise, resolve } = Promise.withResolvers<ProcessEnd>();
  const end = (code: number) => {
    resolve({ code, message: readMessage(file) });
    rmSync(folder, { recursive: true, force: true });
  };
  child.once('error', (error) => {
    onText(`${error.message}\n`);
    end(CANNOT_START);
  });
  child.once('close', (code, signal) => end(code ?? 128 + (signal === null ? 0 : constants.signals[signal])));
  return { ended: promise, stop: (how) => void child.kill(how === 'now' ? 'SIGKILL' : 'SIGTERM') };
}

function readMessage(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
