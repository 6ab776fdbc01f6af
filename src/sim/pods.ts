// The pods of all simulated nodes: each moves from phase to phase as the stages say, or as its processes do. What happens on
// a node whose kubelet does not run is told when it runs again, or never.

import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Random } from '../base/random.ts';
import { isRecord, type RawObject, viewOf } from '../objects/raw.ts';
import type { Agenda } from './agenda.ts';
import type { Processes } from './child-processes.ts';
import { drawMs, nextStage } from './choose-stage.ts';
import { type ResolveImage, runnableImages } from './container-command.ts';
import type { TellHappening } from './happening.ts';
import type { Kubelets, KubeletTurn } from './kubelets.ts';
import type { Mirror, MirrorChange } from './mirror.ts';
import type { PodLogs } from './pod-logs.ts';
import { ProcessPods } from './process-pods.ts';
import {
  containersOf,
  graceMsOf,
  nodeOf,
  type PodRun,
  podRun,
  refOf,
  restartPolicyOf,
  withPodWords,
} from './pod-run.ts';
import { type ContainerFate, type PodFate, statusBody } from './pod-status.ts';
import type { PodExit, PodPhase, PodStage } from './stage.ts';
import type { WorldApi } from './world-api.ts';

export type PodsOptions = {
  readonly api: WorldApi;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly agenda: Agenda;
  readonly pods: Mirror;
  readonly kubelets: Kubelets;
  readonly stages: readonly PodStage[];
  readonly processes: Processes;
  readonly resolveImage: ResolveImage;
  readonly logs: PodLogs;
  readonly tell: TellHappening;
};

const RETRY_MS = 1_000;
/** How long a container that only pretends to run takes to end when it is asked to. */
const SCRIPT_END_MS = 300;
const RESTART_FIRST_MS = 10_000;
const RESTART_MS_MAX = 300_000;

/** A container that was running when its node went down: what a kubelet says that finds nothing left of it. */
const lost: PodExit = {
  code: 137,
  reason: 'ContainerStatusUnknown',
  message: 'The container could not be located when the pod was terminated',
};

export class Pods {
  readonly #options: PodsOptions;
  readonly #runs = new Map<string, PodRun>();
  readonly #processes: ProcessPods;

