// All simulated kubelets: each moves from phase to phase as the stages say, and keeps its heartbeats while it runs. Only
// Nodes that carry our label are touched; a Node of the same name without it is left alone.

import { simKeys } from '../api/keys.ts';
import type { Cancel, Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Random } from '../base/random.ts';
import type { RawObject } from '../objects/raw.ts';
import type { Agenda } from './agenda.ts';
import { applies, drawMs, nextStage, type Subject } from './choose-stage.ts';
import type { PlannedNode } from './fleet-plan.ts';
import type { TellHappening } from './happening.ts';
import { Kubelet, LEASE_MS } from './kubelet.ts';
import type { Mirror, MirrorChange } from './mirror.ts';
import type { NodePhase, NodeStage } from './stage.ts';
import type { WorldAnswer, WorldApi } from './world-api.ts';

export type KubeletsOptions = {
  readonly api: WorldApi;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly agenda: Agenda;
  readonly nodes: Mirror;
  readonly planned: readonly PlannedNode[];
  readonly stages: readonly NodeStage[];
  readonly tell: TellHappening;
};

/** start: the kubelet runs again and remembers its pods. reboot: its containers are gone. stop: it does nothing any more. */
export type KubeletTurn = 'start' | 'reboot' | 'stop';

const RETRY_MS = 1_000;

export class Kubelets {
  readonly #options: KubeletsOptions;
  readonly #kubelets: ReadonlyMap<string, Kubelet>;
  readonly #next = new Map<Kubelet, Cancel>();
  readonly #beats = new Map<Kubelet, Cancel>();
  readonly #listeners: ((node: string, turn: KubeletTurn) => void)[] = [];

  constructor(options: KubeletsOptions) {
    this.#options = options;
    this.#kubelets = new Map(
      options.planned.map((planned) => [planned.name, new Kubelet(planned, options.random)]),
    );
    options.nodes.onChange((change) => this.#notice(change));
  }

