// Events: one bucket behind two APIs. The new form is strict about what a reporter must say; the old one takes anything.

import { canonical } from '../../../base/hash.ts';
import { parseTime } from '../../../base/timestamp.ts';
import { type RawObject, textOf } from '../../../objects/raw.ts';
import { eventType } from '../../../objects/ref.ts';
import { type FieldError, immutable, invalid, required } from '../../field-error.ts';
import { column, formatAge, nameColumn, wide } from '../column.ts';
import { builtin, namespacedLabels, partOf } from '../definition.ts';
import { coreEventFields, eventFields, referenceOf, toCoreEvent, toNewEvent } from '../shapes/event.ts';

const referenceFields = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'];

const labelsUnder = (prefix: string) => ({
  ...namespacedLabels,
  ...Object.fromEntries(
    referenceFields.map((field) => [
      `${prefix}.${field}`,
      (object: RawObject) => textOf(referenceOf(object)[field]),
    ]),
  ),
  reason: (object: RawObject) => textOf(object['reason']),
  type: (object: RawObject) => textOf(object['type']),
  reportingComponent: reporterOf,
  source: (object: RawObject) => textOf(partOf(object, 'source')['component']) || reporterOf(object),
});

const columns = [
  column('Last Seen', (object, now) => formatAge(lastSeen(object), now)),
  column('Type', (object) => textOf(object['type'])),
  column('Reason', (object) => textOf(object['reason'])),
  column('Object', (object) => {
    const { kind, name } = referenceOf(object);
    return `${textOf(kind).toLowerCase()}/${textOf(name)}`;
  }),
  wide('Subobject', (object) => textOf(referenceOf(object)['fieldPath'])),
  wide('Source', sourceText),
  column('Message', (object) => textOf(object['message']).trim()),
  wide('First Seen', (object, now) => formatAge(firstSeen(object), now)),
  wide('Count', (object) => partOf(object, 'series')['count'] ?? object['count'] ?? 1),
  { ...nameColumn, priority: 1 },
];

export const coreEvent = builtin({
  type: { group: '', version: 'v1', plural: 'events', kind: 'Event', scope: 'Namespaced' },
  fields: coreEventFields,
  allowsPlainFinalizers: true,
  shortNames: ['ev'],
  createsOnUpdate: true,
  fieldLabels: labelsUnder('involvedObject'),
  columns,
  validate: namespaceErrors,
});

export const event = builtin({
  type: eventType,
  bucket: 'events',
  storedGroup: '',
  fields: eventFields,
  shortNames: ['ev'],
  createsOnUpdate: true,
  fieldLabels: labelsUnder('regarding'),
  columns,
  toStored: toCoreEvent,
  fromStored: toNewEvent,
  validate: (object, old) => (old === null ? reportErrors(object) : rewriteErrors(object, old)),
});

function namespaceErrors(object: RawObject): readonly FieldError[] {
  const own = object.metadata?.namespace ?? '';
  const theirs = textOf(referenceOf(object)['namespace']);
  // What has no namespace of its own is spoken of in the default one.
  const isRight = theirs === '' ? own === '' || own === 'default' || own === 'kube-system' : theirs === own;
  return isRight ? [] : [invalid('involvedObject.namespace', theirs, 'does not match event.namespace')];
}

function reportErrors(object: RawObject): readonly FieldError[] {
  const missing = (field: string) => (textOf(object[field]) === '' ? [required(field)] : []);
  const type = textOf(object['type']);
  const isTyped = type === 'Normal' || type === 'Warning';
  const typeErrors = isTyped ? [] : [invalid('type', type, `has invalid value: ${type}`)];
  if (parseTime(textOf(object['eventTime'])) === null)
    return [...namespaceErrors(object), required('eventTime'), ...typeErrors];
  return [
    ...namespaceErrors(object),
    ...missing('reportingComponent').map((error) => ({ ...error, path: 'reportingController' })),
    ...missing('reportingInstance'),
    ...missing('action'),
    ...missing('reason'),
    ...typeErrors,
  ];
}

/** In the order in which the real server looks at them, with the names it has for them. */
const fixed: readonly (readonly [field: string, name: string])[] = [
  ...[
    'involvedObject',
    'reason',
    'message',
    'source',
    'firstTimestamp',
    'lastTimestamp',
    'count',
    'type',
  ].map((field) => [field, field] as const),
  ['eventTime', 'eventTime'],
  ['action', 'action'],
  ['related', 'related'],
  ['reportingComponent', 'reportingController'],
  ['reportingInstance', 'reportingInstance'],
];

/** A reporter may only count on. */
function rewriteErrors(object: RawObject, old: RawObject): readonly FieldError[] {
  return fixed
    .filter(([field]) => canonical(object[field]) !== canonical(old[field]))
    .map(([field, name]) => immutable(name, object[field] ?? ''));
}

function reporterOf(object: RawObject): string {
  return textOf(object['reportingComponent']);
}

function firstSeen(object: RawObject): unknown {
  return object['firstTimestamp'] ?? object['eventTime'];
}

function lastSeen(object: RawObject): unknown {
  return partOf(object, 'series')['lastObservedTime'] ?? object['lastTimestamp'] ?? firstSeen(object);
}

function sourceText(object: RawObject): string {
  const { component, host } = partOf(object, 'source');
  const parts = [textOf(component), textOf(host)].filter((part) => part !== '');
  return parts.length > 0
    ? parts.join(', ')
    : [reporterOf(object), textOf(object['reportingInstance'])].filter((part) => part !== '').join(', ');
}
