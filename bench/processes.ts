// The processes of a run: each on a core of its own where the machine allows it, told what to do and heard over IPC. A
// child ends with its channel, so that nothing is left behind however the bench ends.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { availableParallelism, cpus } from 'node:os';

export type Launch = {
  readonly name: string;
  readonly core: number;
  readonly nodeFlags: readonly string[];
  readonly file: string;
  readonly args: readonly string[];
};

export type Child<Command, Report extends { readonly kind: string }> = {
  readonly send: (command: Command) => void;
  /** The next report, which must be of this kind. */
  readonly hear: <Kind extends Report['kind']>(
    kind: Kind,
    withinMs: number,
  ) => Promise<Extract<Report, { readonly kind: Kind }>>;
  readonly stop: () => void;
};

export function launch<Command extends object, Report extends { readonly kind: string }>({
  name,
  core,
  nodeFlags,
  file,
  args,
}: Launch): Child<Command, Report> {
  const [command = process.execPath, ...rest] = [
    ...(canPin() ? ['taskset', '-c', String(core)] : []),
    process.execPath,
    ...nodeFlags,
    file,
    ...args,
  ];
  const child = spawn(command, rest, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const inbox = new Inbox<Report>(name, child);
  return {
    send: (message) => void child.send(message),
    hear: (kind, withinMs) => inbox.take(kind, withinMs),
    stop: () => void child.kill(),
  };
}

/** Whether processes can be bound to cores: on Linux, with more than one of them. */
export function canPin(): boolean {
  return availableParallelism() > 1 && spawnSync('taskset', ['-c', '1', 'true']).status === 0;
}

/** This process, and all that it starts from now on, keep to the other cores. */
export function leaveCore(core: number): void {
  // Of all that there are: after the first time this process has fewer.
  const others = cpus().flatMap((_, index) => (index === core ? [] : [index]));
  const { status, stderr } = spawnSync('taskset', ['-a', '-p', '-c', others.join(','), String(process.pid)]);
  if (status !== 0)
    throw new Error(`the bench cannot be bound to cores ${others.join(', ')}: ${String(stderr)}`);
}

class Inbox<Report extends { readonly kind: string }> {
  readonly #name: string;
  readonly #waiting: Report[] = [];
  #end: string | null = null;
  #wake = () => {};

  constructor(name: string, child: ChildProcess) {
    this.#name = name;
    child.on('message', (report: Report) => {
      this.#waiting.push(report);
      this.#wake();
    });
    child.once('exit', (code, signal) => {
      this.#end = signal === null ? `exited with code ${code}` : `was ended by ${signal}`;
      this.#wake();
    });
    child.once('error', (error) => {
      this.#end = `could not be started: ${error.message}`;
      this.#wake();
    });
  }

  async take<Kind extends Report['kind']>(
    kind: Kind,
    withinMs: number,
  ): Promise<Extract<Report, { readonly kind: Kind }>> {
    const report = this.#waiting.shift() ?? (await this.#next(withinMs));
    if (report === undefined)
      throw new Error(`${this.#name} ${this.#end ?? `said nothing in ${withinMs} ms`}`);
    if (report.kind === kind) return report as Extract<Report, { readonly kind: Kind }>;
    throw new Error(`${this.#name} reported ${report.kind} where ${kind} was expected`);
  }

  async #next(withinMs: number): Promise<Report | undefined> {
    if (this.#end === null) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, withinMs);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    return this.#waiting.shift();
  }
}
