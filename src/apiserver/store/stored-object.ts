// What is done to an object on its way into the store: compared with what is there, stamped with its revision and frozen.

import { isRecord, type RawMetadata, type RawObject } from '../../objects/raw.ts';

export function withVersion(object: RawObject, revision: number): RawObject {
  return withMetadata(object, { resourceVersion: String(revision) });
}

/** The object with these fields of its metadata; undefined takes a field away. */
export function withMetadata(
  object: RawObject,
  change: { readonly [K in keyof RawMetadata]?: RawMetadata[K] | undefined } & Readonly<
    Record<string, unknown>
  >,
): RawObject {
  const metadata: Record<string, unknown> = { ...object.metadata };
  for (const [field, value] of Object.entries(change)) {
    if (value === undefined) delete metadata[field];
    else metadata[field] = value;
  }
  return { ...object, metadata };
}

/** Parts that are frozen already are frozen to the bottom: most of an object is shared with the one before it. */
export function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const part of Object.values(value)) frozen(part);
  return Object.freeze(value);
}

/** Equal as JSON, whatever the order of keys. Parts that are the same object are not looked into. */
export function sameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => sameValue(item, b[index]));
  if (!isRecord(a) || !isRecord(b)) return false;
  const keys = Object.keys(a);
  const isCovered = keys.every((key) => sameValue(a[key], Object.hasOwn(b, key) ? b[key] : undefined));
  return isCovered && Object.keys(b).every((key) => Object.hasOwn(a, key) || b[key] === undefined);
}

/**
 * The new object, with every part that is as it was taken from the old one: what never changes is kept once however many
 * past states are remembered. The old object itself when nothing changed.
 */
export function sharing(next: RawObject, old: RawObject): RawObject {
  const shared = shareValue(next, old);
  return isRecord(shared) ? shared : next;
}

function shareValue(next: unknown, old: unknown): unknown {
  if (next === old) return old;
  if (Array.isArray(next) && Array.isArray(old)) {
    const items: readonly unknown[] = next.map((item, index) => shareValue(item, old[index]));
    return items.length === old.length && items.every((item, index) => item === old[index]) ? old : items;
  }
  if (!isRecord(next) || !isRecord(old)) return next;
  const had = (key: string) => (Object.hasOwn(old, key) ? old[key] : undefined);
  const entries = Object.entries(next).map(([key, value]) => [key, shareValue(value, had(key))] as const);
  const isSame =
    entries.every(([key, value]) => value === had(key)) &&
    Object.keys(old).every((key) => Object.hasOwn(next, key) || old[key] === undefined);
  return isSame ? old : Object.fromEntries(entries);
}