  start(): void {
    for (const kubelet of this.#kubelets.values()) {
      const found = this.#options.nodes.get(kubelet.planned.name);
      if (found === undefined) this.#enter(kubelet, 'Absent');
      else if (isOurs(found)) this.#adopt(kubelet, found);
      else
        this.#options.log.warn('a node of this name is not simulated; it is left alone', {
          node: kubelet.planned.name,
        });
    }
    for (const stage of this.#options.stages) if (stage.trigger.kind === 'pick') this.#pickLater(stage);
  }

  /** Whether a kubelet runs for this node now. */
  isRunning(node: string): boolean {
    return this.#kubelets.get(node)?.isRunning === true;
  }

  has(node: string): boolean {
    return this.#kubelets.has(node);
  }

  uidOf(node: string): string {
    return this.#kubelets.get(node)?.uid ?? '';
  }

  onTurn(listener: (node: string, turn: KubeletTurn) => void): void {
    this.#listeners.push(listener);
  }

  #adopt(kubelet: Kubelet, object: RawObject): void {
    kubelet.adopt(object);
    this.#turn(kubelet, 'start');
    this.#enter(kubelet, 'Starting');
    this.#playAsked(kubelet, object);
  }

  #notice({ kind, key, object }: MirrorChange): void {
    const kubelet = this.#kubelets.get(key);
    if (kubelet === undefined) return;
    if (kind === 'gone') {
      if (object.metadata?.uid === kubelet.uid && kubelet.phase !== 'Removed') this.#removed(kubelet);
      return;
    }
    if (isOurs(object)) this.#playAsked(kubelet, object);
  }

  /** What is asked of a node that nobody has taken over yet waits until somebody has. */
  #playAsked(kubelet: Kubelet, object: RawObject): void {
    const asked = object.metadata?.annotations?.[simKeys.play];
    if (asked !== undefined && kubelet.phase !== 'Absent') void this.#play(kubelet, object, asked);
  }

  /** Somebody deleted the Node: the machine is gone. */
  #removed(kubelet: Kubelet): void {
    this.#turn(kubelet, 'stop');
    this.#tell(kubelet, 'node-is-deleted');
    this.#enter(kubelet, 'Removed');
  }

  #enter(kubelet: Kubelet, phase: NodePhase): void {
    const { agenda, random, stages } = this.#options;
    kubelet.phase = phase;
    this.#next.get(kubelet)?.();
    const stage = nextStage(stages, this.#subjectOf(kubelet), random);
    if (stage === null || stage.trigger.kind !== 'delay') return void this.#next.delete(kubelet);
    const delayMs = drawMs(stage.trigger.delay, random);
    this.#next.set(
      kubelet,
      agenda.after(delayMs, () => void this.#happen(kubelet, stage)),
    );
  }

  #subjectOf(kubelet: Kubelet): Subject {
    const object = this.#options.nodes.get(kubelet.planned.name) ?? null;
    return { phase: kubelet.phase, object, isRunnable: false };
  }

  #pickLater(stage: NodeStage): void {
    const { agenda, random } = this.#options;
    if (stage.trigger.kind !== 'pick') return;
    agenda.after(drawMs(stage.trigger.every, random), () => {
      const candidates = [...this.#kubelets.values()].filter((each) => applies(stage, this.#subjectOf(each)));
      const chosen = candidates[Math.floor(random.next() * candidates.length)];
      if (chosen !== undefined) void this.#happen(chosen, stage);
      this.#pickLater(stage);
    });
  }

  async #happen(kubelet: Kubelet, stage: NodeStage): Promise<void> {
    const { clock, agenda, log } = this.#options;
    const { object, conditions } = stage.effect;
    this.#next.get(kubelet)?.();
    const phaseBefore = kubelet.phase;
    if (object === 'create' && phaseBefore === 'Removed') kubelet.replaceMachine();
    if (stage.effect.kubelet === 'reboot') kubelet.boot();
    kubelet.note(conditions, clock.now());
    const answer = await this.#write(kubelet, stage);
    // What people did meanwhile, such as deleting the Node, has set a phase of its own.
    if (kubelet.phase !== phaseBefore) return;
    if (answer !== null && answer.kind === 'error') {
      log.debug('a stage could not happen', {
        stage: stage.name,
        node: kubelet.planned.name,
        failure: answer.error,
      });
      this.#next.set(
        kubelet,
        agenda.after(RETRY_MS, () => void this.#happen(kubelet, stage)),
      );
      return;
    }
    if (stage.effect.kubelet !== null) this.#turn(kubelet, stage.effect.kubelet);
    this.#tell(kubelet, stage.name);
    this.#enter(kubelet, stage.effect.phase);
  }

  async #write(kubelet: Kubelet, { effect }: NodeStage): Promise<WorldAnswer | null> {
    const { api, clock, nodes } = this.#options;
    if (effect.object === 'delete') return gone(await api.delete(kubelet.ref, { uid: kubelet.uid }));
    if (effect.object === 'create') {
      const created = await kubelet.register(api, clock.now());
      const isThere = created.kind === 'error' && created.error.reason === 'AlreadyExists';
      const answer = isThere ? await api.get(kubelet.ref) : created;
      if (answer.kind === 'ok' && isOurs(answer.value)) kubelet.uid = answer.value.metadata?.uid ?? '';
      return answer;
    }
    if (effect.conditions.length === 0 && effect.kubelet !== 'reboot') return null;
    const answer = await kubelet.reportStatus(api, clock.now());
    if (answer.kind === 'ok') nodes.observe(answer.value);
    return answer;
  }

  /** Takes the request away first: a stage that was asked for once happens once. One that cannot happen is refused in its place. */
  async #play(kubelet: Kubelet, object: RawObject, asked: string): Promise<void> {
    const { api, log, nodes, stages } = this.#options;
    const { resourceVersion } = object.metadata ?? {};
    const stage = stages.find(({ name }) => name === asked);
    const refusal = this.#refusalOf(kubelet, stage, asked);
    const annotations = { [simKeys.play]: null, [simKeys.playRefused]: refusal };
    const body = { metadata: { resourceVersion, annotations } };
    const answer = await api.patch(kubelet.ref, { kind: 'merge', body });
    if (answer.kind === 'error') return;
    nodes.observe(answer.value);
    if (stage !== undefined && refusal === null) return this.#happen(kubelet, stage);
    log.warn('a stage is refused', { node: kubelet.planned.name, refusal });
  }

  /** Null: it can happen. */
  #refusalOf(kubelet: Kubelet, stage: NodeStage | undefined, asked: string): string | null {
    const value = JSON.stringify(asked);
    if (stage !== undefined)
      return applies(stage, this.#subjectOf(kubelet))
        ? null
        : `${simKeys.play}: ${value} cannot happen while the node is ${kubelet.phase}`;
    const known = this.#options.stages
      .filter(({ trigger }) => trigger.kind === 'byHand')
      .map(({ name }) => name);
    return `${simKeys.play}: there is no stage ${value}; those on request are ${known.join(', ')}`;
  }

  #turn(kubelet: Kubelet, turn: KubeletTurn): void {
    const { agenda, random } = this.#options;
    kubelet.isRunning = turn !== 'stop';
    this.#beats.get(kubelet)?.();
    this.#beats.delete(kubelet);
    if (kubelet.isRunning) {
      // The first heartbeat at once, the rest spread over the period, so that a fleet never beats as one.
      void this.#beat(kubelet);
      this.#beats.set(
        kubelet,
        agenda.after(LEASE_MS * random.next(), () => this.#beatOn(kubelet)),
      );
    }
    for (const listener of this.#listeners) listener(kubelet.planned.name, turn);
  }

  #beatOn(kubelet: Kubelet): void {
    void this.#beat(kubelet);
    this.#beats.set(
      kubelet,
      this.#options.agenda.after(LEASE_MS, () => this.#beatOn(kubelet)),
    );
  }

  async #beat(kubelet: Kubelet): Promise<void> {
    const { api, clock, log } = this.#options;
    const answers = [await kubelet.renewLease(api, clock.now())];
    if (kubelet.isRunning && kubelet.phase !== 'Absent' && kubelet.isStatusDue(clock.now()))
      answers.push(await kubelet.reportStatus(api, clock.now()));
    for (const answer of answers)
      if (answer?.kind === 'error')
        log.debug('a heartbeat was lost', { node: kubelet.planned.name, failure: answer.error });
  }

  #tell({ planned }: Kubelet, stage: string): void {
    const { clock, tell } = this.#options;
    tell({ at: clock.now(), stage, subject: `Node ${planned.name}` });
  }
}

/** Already gone is as good as deleted. */
function gone(answer: WorldAnswer): WorldAnswer | null {
  return answer.kind === 'error' && answer.error.reason === 'NotFound' ? null : answer;
}

function isOurs(object: RawObject): boolean {
  return object.metadata?.labels?.[simKeys.simulated] === 'true';
}
