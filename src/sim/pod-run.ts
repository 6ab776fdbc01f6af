// One pod on one simulated node: where it stands and what runs for it. Data and small questions; pods.ts moves it.

import type { Cancel, Instant } from '../base/clock.ts';
import { fieldsOf, type RawObject, recordsIn, textOf, viewOf } from '../objects/raw.ts';
import { keyOf, type ObjectRef, podType } from '../objects/ref.ts';
import type { RunningProcess } from './child-processes.ts';
import type { ContainerFate } from './pod-status.ts';
import type { PodPhase } from './stage.ts';

export type PodRun = {
  readonly uid: string;
  readonly key: string;
  readonly node: string;
  phase: PodPhase;
  startedAt: Instant;
  restarts: number;
  fates: Map<string, ContainerFate>;
  last: ReadonlyMap<string, ContainerFate> | undefined;
  readonly processes: Map<string, RunningProcess>;
  /** What happens to it next by itself. */
  next: Cancel | null;
  deadline: Cancel | null;
  isLeaving: boolean;
  /** Reports of one pod go out one after the other. */
  reports: Promise<void>;
};

export function podRun(pod: RawObject): PodRun {
  const { uid, name, namespace } = viewOf(pod);
  const phase = textOf(fieldsOf(pod.status)['phase']);
  const isOver = phase === 'Succeeded' || phase === 'Failed';
  return {
    uid,
    key: keyOf({ namespace, name }),
    node: nodeOf(pod),
    phase: isOver ? 'Ended' : 'Bound',
    startedAt: 0,
    restarts: 0,
    fates: new Map(),
    last: undefined,
    processes: new Map(),
    next: null,
    deadline: null,
    isLeaving: false,
    reports: Promise.resolve(),
  };
}

export function nodeOf({ spec }: RawObject): string {
  return textOf(fieldsOf(spec)['nodeName']);
}

export function containersOf({ spec }: RawObject): readonly Readonly<Record<string, unknown>>[] {
  return recordsIn(fieldsOf(spec)['containers']);
}

export function initContainersOf({ spec }: RawObject): readonly Readonly<Record<string, unknown>>[] {
  return recordsIn(fieldsOf(spec)['initContainers']);
}

export function restartPolicyOf({ spec }: RawObject): string {
  return textOf(fieldsOf(spec)['restartPolicy']) || 'Always';
}

export function graceMsOf(pod: RawObject): number {
  const metadata: Readonly<Record<string, unknown>> = { ...pod.metadata };
  return Number(metadata['deletionGracePeriodSeconds'] ?? 30) * 1000;
}

export function refOf(pod: RawObject): ObjectRef {
  const { name, namespace } = viewOf(pod);
  return { type: podType, namespace, name };
}

/** Words of a stage file about this pod: `{node}`, `{nodeUID}`, `{pod}`, `{image}`, `{env.NAME}`. */
export function withPodWords(text: string, pod: RawObject, nodeUID: string): string {
  const [container = {}] = containersOf(pod);
  const env = recordsIn(container['env']);
  const words: Readonly<Record<string, string>> = {
    node: nodeOf(pod),
    nodeUID,
    pod: viewOf(pod).name,
    image: textOf(container['image']),
  };
  return text.replaceAll(/\{(env\.)?([A-Za-z_][\w]*)\}/g, (whole, isEnv: string | undefined, name: string) =>
    isEnv === undefined
      ? (words[name] ?? whole)
      : textOf(env.find((each) => each['name'] === name)?.['value']),
  );
}
