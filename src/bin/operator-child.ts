// The operator as a child process of `muster up`: the same entry that runs in a cluster, over the same HTTP. Its log goes to
// a file. It has its own process group, so that Ctrl-C ends it in order, and a channel, so that it never outlives us.

import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { isRecord } from '../objects/raw.ts';

export type OperatorChild = {
  readonly pid: number;
  /** Exit code, and the last thing that it complained about. */
  readonly ended: Promise<OperatorEnd>;
  /** Resolves when it is gone; one that does not go by itself is made to. */
  stop(): Promise<OperatorEnd>;
};

export type OperatorEnd = { readonly code: number; readonly complaint: string };

const STOP_MS_MAX = 10_000;
/** Where a check of config/demo looks for a server that is not there. */
const DEMO_TARGET = '127.0.0.2/32';
const KILLED = 137;

export function startOperatorChild(options: {
  script: string;
  kubeconfig: string;
  logFile: string;
}): OperatorChild {
  const anywhere = '127.0.0.1:0';
  const flags = [
    '--kubeconfig',
    options.kubeconfig,
    '--health-bind-address',
    anywhere,
    '--metrics-bind-address',
    anywhere,
    '--worker-image',
    'muster',
    '--worker-settings',
    JSON.stringify({ allowedTargets: [DEMO_TARGET] }),
  ];
  const child = spawn(process.execPath, [options.script, 'operator', ...flags], {
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: true,
  });
  const file = createWriteStream(options.logFile, { mode: 0o600 });
  // A full disk must not end the demonstration.
  file.on('error', () => undefined);
  let complaint = '';
  for (const stream of [child.stdout, child.stderr]) {
    if (stream === null) continue;
    createInterface({ input: stream }).on('line', (line) => {
      file.write(`${line}\n`);
      complaint = complaintIn(line) ?? complaint;
    });
  }
  const { promise, resolve } = Promise.withResolvers<OperatorEnd>();
  child.once('error', (error) => resolve({ code: 1, complaint: error.message }));
  let isAsked = false;
  child.once('close', (code, signal) => {
    file.end();
    // So early that it could not listen yet, it ends by the signal itself, which is as good.
    const isDone = isAsked && signal === 'SIGTERM';
    resolve({ code: isDone ? 0 : (code ?? KILLED), complaint });
  });
  return {
    pid: child.pid ?? 0,
    ended: promise,
    async stop() {
      isAsked = true;
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS_MAX);
      const end = await promise;
      clearTimeout(timer);
      return end;
    },
  };
}

/** Errors of its log, and whatever it printed that is no log line. */
function complaintIn(line: string): string | null {
  const fields = parsed(line);
  if (fields === null) return line.trim() === '' ? null : line.trim();
  const { level, msg, error } = fields;
  if (level !== 'error') return null;
  const words = [msg, error].filter((each) => typeof each === 'string');
  return words.join(': ').split('\n', 1).join();
}

function parsed(line: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(line);
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}
