// Runs the containers of a pod as real processes and turns their ends into fates. Reports nothing: its owner does.

import type { Clock } from '../base/clock.ts';
import { type RawObject, textOf, viewOf } from '../objects/raw.ts';
import type { Processes, ProcessEnd, RunningProcess } from './child-processes.ts';
import { containerCommand, type ResolveImage } from './container-command.ts';
import type { ContainerName, PodLogs } from './pod-logs.ts';
import { containersOf, type PodRun } from './pod-run.ts';

export type ProcessPodsOptions = {
  readonly clock: Clock;
  readonly processes: Processes;
  readonly resolveImage: ResolveImage;
  readonly logs: PodLogs;
};

export type PodOwner = {
  changed(run: PodRun): void;
  /** No process of the pod runs any more. */
  ended(run: PodRun): void;
};

type Running = {
  readonly process: RunningProcess;
  readonly container: Readonly<Record<string, unknown>>;
  readonly log: ContainerName;
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
    for (const container of containersOf(pod)) this.#startOne(run, pod, container);
    this.#owner.changed(run);
    if (run.processes.size === 0 && isAllEnded(run)) this.#owner.ended(run);
  }

  #startOne(run: PodRun, pod: RawObject, container: Readonly<Record<string, unknown>>): void {
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
    void process.ended.then((end) => this.#took(run, { process, container, log }, end));
  }

  #took(run: PodRun, { process, container, log }: Running, end: ProcessEnd): void {
    this.#options.logs.end(log);
    // After a reboot another process may run under the same name.
    if (run.processes.get(log.container) !== process) return;
    run.processes.delete(log.container);
    const isFallback = container['terminationMessagePolicy'] === 'FallbackToLogsOnError' && end.code !== 0;
    const fallback = isFallback ? (this.#options.logs.read(log) ?? '').slice(-FALLBACK_CHARACTERS) : '';
    this.#ended(run, log.container, { ...end, message: end.message || fallback });
  }

  #ended(run: PodRun, name: string, { code, message }: ProcessEnd): void {
    const { clock } = this.#options;
    const reason = code === 0 ? 'Completed' : 'Error';
    const times = { startedAt: run.startedAt, finishedAt: clock.now() };
    if (run.phase !== 'Ended') run.fates.set(name, { kind: 'ended', ...times, code, reason, message });
    if (run.processes.size === 0) this.#owner.ended(run);
    else this.#owner.changed(run);
  }
}

function isAllEnded(run: PodRun): boolean {
  return run.fates.size > 0 && [...run.fates.values()].every(({ kind }) => kind === 'ended');
}
