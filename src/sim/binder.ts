// A scheduler as small as can be: binds pods that wait to the fitting node with the fewest pods, and says why one does not
// fit anywhere. Runs only where no real scheduler does.

import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { formatTime } from '../base/timestamp.ts';
import { fieldsOf, isRecord, type RawObject, recordsIn, textOf, viewOf } from '../objects/raw.ts';
import { keyOf, type ObjectRef, podType } from '../objects/ref.ts';
import type { Agenda } from './agenda.ts';
import type { Mirror } from './mirror.ts';
import { fit, type NodeRoom, requestsOf, unschedulableMessage } from './scheduling.ts';
import type { WorldApi } from './world-api.ts';

export type BinderOptions = {
  readonly api: WorldApi;
  readonly clock: Clock;
  readonly log: Log;
  readonly agenda: Agenda;
  readonly nodes: Mirror;
  readonly pods: Mirror;
};

/** Changes that come together are looked at together. */
const GATHER_MS = 50;
const SCHEDULER = 'default-scheduler';

export class Binder {
  readonly #options: BinderOptions;
  #isDue = false;
  #isBusy = false;

  constructor(options: BinderOptions) {
    this.#options = options;
    const { nodes, pods } = options;
    pods.onChange(({ kind, object }) => {
      if (kind === 'gone' || isWaiting(object)) this.#soon();
    });
    nodes.onChange(() => this.#soon());
  }

  start(): void {
    this.#soon();
  }

  #soon(): void {
    if (this.#isDue) return;
    this.#isDue = true;
    this.#options.agenda.after(GATHER_MS, () => void this.#pass());
  }

  async #pass(): Promise<void> {
    this.#isDue = false;
    // One pass at a time: what a second one would decide on is changed by the first.
    if (this.#isBusy) return this.#soon();
    const waiting = [...this.#options.pods.values()].filter(isWaiting);
    if (waiting.length === 0) return;
    this.#isBusy = true;
    const rooms = this.#rooms();
    for (const pod of waiting) await this.#place(pod, rooms);
    this.#isBusy = false;
  }

  #rooms(): Map<string, NodeRoom> {
    const rooms = new Map<string, NodeRoom>();
    for (const node of this.#options.nodes.values())
      rooms.set(viewOf(node).name, { node, used: new Map(), pods: 0 });
    for (const pod of this.#options.pods.values()) {
      const phase = textOf(isRecord(pod.status) ? pod.status['phase'] : '');
      if (phase !== 'Succeeded' && phase !== 'Failed') occupy(rooms, nodeOf(pod), pod);
    }
    return rooms;
  }

  async #place(pod: RawObject, rooms: Map<string, NodeRoom>): Promise<void> {
    const fits = [...rooms].map(([name, room]) => ({ name, room, fit: fit(pod, room) }));
    const [best] = fits
      .filter((each) => each.fit.kind === 'fits')
      .sort((a, b) => a.room.pods - b.room.pods || (a.name < b.name ? -1 : 1));
    if (best === undefined) {
      const reasons = fits.flatMap((each) => (each.fit.kind === 'unfit' ? each.fit.why : []));
      return this.#sayWhyNot(pod, unschedulableMessage(rooms.size, reasons));
    }
    const { name, namespace, uid } = viewOf(pod);
    const body = {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name, namespace, uid },
      target: { apiVersion: 'v1', kind: 'Node', name: best.name },
    };
    const answer = await this.#options.api.create(refOf(pod), body, { subresource: 'binding' });
    if (answer.kind === 'ok') occupy(rooms, best.name, pod);
    else
      this.#options.log.debug('a pod could not be bound', {
        pod: keyOf({ namespace, name }),
        failure: answer.error,
      });
  }

  async #sayWhyNot(pod: RawObject, message: string): Promise<void> {
    const known = conditionsOf(pod).find(({ type }) => type === 'PodScheduled');
    if (known?.['message'] === message) return;
    const condition = {
      type: 'PodScheduled',
      status: 'False',
      reason: 'Unschedulable',
      message,
      lastProbeTime: null,
      lastTransitionTime: known?.['lastTransitionTime'] ?? formatTime(this.#options.clock.now()),
    };
    const body = { metadata: { uid: viewOf(pod).uid }, status: { conditions: [condition] } };
    const answer = await this.#options.api.patch(
      refOf(pod),
      { kind: 'strategic', body },
      { subresource: 'status' },
    );
    if (answer.kind === 'ok') this.#options.pods.observe(answer.value);
  }
}

function isWaiting(pod: RawObject): boolean {
  const spec = fieldsOf(pod.spec);
  return (
    nodeOf(pod) === '' &&
    (spec['schedulerName'] ?? SCHEDULER) === SCHEDULER &&
    pod.metadata?.deletionTimestamp === undefined &&
    recordsIn(spec['schedulingGates']).length === 0
  );
}

function occupy(rooms: Map<string, NodeRoom>, name: string, pod: RawObject): void {
  const room = rooms.get(name);
  if (room === undefined) return;
  const used = new Map(room.used);
  for (const [resource, milli] of requestsOf(pod)) used.set(resource, (used.get(resource) ?? 0n) + milli);
  rooms.set(name, { ...room, used, pods: room.pods + 1 });
}

function nodeOf({ spec }: RawObject): string {
  return textOf(isRecord(spec) ? spec['nodeName'] : '');
}

function conditionsOf({ status }: RawObject): readonly Readonly<Record<string, unknown>>[] {
  return recordsIn(isRecord(status) ? status['conditions'] : []);
}

function refOf(pod: RawObject): ObjectRef {
  const { name, namespace } = viewOf(pod);
  return { type: podType, namespace, name };
}
