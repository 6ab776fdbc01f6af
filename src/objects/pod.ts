// What Muster keeps of a Pod: where it runs, how far it has come, and how its containers ended.

import { fieldsOf, isRecord, type ObjectView, type RawObject, recordsIn, textOf, viewOf } from './raw.ts';

export const podPhases = ['Pending', 'Running', 'Succeeded', 'Failed', 'Unknown'] as const;
export type PodPhase = (typeof podPhases)[number];

export type ContainerEnd = {
  readonly container: string;
  readonly exitCode: number;
  /** `OOMKilled`, `Error`, `Completed`... */
  readonly reason: string;
  /** The termination message: at most 4096 bytes, written by whoever runs in the container. Not trusted. */
  readonly message: string;
};

export type PodView = ObjectView & {
  readonly labels: Readonly<Record<string, string>>;
  readonly ownerUIDs: readonly string[];
  /** Empty until it is bound. */
  readonly nodeName: string;
  readonly phase: PodPhase;
  /** Why a pod failed as a whole: `Evicted`, `NodeLost`; empty otherwise. */
  readonly reason: string;
  readonly isReady: boolean;
  /** Why a container waits: `ImagePullBackOff`; empty when none does. */
  readonly waitingReason: string;
  readonly ends: readonly ContainerEnd[];
  readonly deletionTimestamp: string;
};

export function projectPod(raw: RawObject, text: (value: string) => string): PodView {
  const { labels, ownerReferences, deletionTimestamp } = raw.metadata ?? {};
  const spec = fieldsOf(raw.spec);
  const status = fieldsOf(raw.status);
  const containers = [
    ...recordsIn(status['initContainerStatuses']),
    ...recordsIn(status['containerStatuses']),
  ];
  return {
    ...viewOf(raw),
    labels: Object.fromEntries(Object.entries(labels ?? {}).map(([key, value]) => [text(key), text(value)])),
    ownerUIDs: recordsIn(ownerReferences).map(({ uid }) => textOf(uid)),
    nodeName: text(textOf(spec['nodeName'])),
    phase: podPhases.find((phase) => phase === status['phase']) ?? 'Unknown',
    reason: text(textOf(status['reason'])),
    isReady: recordsIn(status['conditions']).some(
      ({ type, status: value }) => type === 'Ready' && value === 'True',
    ),
    waitingReason: text(
      containers.map((container) => textOf(stateOf(container, 'waiting')?.['reason'])).find(Boolean) ?? '',
    ),
    ends: containers.flatMap((container) => endOf(container, text)),
    deletionTimestamp: textOf(deletionTimestamp),
  };
}

type Fields = Readonly<Record<string, unknown>>;

function endOf(container: Fields, text: (value: string) => string): readonly ContainerEnd[] {
  const terminated = stateOf(container, 'terminated');
  if (terminated === undefined) return [];
  const { exitCode, reason, message } = terminated;
  return [
    {
      container: text(textOf(container['name'])),
      exitCode: typeof exitCode === 'number' ? exitCode : -1,
      reason: text(textOf(reason)),
      message: textOf(message),
    },
  ];
}

function stateOf(container: Fields, name: 'waiting' | 'terminated'): Fields | undefined {
  const state = isRecord(container['state']) ? container['state'][name] : undefined;
  return isRecord(state) ? state : undefined;
}
