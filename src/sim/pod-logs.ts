// What the containers of simulated pods wrote, the last part of it: kept in memory and bounded, gone with the pod. Supplies the
// embedded server with what `kubectl logs` shows.

import type { LoggedContainer, LogLine, LogListener, PodLogSupplier } from '../apiserver/pod-logs.ts';
import type { Cancel, Clock } from '../base/clock.ts';

export type ContainerName = Pick<LoggedContainer, 'namespace' | 'pod' | 'container'>;

type ContainerLog = {
  readonly lines: LogLine[];
  characters: number;
  /** The beginning of a line that has not ended yet. */
  rest: string;
  isOver: boolean;
  readonly listeners: Set<LogListener>;
};

const CHARACTERS_MAX = 256 * 1024;

export class PodLogs implements PodLogSupplier {
  readonly #clock: Clock;
  readonly #logs = new Map<string, ContainerLog>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  append(name: ContainerName, text: string): void {
    const log = this.#logOf(name);
    log.isOver = false;
    const [first = '', ...more] = text.split('\n');
    const whole = [log.rest + first, ...more];
    log.rest = whole.pop() ?? '';
    // A line without an end is ended for it before it fills the memory.
    if (log.rest.length > CHARACTERS_MAX) whole.push(take(log));
    for (const line of whole) this.#add(log, line);
  }

  /** The container wrote its last, for now: it may be started again. */
  end(name: ContainerName): void {
    const log = this.#logOf(name);
    if (log.rest !== '') this.#add(log, take(log));
    log.isOver = true;
    for (const listener of log.listeners) listener.ended();
    log.listeners.clear();
  }

  /** Everything that is kept, or null when there is no such container. */
  read(name: ContainerName): string | null {
    const log = this.#logs.get(keyOf(name));
    return log === undefined ? null : log.lines.map(({ text }) => `${text}\n`).join('') + log.rest;
  }

  linesOf(container: LoggedContainer): readonly LogLine[] | null {
    return this.#logs.get(keyOf(container))?.lines ?? null;
  }

  follow(container: LoggedContainer, listener: LogListener): Cancel {
    const log = this.#logOf(container);
    if (log.isOver) return this.#clock.after(0, () => listener.ended());
    log.listeners.add(listener);
    return () => void log.listeners.delete(listener);
  }

  forget({ namespace, pod }: { readonly namespace: string; readonly pod: string }): void {
    for (const [key, { listeners }] of this.#logs) {
      if (!key.startsWith(`${namespace}/${pod}/`)) continue;
      this.#logs.delete(key);
      for (const listener of listeners) listener.ended();
    }
  }

  #add(log: ContainerLog, text: string): void {
    const line = { at: this.#clock.now(), text };
    log.lines.push(line);
    log.characters += text.length;
    while (log.characters > CHARACTERS_MAX && log.lines.length > 1)
      log.characters -= log.lines.shift()?.text.length ?? 0;
    for (const listener of log.listeners) listener.line(line);
  }

  #logOf(name: ContainerName): ContainerLog {
    const log = this.#logs.get(keyOf(name)) ?? {
      lines: [],
      characters: 0,
      rest: '',
      isOver: false,
      listeners: new Set(),
    };
    this.#logs.set(keyOf(name), log);
    return log;
  }
}

function keyOf({ namespace, pod, container }: ContainerName): string {
  return `${namespace}/${pod}/${container}`;
}

function take(log: ContainerLog): string {
  const { rest } = log;
  log.rest = '';
  return rest;
}
