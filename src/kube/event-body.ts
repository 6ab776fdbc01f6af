// One Event of events.k8s.io/v1, as the API server wants it. Its name follows from what it says and when, so that sending it
// again, or from a process that has just started, makes no second one.

import type { Instant } from '../base/clock.ts';
import { hashFields } from '../base/hash.ts';
import { formatMicroTime } from '../base/timestamp.ts';
import type { RawObject } from '../objects/raw.ts';
import { apiVersionOf, eventType, type ObjectRef } from '../objects/ref.ts';
import { noteOf } from './event-note.ts';

export type RecordedEvent = {
  readonly regarding: ObjectRef & { readonly uid: string };
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  /** What was done or tried, as one word. */
  readonly action: string;
  readonly note: string;
};

/** Equal events within this time are one Event with a count. */
export const seriesMs = 600_000;

const controller = 'muster';
const namePartMax = 200;

/** What makes two events equal. */
export function seriesKeyOf({ regarding, type, reason, action, note }: RecordedEvent): string {
  return hashFields([regarding.uid, type, reason, action, note]);
}

export function eventRefOf(event: RecordedEvent, now: Instant): ObjectRef {
  const { namespace, name } = event.regarding;
  const hash = hashFields([seriesKeyOf(event), String(Math.floor(now / seriesMs))]);
  const named = name.slice(0, namePartMax).replace(/[^a-z0-9]+$/, '');
  // The API server wants Events about cluster-scoped objects in this namespace.
  return { type: eventType, namespace: namespace === '' ? 'default' : namespace, name: `${named}.${hash}` };
}

export function eventBodyOf(
  event: RecordedEvent,
  at: { readonly ref: ObjectRef; readonly now: Instant; readonly instance: string },
): RawObject {
  const { regarding, type, reason, action, note } = event;
  const { name, namespace, uid } = regarding;
  return {
    apiVersion: apiVersionOf(eventType),
    kind: eventType.kind,
    metadata: { namespace: at.ref.namespace, name: at.ref.name },
    eventTime: formatMicroTime(at.now),
    reportingController: controller,
    reportingInstance: at.instance.slice(0, fieldMax),
    type,
    reason: reason.slice(0, fieldMax),
    action: action.slice(0, fieldMax),
    note: noteOf(note),
    regarding: {
      apiVersion: apiVersionOf(regarding.type),
      kind: regarding.type.kind,
      name,
      ...(namespace === '' ? {} : { namespace }),
      uid,
    },
  };
}

const fieldMax = 128;
