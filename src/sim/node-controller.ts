// What the controller manager does for nodes: taints follow conditions, a node whose Lease is old becomes Unknown, and pods
// of a node that is gone are removed. Runs only where no real controller manager does.

import { noSharing } from '../base/intern.ts';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { formatTime, parseTime } from '../base/timestamp.ts';
import { type NodeView, projectNode } from '../objects/node.ts';
import { isRecord, type RawObject, recordsIn, textOf, viewOf } from '../objects/raw.ts';
import { nodeType, type ObjectRef, podType } from '../objects/ref.ts';
import type { Agenda } from './agenda.ts';
import type { Mirror } from './mirror.ts';
import { nodeLeaseNamespace } from './node-shape.ts';
import { taintsByCondition } from './node-taints.ts';
import type { WorldApi } from './world-api.ts';

export type NodeControllerOptions = {
  readonly api: WorldApi;
  readonly clock: Clock;
  readonly log: Log;
  readonly agenda: Agenda;
  readonly nodes: Mirror;
  readonly leases: Mirror;
  readonly pods: Mirror;
};

/** As the controller manager has them by default. */
const MONITOR_MS = 5_000;
const GRACE_MS = 50_000;
const ORPHAN_MS = 40_000;

export class NodeController {
  readonly #options: NodeControllerOptions;
  /** When a pod was first seen on a node that is not there. */
  readonly #orphans = new Map<string, number>();

  constructor(options: NodeControllerOptions) {
    this.#options = options;
    options.nodes.onChange(({ kind, object }) => {
      if (kind !== 'gone') void this.#keepTaints(object);
    });
  }

  start(): void {
    const { agenda, nodes } = this.#options;
    for (const node of nodes.values()) void this.#keepTaints(node);
    agenda.after(MONITOR_MS, () => this.#monitor());
  }

  #monitor(): void {
    for (const node of this.#options.nodes.values()) if (this.#isSilent(node)) void this.#markUnknown(node);
    this.#collectOrphans();
    this.#options.agenda.after(MONITOR_MS, () => this.#monitor());
  }

  async #keepTaints(object: RawObject): Promise<void> {
    const node = viewNode(object);
    const taints = taintsByCondition(node);
    if (taints === node.taints) return;
    const now = formatTime(this.#options.clock.now());
    const body = {
      metadata: { uid: node.uid, resourceVersion: node.resourceVersion },
      spec: {
        taints: taints.map(({ key, value, effect, timeAdded }) => ({
          key,
          effect,
          ...(value === '' ? {} : { value }),
          ...(timeAdded === undefined && effect !== 'NoExecute' ? {} : { timeAdded: timeAdded ?? now }),
        })),
      },
    };
    const answer = await this.#options.api.patch(refOf(object), { kind: 'merge', body });
    // A conflict means that something newer is on its way here, and with it the next try.
    if (answer.kind === 'ok') this.#options.nodes.observe(answer.value);
  }

  #isSilent(object: RawObject): boolean {
    const { clock, leases } = this.#options;
    const { name } = viewOf(object);
    const ready = conditionsOf(object).find(({ type }) => type === 'Ready');
    if (ready === undefined || ready['status'] === 'Unknown') return false;
    const lease = leases.get(`${nodeLeaseNamespace}/${name}`);
    const spec = isRecord(lease?.spec) ? lease.spec : {};
    const heard = [textOf(spec['renewTime']), textOf(ready['lastHeartbeatTime'])].map(
      (time) => parseTime(time) ?? 0,
    );
    return clock.now() - Math.max(...heard) > GRACE_MS;
  }

  async #markUnknown(object: RawObject): Promise<void> {
    const { api, clock, log, nodes } = this.#options;
    const now = formatTime(clock.now());
    const conditions = conditionsOf(object).map((condition) => ({
      ...condition,
      status: 'Unknown',
      reason: 'NodeStatusUnknown',
      message: 'Kubelet stopped posting node status.',
      lastTransitionTime: condition['status'] === 'Unknown' ? condition['lastTransitionTime'] : now,
    }));
    const { uid, resourceVersion, name } = viewOf(object);
    const body = { metadata: { uid, resourceVersion }, status: { conditions } };
    const answer = await api.patch(refOf(object), { kind: 'strategic', body }, { subresource: 'status' });
    if (answer.kind === 'ok') nodes.observe(answer.value);
    else log.debug('a silent node could not be marked', { node: name, failure: answer.error });
  }

  #collectOrphans(): void {
    const { api, clock, nodes, pods } = this.#options;
    const nowMs = clock.monotonicMs();
    const seen = new Set<string>();
    for (const pod of pods.values()) {
      const { uid, name, namespace } = viewOf(pod);
      const node = textOf(isRecord(pod.spec) ? pod.spec['nodeName'] : '');
      if (node === '' || nodes.get(node) !== undefined) continue;
      seen.add(uid);
      const sinceMs = this.#orphans.get(uid) ?? nowMs;
      this.#orphans.set(uid, sinceMs);
      const ref: ObjectRef = { type: podType, namespace, name };
      if (nowMs - sinceMs >= ORPHAN_MS) void api.delete(ref, { uid, gracePeriodSeconds: 0 });
    }
    for (const uid of this.#orphans.keys()) if (!seen.has(uid)) this.#orphans.delete(uid);
  }
}

function viewNode(object: RawObject): NodeView {
  return projectNode(object, { intern: noSharing, keepsAnnotation: () => false });
}

function conditionsOf({ status }: RawObject): readonly Readonly<Record<string, unknown>>[] {
  return recordsIn(isRecord(status) ? status['conditions'] : []);
}

function refOf(object: RawObject): ObjectRef {
  return { type: nodeType, namespace: '', name: viewOf(object).name };
}
