// Taints that evict: a pod that does not tolerate one leaves at once, one that tolerates it for a while leaves after that.
// Runs only where no real controller manager does.

import type { Cancel, Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { formatTime } from '../base/timestamp.ts';
import { isRecord, type RawObject, textOf, viewOf } from '../objects/raw.ts';
import { type ObjectRef, podType } from '../objects/ref.ts';
import type { Agenda } from './agenda.ts';
import type { Mirror } from './mirror.ts';
import { evictionMs } from './scheduling.ts';
import type { WorldApi } from './world-api.ts';

export type TaintEvictionOptions = {
  readonly api: WorldApi;
  readonly clock: Clock;
  readonly log: Log;
  readonly agenda: Agenda;
  readonly nodes: Mirror;
  readonly pods: Mirror;
};

type Pending = { readonly node: string; readonly atMs: number; readonly cancel: Cancel };

export class TaintEviction {
  readonly #options: TaintEvictionOptions;
  readonly #pending = new Map<string, Pending>();

  constructor(options: TaintEvictionOptions) {
    this.#options = options;
    options.nodes.onChange(({ kind, key, object }) => {
      if (kind !== 'gone') this.#lookAtNode(key, object);
    });
    options.pods.onChange(({ kind, object }) => {
      if (kind === 'gone') this.#forget(viewOf(object).uid);
      else this.#lookAtPod(object);
    });
  }

  start(): void {
    for (const pod of this.#options.pods.values()) this.#lookAtPod(pod);
  }

  #lookAtNode(name: string, node: RawObject): void {
    const isConcerned =
      hasEvictingTaint(node) || [...this.#pending.values()].some((each) => each.node === name);
    if (!isConcerned) return;
    for (const pod of this.#options.pods.values()) if (nodeOf(pod) === name) this.#lookAtPod(pod);
  }

  #lookAtPod(pod: RawObject): void {
    const { agenda, clock, nodes } = this.#options;
    const { uid } = viewOf(pod);
    const node = nodes.get(nodeOf(pod));
    const isLeaving = pod.metadata?.deletionTimestamp !== undefined;
    const waitMs = node === undefined || isLeaving ? null : evictionMs(pod, node);
    if (waitMs === null) return this.#forget(uid);
    const known = this.#pending.get(uid);
    const atMs = clock.monotonicMs() + waitMs;
    // A taint that comes on top can only make it sooner; looking again must not make it later.
    if (known !== undefined && known.atMs <= atMs) return;
    known?.cancel();
    const cancel = agenda.after(waitMs, () => void this.#evict(pod));
    this.#pending.set(uid, { node: nodeOf(pod), atMs, cancel });
  }

  #forget(uid: string): void {
    this.#pending.get(uid)?.cancel();
    this.#pending.delete(uid);
  }

  async #evict(pod: RawObject): Promise<void> {
    const { api, clock, log } = this.#options;
    const { uid, name, namespace } = viewOf(pod);
    const ref: ObjectRef = { type: podType, namespace, name };
    const condition = {
      type: 'DisruptionTarget',
      status: 'True',
      reason: 'DeletionByTaintManager',
      message: 'Taint manager: deleting due to NoExecute taint',
      lastProbeTime: null,
      lastTransitionTime: formatTime(clock.now()),
    };
    const body = { metadata: { uid }, status: { conditions: [condition] } };
    await api.patch(ref, { kind: 'strategic', body }, { subresource: 'status' });
    const answer = await api.delete(ref, { uid });
    if (answer.kind === 'error')
      log.debug('a pod could not be evicted', { pod: name, failure: answer.error });
  }
}

function hasEvictingTaint(node: RawObject): boolean {
  const taints = isRecord(node.spec) ? node.spec['taints'] : [];
  return Array.isArray(taints) && taints.some((taint) => isRecord(taint) && taint['effect'] === 'NoExecute');
}

function nodeOf({ spec }: RawObject): string {
  return textOf(isRecord(spec) ? spec['nodeName'] : '');
}