  constructor(options: PodsOptions) {
    this.#options = options;
    this.#processes = new ProcessPods(options, {
      changed: (run, phase) => void this.#report(run, { phase }),
      ended: (run) => this.#finish(run),
    });
    options.pods.onChange((change) => this.#notice(change));
    options.kubelets.onTurn((node, turn) => this.#turned(node, turn));
  }

  start(): void {
    for (const object of this.#options.pods.values()) this.#notice({ kind: 'added', key: '', object });
  }

  #notice({ kind, object }: MirrorChange): void {
    const { kubelets } = this.#options;
    const { uid } = viewOf(object);
    if (kind === 'gone') return this.#forget(uid);
    if (!kubelets.has(nodeOf(object))) return;
    const run = this.#runs.get(uid);
    if (run === undefined) {
      const fresh = podRun(object);
      this.#runs.set(uid, fresh);
      this.#watchDeadline(fresh, object);
      this.#enter(fresh, fresh.phase);
    }
    if (object.metadata?.deletionTimestamp !== undefined) this.#leave(this.#runs.get(uid), object);
  }

  #forget(uid: string): void {
    const run = this.#runs.get(uid);
    if (run === undefined) return;
    this.#runs.delete(uid);
    run.next?.();
    run.deadline?.();
    for (const process of run.processes.values()) process.stop('now');
    const [namespace = '', pod = ''] = run.key.split('/');
    this.#options.logs.forget({ namespace, pod });
  }

  #enter(run: PodRun, phase: PodPhase): void {
    const { agenda, kubelets, random, resolveImage, stages } = this.#options;
    run.phase = phase;
    run.next?.();
    run.next = null;
    const object = this.#objectOf(run);
    if (object === null || run.isLeaving || !kubelets.isRunning(run.node)) return;
    const subject = { phase, object, isRunnable: runnableImages(object, resolveImage) };
    const stage = nextStage(stages, subject, random);
    if (stage?.trigger.kind !== 'delay') return;
    run.next = agenda.after(drawMs(stage.trigger.delay, random), () => this.#happen(run, stage));
  }

  #happen(run: PodRun, stage: PodStage): void {
    const { clock, kubelets, tell } = this.#options;
    const pod = this.#objectOf(run);
    if (pod === null || run.isLeaving || !kubelets.isRunning(run.node)) return;
    const { start, waiting, exit, evict } = stage.effect;
    tell({ at: clock.now(), stage: stage.name, subject: `Pod ${run.key}` });
    if (start !== null) run.startedAt = clock.now();
    if (start === 'process') {
      run.phase = stage.effect.phase;
      return this.#processes.start(run, pod);
    }
    if (start === 'script') this.#give(run, pod, { kind: 'running', startedAt: run.startedAt });
    const words = (text: string) => withPodWords(text, pod, kubelets.uidOf(run.node));
    if (waiting !== null)
      this.#give(run, pod, { kind: 'waiting', reason: waiting.reason, message: words(waiting.message) });
    if (exit !== null) return this.#exit(run, pod, { ...exit, message: words(exit.message) });
    if (evict !== null) return this.#fail(run, pod, { reason: 'Evicted', message: words(evict.message) });
    if (start !== null) void this.#report(run, { phase: 'Running' });
    if (waiting !== null) void this.#report(run, { phase: 'Pending' });
    this.#enter(run, stage.effect.phase);
  }

  #give(run: PodRun, pod: RawObject, fate: ContainerFate): void {
    const names = containersOf(pod).map(({ name }) => String(name));
    // An init container that has ended stays as it is.
    const others = [...run.fates].filter(([name]) => !names.includes(name));
    run.fates = new Map([
      ...others.map(([name, own]) => [name, own.kind === 'ended' ? own : fate] as const),
      ...names.map((name) => [name, fate] as const),
    ]);
  }

  #exit(run: PodRun, pod: RawObject, exit: PodExit): void {
    const { startedAt } = run;
    this.#give(run, pod, { kind: 'ended', startedAt, finishedAt: this.#options.clock.now(), ...exit });
    this.#finish(run);
  }

  /** All containers have ended: again, or for good. */
  #finish(run: PodRun): void {
    const pod = this.#objectOf(run);
    if (pod === null) return;
    if (run.isLeaving) return void this.#remove(run, pod);
    if (!this.#options.kubelets.isRunning(run.node)) return;
    const hasFailed = [...run.fates.values()].some((fate) => fate.kind === 'ended' && fate.code !== 0);
    const policy = restartPolicyOf(pod);
    if (policy === 'Always' || (policy === 'OnFailure' && hasFailed)) return this.#restartLater(run, pod);
    run.phase = 'Ended';
    void this.#report(run, { phase: hasFailed ? 'Failed' : 'Succeeded' });
  }

  #restartLater(run: PodRun, pod: RawObject): void {
    const delayMs = Math.min(RESTART_FIRST_MS * 2 ** run.restarts, RESTART_MS_MAX);
    run.last = run.fates;
    const message = `back-off ${delayMs / 1000}s restarting failed container`;
    this.#give(run, pod, { kind: 'waiting', reason: 'CrashLoopBackOff', message });
    run.phase = 'BackOff';
    void this.#report(run, { phase: 'Running' });
    run.next = this.#options.agenda.after(delayMs, () => {
      run.restarts += 1;
      this.#enter(run, 'Bound');
    });
  }

  #fail(run: PodRun, pod: RawObject, why: { readonly reason: string; readonly message: string }): void {
    const { startedAt } = run;
    const ended = {
      startedAt,
      finishedAt: this.#options.clock.now(),
      code: 137,
      reason: 'Error',
      message: '',
    };
    this.#give(run, pod, { kind: 'ended', ...ended });
    run.phase = 'Ended';
    for (const process of run.processes.values()) process.stop('now');
    void this.#report(run, { phase: 'Failed', ...why });
  }

  #watchDeadline(run: PodRun, pod: RawObject): void {
    const seconds = isRecord(pod.spec) ? pod.spec['activeDeadlineSeconds'] : undefined;
    if (typeof seconds !== 'number' || run.phase === 'Ended') return;
    const message = 'Pod was active on the node longer than the specified deadline';
    run.deadline = this.#options.agenda.after(seconds * 1000, () => {
      const now = this.#objectOf(run);
      if (now === null || run.phase === 'Ended' || !this.#options.kubelets.isRunning(run.node)) return;
      run.next?.();
      this.#fail(run, now, { reason: 'DeadlineExceeded', message });
    });
  }

  #leave(run: PodRun | undefined, pod: RawObject): void {
    const { agenda, kubelets } = this.#options;
    if (run === undefined || run.isLeaving || !kubelets.isRunning(run.node)) return;
    run.isLeaving = true;
    run.next?.();
    const graceMs = graceMsOf(pod);
    const isScripted = run.processes.size === 0;
    run.next = agenda.after(isScripted ? Math.min(graceMs, SCRIPT_END_MS) : graceMs, () => {
      if (isScripted) void this.#remove(run, pod);
      for (const process of run.processes.values()) process.stop('now');
    });
    for (const process of run.processes.values()) process.stop('politely');
  }

  async #remove(run: PodRun, pod: RawObject): Promise<void> {
    const { api, agenda } = this.#options;
    run.next?.();
    const answer = await api.delete(refOf(pod), { uid: run.uid, gracePeriodSeconds: 0 });
    if (answer.kind === 'error' && answer.error.reason !== 'NotFound' && answer.error.reason !== 'Conflict')
      run.next = agenda.after(RETRY_MS, () => void this.#remove(run, pod));
  }

  #turned(node: string, turn: KubeletTurn): void {
    if (turn === 'stop') return;
    for (const run of this.#runs.values()) {
      if (run.node !== node) continue;
      const pod = this.#objectOf(run);
      if (pod === null) continue;
      if (turn === 'reboot') this.#afterReboot(run, pod);
      else if (run.phase === 'Process' && run.processes.size === 0) this.#finish(run);
      else if (run.phase !== 'Process') this.#enter(run, run.phase);
      if (pod.metadata?.deletionTimestamp !== undefined) this.#leave(run, pod);
    }
  }

  #afterReboot(run: PodRun, pod: RawObject): void {
    const hasRun = run.phase === 'Running' || run.phase === 'Process' || run.phase === 'Hung';
    for (const process of run.processes.values()) process.stop('now');
    run.processes.clear();
    if (!hasRun) return this.#enter(run, run.phase);
    if (restartPolicyOf(pod) === 'Never') return this.#exit(run, pod, lost);
    run.last = run.fates;
    run.restarts += 1;
    this.#enter(run, 'Bound');
  }

  #report(run: PodRun, fate: Pick<PodFate, 'phase' | 'reason' | 'message'>): Promise<void> {
    const { fates: containers, restarts, last } = run;
    const whole: PodFate = { ...fate, containers, restarts, ...(last === undefined ? {} : { last }) };
    run.reports = run.reports.then(() => this.#send(run, whole));
    return run.reports;
  }

  async #send(run: PodRun, fate: PodFate): Promise<void> {
    const { api, clock, log, pods } = this.#options;
    const pod = this.#objectOf(run);
    if (pod === null) return;
    const body = statusBody(pod, fate, clock.now());
    const answer = await api.patch(refOf(pod), { kind: 'merge', body }, { subresource: 'status' });
    if (answer.kind === 'ok') pods.observe(answer.value);
    else log.debug('the status of a pod could not be told', { pod: run.key, failure: answer.error });
  }

  #objectOf(run: PodRun): RawObject | null {
    const object = this.#options.pods.get(run.key);
    return object !== undefined && viewOf(object).uid === run.uid ? object : null;
  }
}
