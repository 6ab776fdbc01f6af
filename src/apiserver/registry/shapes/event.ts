// The wire shapes of Event: one storage, two fronts. The core form is the stored one; the other is a renaming of its fields.

import { isRecord, type RawObject } from '../../../objects/raw.ts';
import { kindFields } from '../metadata-shape.ts';
import { int, microTime, pointer, shown, struct, text, time } from '../shape.ts';

const reference = struct({
  kind: text,
  namespace: text,
  name: text,
  uid: text,
  apiVersion: text,
  resourceVersion: text,
  fieldPath: text,
});

const source = struct({ component: text, host: text });

export const coreEventFields = kindFields({
  involvedObject: reference,
  reason: text,
  message: text,
  source,
  firstTimestamp: time,
  lastTimestamp: time,
  count: int,
  type: text,
  eventTime: microTime,
  series: pointer(struct({ count: int, lastObservedTime: microTime })),
  action: text,
  related: pointer(reference),
  reportingComponent: shown(text),
  reportingInstance: shown(text),
});

export const eventFields = kindFields({
  eventTime: microTime,
  series: pointer(struct({ count: shown(int), lastObservedTime: microTime })),
  reportingController: text,
  reportingInstance: text,
  action: text,
  reason: text,
  regarding: reference,
  related: pointer(reference),
  note: text,
  type: text,
  deprecatedSource: source,
  deprecatedFirstTimestamp: time,
  deprecatedLastTimestamp: time,
  deprecatedCount: int,
});

const coreNames: Readonly<Record<string, string>> = {
  regarding: 'involvedObject',
  note: 'message',
  reportingController: 'reportingComponent',
  deprecatedSource: 'source',
  deprecatedFirstTimestamp: 'firstTimestamp',
  deprecatedLastTimestamp: 'lastTimestamp',
  deprecatedCount: 'count',
};

const newNames = Object.fromEntries(Object.entries(coreNames).map(([to, from]) => [from, to]));

export function toCoreEvent(object: RawObject): RawObject {
  return { reportingComponent: '', reportingInstance: '', ...renamed(object, coreNames, 'v1') };
}

/** The new form leaves out who reported when nobody said so; the core form writes that down as empty. */
export function toNewEvent(object: RawObject): RawObject {
  const { reportingComponent, reportingInstance, ...rest } = object;
  const said = Object.entries({ reportingComponent, reportingInstance }).filter(([, value]) => value !== '');
  return renamed({ ...rest, ...Object.fromEntries(said) }, newNames, 'events.k8s.io/v1');
}

function renamed(object: RawObject, names: Readonly<Record<string, string>>, apiVersion: string): RawObject {
  const entries = Object.entries(object).map(([field, value]) => [names[field] ?? field, value]);
  return { ...(Object.fromEntries(entries) satisfies RawObject), apiVersion };
}

export function referenceOf(object: RawObject): Readonly<Record<string, unknown>> {
  const reference = object['involvedObject'];
  return isRecord(reference) ? reference : {};
}
