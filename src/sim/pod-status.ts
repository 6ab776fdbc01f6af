// The status of a pod as its kubelet reports it, in every state a simulated pod can be in. Pure: the object as it is and
// what happened go in, the body of a merge patch comes out.

import type { Instant } from '../base/clock.ts';
import { hashFields } from '../base/hash.ts';
import { formatTime } from '../base/timestamp.ts';
import { fieldsOf, type RawObject, recordsIn, textOf, viewOf } from '../objects/raw.ts';
import { nodeAddress, podAddress } from './node-shape.ts';

type Fields = Readonly<Record<string, unknown>>;

export type ContainerFate =
  | { readonly kind: 'waiting'; readonly reason: string; readonly message: string }
  | { readonly kind: 'running'; readonly startedAt: Instant }
  | {
      readonly kind: 'ended';
      readonly startedAt: Instant;
      readonly finishedAt: Instant;
      readonly code: number;
      readonly reason: string;
      readonly message: string;
    };

export type PodFate = {
  readonly phase: 'Pending' | 'Running' | 'Succeeded' | 'Failed';
  /** Why the pod as a whole failed, such as Evicted. */
  readonly reason?: string;
  readonly message?: string;
  /** By the name of the container. */
  readonly containers: ReadonlyMap<string, ContainerFate>;
  readonly restarts: number;
  /** How the containers ended the last time, where they were restarted. */
  readonly last?: ReadonlyMap<string, ContainerFate>;
};

/** What a container may say when it ends; the rest is cut off, as a kubelet does. */
export const TERMINATION_BYTES_MAX = 4096;

export function statusBody(pod: RawObject, fate: PodFate, now: Instant): Readonly<Record<string, unknown>> {
  const status = fieldsOf(pod.status);
  const spec = fieldsOf(pod.spec);
  const hasStarted = [...fate.containers.values()].some(({ kind }) => kind !== 'waiting');
  const hostIP = nodeAddress(textOf(spec['nodeName']));
  const podIP = spec['hostNetwork'] === true ? hostIP : podAddress(viewOf(pod).uid);
  return {
    metadata: { uid: viewOf(pod).uid },
    status: {
      phase: fate.phase,
      ...(fate.reason === undefined ? {} : { reason: fate.reason }),
      ...(fate.message === undefined ? {} : { message: fate.message }),
      startTime: textOf(status['startTime']) || formatTime(now),
      hostIP,
      hostIPs: [{ ip: hostIP }],
      ...(hasStarted ? { podIP, podIPs: [{ ip: podIP }] } : {}),
      conditions: conditionsOf(pod, fate, now),
      ...initStatuses(spec, fate, now),
      containerStatuses: recordsIn(spec['containers']).map((container) => containerStatus(container, fate)),
    },
  };
}

/** At most so many bytes, without a character cut in half. */
export function cutMessage(text: string): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= TERMINATION_BYTES_MAX) return text;
  return bytes
    .subarray(0, TERMINATION_BYTES_MAX)
    .toString('utf8')
    .replace(/\uFFFD+$/, '');
}

function containerStatus(container: Fields, { containers, restarts, last }: PodFate): Fields {
  const name = textOf(container['name']);
  const image = textOf(container['image']);
  const fate = containers.get(name) ?? { kind: 'waiting', reason: 'ContainerCreating', message: '' };
  const isUp = fate.kind === 'running';
  const before = last?.get(name);
  return {
    name,
    image,
    imageID: fate.kind === 'waiting' ? '' : `sim://${image}`,
    ready: isUp,
    started: isUp,
    restartCount: restarts,
    state: stateOf(name, fate),
    lastState: before === undefined ? {} : stateOf(name, before),
  };
}

function stateOf(name: string, fate: ContainerFate): Fields {
  switch (fate.kind) {
    case 'waiting':
      return { waiting: { reason: fate.reason, ...(fate.message === '' ? {} : { message: fate.message }) } };
    case 'running':
      return { running: { startedAt: formatTime(fate.startedAt) } };
    case 'ended':
      return {
        terminated: {
          exitCode: fate.code,
          reason: fate.reason,
          ...(fate.message === '' ? {} : { message: cutMessage(fate.message) }),
          startedAt: formatTime(fate.startedAt),
          finishedAt: formatTime(fate.finishedAt),
          containerID: `sim://${hashFields([name, String(fate.startedAt)])}`,
        },
      };
  }
}

/** Where the containers of a pod are a script, init containers are not run: they count as done when the others start. */
function initStatuses(spec: Fields, { containers: told }: PodFate, now: Instant): Fields {
  const containers = recordsIn(spec['initContainers']);
  if (containers.length === 0) return {};
  const ended: ContainerFate = {
    kind: 'ended',
    startedAt: now,
    finishedAt: now,
    code: 0,
    reason: 'Completed',
    message: '',
  };
  const hasStarted = [...told.values()].some(({ kind }) => kind !== 'waiting');
  const scripted = new Map(hasStarted ? containers.map(({ name }) => [textOf(name), ended]) : []);
  const fates = new Map([...scripted, ...told]);
  const fate: PodFate = { phase: 'Running', containers: fates, restarts: 0 };
  return { initContainerStatuses: containers.map((container) => containerStatus(container, fate)) };
}

function conditionsOf(pod: RawObject, { phase, containers }: PodFate, now: Instant): readonly Fields[] {
  const before = recordsIn(fieldsOf(pod.status)['conditions']);
  const fateOf = ({ name }: Fields) => containers.get(textOf(name));
  const { containers: running, initContainers } = fieldsOf(pod.spec);
  const isUp = containers.size > 0 && recordsIn(running).every((each) => fateOf(each)?.kind === 'running');
  const isInitialized = recordsIn(initContainers).every((each) => {
    const fate = fateOf(each);
    return fate === undefined || (fate.kind === 'ended' && fate.code === 0);
  });
  const why = phase === 'Succeeded' ? 'PodCompleted' : isUp ? undefined : 'ContainersNotReady';
  const own = [
    { type: 'PodReadyToStartContainers', isTrue: phase === 'Running' },
    { type: 'Initialized', isTrue: isInitialized },
    { type: 'Ready', isTrue: isUp, why },
    { type: 'ContainersReady', isTrue: isUp, why },
  ];
  const next = own.map(({ type, isTrue, why: reason }) => {
    const status = isTrue ? 'True' : 'False';
    const known = before.find((each) => each['type'] === type);
    const time = known?.['status'] === status ? known['lastTransitionTime'] : formatTime(now);
    return {
      type,
      status,
      ...(reason === undefined ? {} : { reason }),
      lastProbeTime: null,
      lastTransitionTime: time,
    };
  });
  return [...before.filter(({ type }) => !own.some((each) => each.type === type)), ...next];
}
