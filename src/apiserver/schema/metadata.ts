// The schema that every resource has without saying so: its type and its ObjectMeta. Used for embedded resources and
// for the object itself; what the API server adds to metadata of stored objects is not its business.

import { isRecord } from '../../objects/raw.ts';
import { type FieldError, invalid, required } from './field-error.ts';

type Shape = 'text' | 'count' | 'time' | 'texts' | 'map' | 'owners' | 'managed';

const shapes: ReadonlyMap<string, Shape> = new Map([
  ['name', 'text'],
  ['generateName', 'text'],
  ['namespace', 'text'],
  ['selfLink', 'text'],
  ['uid', 'text'],
  ['resourceVersion', 'text'],
  ['generation', 'count'],
  ['creationTimestamp', 'time'],
  ['deletionTimestamp', 'time'],
  ['deletionGracePeriodSeconds', 'count'],
  ['labels', 'map'],
  ['annotations', 'map'],
  ['ownerReferences', 'owners'],
  ['finalizers', 'texts'],
  ['managedFields', 'managed'],
]);

type Notes = { readonly unknown: string[]; readonly malformed: FieldError[] };
type At = { readonly path: string; readonly notes: Notes };

/** apiVersion, kind or metadata of a resource: unknown fields dropped, empty ones left out as the API server does. */
export function pruneMetadata(name: string, value: unknown, { path, notes }: At): unknown {
  if (name !== 'metadata') {
    if (typeof value !== 'string') notes.malformed.push(invalid(path, value, 'must be a string'));
    return value;
  }
  if (!isRecord(value)) {
    notes.malformed.push(invalid(path, value, 'must be an object'));
    return value;
  }
  const kept = Object.entries(value).filter(([field, inner]) => {
    const shape = shapes.get(field);
    if (shape === undefined) notes.unknown.push(`${path}.${field}`);
    else if (inner !== null && !fits(inner, shape))
      notes.malformed.push(invalid(`${path}.${field}`, inner, `must be ${described(shape)}`));
    return shape !== undefined && !isEmpty(inner);
  });
  return Object.fromEntries(kept);
}

/** What the API server wants of a resource inside a resource. */
export function checkEmbedded(value: Readonly<Record<string, unknown>>, path: string): readonly FieldError[] {
  return [
    ...checkType({ value: value['apiVersion'], path: `${path}.apiVersion`, pattern: null }),
    ...checkType({ value: value['kind'], path: `${path}.kind`, pattern: kindPattern }),
  ];
}

type TypeField = { readonly value: unknown; readonly path: string; readonly pattern: RegExp | null };

const kindPattern = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const kindRule =
  'may have mixed case, but should otherwise match: a DNS-1035 label must consist of lower case alphanumeric characters' +
  " or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123'," +
  " regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";

function checkType({ value, path, pattern }: TypeField): readonly FieldError[] {
  if (value === undefined) return [required(path)];
  if (typeof value !== 'string') return [invalid(path, value, 'must be a string')];
  if (value === '') return [invalid(path, value, 'must not be empty')];
  if (pattern !== null) return pattern.test(value.toLowerCase()) ? [] : [invalid(path, value, kindRule)];
  return value.split('/').length > 2
    ? [invalid(path, value, `unexpected GroupVersion string: ${value}`)]
    : [];
}

function fits(value: unknown, shape: Shape): boolean {
  switch (shape) {
    case 'text':
    case 'time':
      return typeof value === 'string';
    case 'count':
      return Number.isInteger(value);
    case 'texts':
      return Array.isArray(value) && value.every((item) => typeof item === 'string');
    case 'map':
      return isRecord(value) && Object.values(value).every((item) => typeof item === 'string');
    case 'owners':
    case 'managed':
      return Array.isArray(value) && value.every(isRecord);
  }
}

function described(shape: Shape): string {
  const words = { text: 'a string', time: 'a time', count: 'a whole number', texts: 'a list of strings' };
  const more = { map: 'a map of strings', owners: 'a list of objects', managed: 'a list of objects' };
  return { ...words, ...more }[shape];
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === '' || value === 0) return true;
  if (Array.isArray(value)) return value.length === 0;
  return isRecord(value) && Object.keys(value).length === 0;
}
