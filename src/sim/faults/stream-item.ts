// What waits on a watch between the server and who watches, and words for it.

import type { WatchEvent } from '../../apiserver/kube-stream.ts';
import type { CallFailure } from '../../apiserver/port-failure.ts';
import { keyOf, type ResourceType, resourceName } from '../../objects/ref.ts';
import type { Instance } from './instance.ts';
import type { CallRecord } from './records.ts';
import type { World } from './world.ts';

export type WatchStart =
  | { readonly kind: 'initialEvents' }
  | { readonly kind: 'after'; readonly resourceVersion: string };

export type ObjectEvent = Extract<WatchEvent, { kind: 'object' }>;
export type Item =
  | { readonly kind: 'opened' }
  | {
      readonly kind: 'event';
      readonly event: WatchEvent;
      readonly sinceMs: number;
      readonly notBeforeMs: number;
    }
  | { readonly kind: 'ended'; readonly failure: CallFailure | null };

export function startWords(start: WatchStart): string {
  return start.kind === 'after' ? `after ${start.resourceVersion}` : 'from the start';
}

export function nameOf({ object: { metadata = {} } }: ObjectEvent): string {
  return keyOf({ namespace: metadata.namespace ?? '', name: metadata.name ?? '' });
}

export function revisionOf(event: WatchEvent): number {
  if (event.kind === 'bookmark') return Number(event.resourceVersion);
  return event.kind === 'object' ? Number(event.object.metadata?.resourceVersion) : 0;
}

type Watching = {
  readonly world: Pick<World, 'schedule' | 'leaseHolder'>;
  readonly instance: Instance;
  readonly selection: {
    readonly type: ResourceType;
    readonly namespace?: string;
    readonly fieldSelector?: string;
  };
};

/** A watch as one more call, for those who judge what was asked for. */
export function watchCall({ world, instance, selection }: Watching): CallRecord {
  const { type, namespace = '', fieldSelector } = selection;
  return {
    instance: instance.actor.name,
    slot: instance.slot,
    verb: 'watch',
    resource: resourceName(type),
    ref: { type, namespace, name: '' },
    body: undefined,
    options: fieldSelector === undefined ? {} : { fieldSelector },
    sentAtMs: world.schedule.nowMs,
    leaseHolder: world.leaseHolder(),
    arrivedAtMs: null,
    result: null,
    isHeard: false,
  };
}
