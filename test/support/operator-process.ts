// A real operator process for end-to-end tests: started from the bundle, watched through its log, probes and exit code.

import { spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { until } from '../control-plane/until.ts';

export type LogLine = { readonly msg: string; readonly level: string; readonly [field: string]: unknown };

export type OperatorProcess = {
  readonly pid: number;
  readonly lines: readonly LogLine[];
  readonly exited: Promise<number | null>;
  waitForLine(msg: string, timeoutMs?: number): Promise<LogLine>;
  waitUntilReady(timeoutMs?: number): Promise<void>;
  get(
    probe: 'health' | 'metrics',
    route: string,
  ): Promise<{ readonly status: number; readonly text: string }>;
  signal(signal: NodeJS.Signals): void;
  /** SIGTERM, and SIGKILL if that takes more than 15 s. */
  stop(): Promise<number | null>;
};

const root = path.resolve(import.meta.dirname, '../..');
export const musterScript = path.join(root, 'dist', 'muster.cjs');

export function startOperator(
  kubeconfig: string,
  flags: readonly string[] = [],
  script = musterScript,
): OperatorProcess {
  const own = [
    '--kubeconfig',
    kubeconfig,
    '--health-bind-address',
    '127.0.0.1:0',
    '--metrics-bind-address',
    '127.0.0.1:0',
  ];
  const child = spawn(process.execPath, [script, 'operator', ...own, ...flags], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const killWithParent = () => void child.kill('SIGKILL');
  process.once('exit', killWithParent);
  const lines: LogLine[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(parse(line)));
  const exited = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
  void exited.then(() => process.removeListener('exit', killWithParent));

  const port = async (probe: string) => {
    const line = await until(`${probe} listens`, 10_000, () =>
      lines.find((each) => each.msg === 'listening' && each['for'] === probe),
    );
    return Number(line['port']);
  };
  const operator: OperatorProcess = {
    pid: child.pid ?? 0,
    lines,
    exited,
    waitForLine: (msg, timeoutMs = 10_000) =>
      until(`log says "${msg}"`, timeoutMs, () => lines.find((line) => line.msg === msg)),
    waitUntilReady: (timeoutMs = 30_000) =>
      until('operator is ready', timeoutMs, async () =>
        (await operator.get('health', '/readyz')).status === 200 ? true : undefined,
      ).then(() => undefined),
    async get(probe, route) {
      const reply = await fetch(`http://127.0.0.1:${await port(probe)}${route}`);
      return { status: reply.status, text: await reply.text() };
    },
    signal: (signal) => void child.kill(signal),
    async stop() {
      child.kill('SIGTERM');
      const deadline = setTimeout(() => child.kill('SIGKILL'), 15_000);
      const code = await exited;
      clearTimeout(deadline);
      return code;
    },
  };
  return operator;
}

function parse(line: string): LogLine {
  try {
    return JSON.parse(line) as LogLine;
  } catch {
    return { msg: line, level: 'unparsed' };
  }
}
