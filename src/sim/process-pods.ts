// Runs the containers of a pod as real processes and turns their ends into fates: init containers one after the other, then all
// others at once. Reports nothing: its owner does.

import type { Clock } from '../base/clock.ts';
import { type RawObject, textOf, viewOf } from '../objects/raw.ts';
import type { Processes, ProcessEnd, RunningProcess } from './child-processes.ts';
import { containerCommand, type ResolveImage } from './container-command.ts';
import type { ContainerName, PodLogs } from './pod-logs.ts';
import { containersOf, initContainersOf, type PodRun } from './pod-run.ts';

export type ProcessPodsOptions = {
  readonly clock: Clock;
  readonly processes: Processes;
  readonly resolveImage: ResolveImage;
  readonly logs: PodLogs;
};

export type PodOwner = {
  changed(run: PodRun, phase: 'Pending' | 'Running'): void;
  /** No process of the pod runs any more. */
  ended(run: PodRun): void;
};

type Container = Readonly<Record<string, unknown>>;

type Running = {
  readonly process: RunningProcess;
  readonly container: Container;
  readonly log: ContainerName;
  /** What comes after its end. */
  readonly onEnd: (code: number) => void;
};

/** As much of the log as a kubelet takes for a message when the container left none. */
const FALLBACK_CHARACTERS = 2048;

export class ProcessPods {
  readonly #options: ProcessPodsOptions;
  readonly #owner: PodOwner;

  constructor(options: ProcessPodsOptions, owner: PodOwner) {
    this.#options = options;
    this.#owner = owner;
  }

  start(run: PodRun, pod: RawObject): void {
    const first = initContainersOf(pod);
    if (first.length === 0) return this.#startAll(run, pod);
    for (const { name } of [...first, ...containersOf(pod)])
      run.fates.set(textOf(name), { kind: 'waiting', reason: 'PodInitializing', message: '' });
    this.#initialise(run, pod, first);
  }

  #initialise(run: PodRun, pod: RawObject, [container, ...rest]: readonly Container[]): void {
    if (container === undefined) return this.#startAll(run, pod);
    const onEnd = (code: number) => {
      if (code === 0) this.#initialise(run, pod, rest);
      else this.#owner.ended(run);
    };
    this.#startOne(run, pod, { container, onEnd });
    this.#owner.changed(run, 'Pending');
  }

  #startAll(run: PodRun, pod: RawObject): void {
    const onEnd = () => {
      if (run.processes.size === 0) this.#owner.ended(run);
      else this.#owner.changed(run, 'Running');
    };
    for (const container of containersOf(pod)) this.#startOne(run, pod, { container, onEnd });
    this.#owner.changed(run, 'Running');
    if (run.processes.size === 0 && isAllEnded(run)) this.#owner.ended(run);
  }

  #startOne(run: PodRun, pod: RawObject, { container, onEnd }: Pick<Running, 'container' | 'onEnd'>): void {
    const { clock, logs, processes, resolveImage } = this.#options;
    const name = textOf(container['name']);
    const { name: podName, namespace } = viewOf(pod);
    const command = containerCommand(pod, container, resolveImage);
    if (command.kind === 'error') {
      run.fates.set(name, { kind: 'waiting', reason: 'CreateContainerConfigError', message: command.error });
      return;
    }
    const startedAt = clock.now();
    const log = { namespace, pod: podName, container: name };
    const process = processes.start(command.value, (text) => logs.append(log, text));
    run.fates.set(name, { kind: 'running', startedAt });
    run.processes.set(name, process);
    void process.ended.then((end) => this.#took(run, { process, container, log, onEnd }, end));
  }

  #took(run: PodRun, { process, container, log, onEnd }: Running, end: ProcessEnd): void {
    const { clock, logs } = this.#options;
    logs.end(log);
    // After a reboot another process may run under the same name.
    if (run.processes.get(log.container) !== process) return;
    run.processes.delete(log.container);
    const { code } = end;
    const isFallback = container['terminationMessagePolicy'] === 'FallbackToLogsOnError' && code !== 0;
    const message = end.message || (isFallback ? (logs.read(log) ?? '').slice(-FALLBACK_CHARACTERS) : '');
    const times = { startedAt: run.startedAt, finishedAt: clock.now() };
    const reason = code === 0 ? 'Completed' : 'Error';
    if (run.phase === 'Ended') {
      if (run.processes.size === 0) this.#owner.ended(run);
      return;
    }
    run.fates.set(log.container, { kind: 'ended', ...times, code, reason, message });
    // Nothing more is started of a pod that has to go.
    if (run.isLeaving && run.processes.size === 0) this.#owner.ended(run);
    else onEnd(code);
  }
}

function isAllEnded(run: PodRun): boolean {
  return run.fates.size > 0 && [...run.fates.values()].every(({ kind }) => kind === 'ended');
}
