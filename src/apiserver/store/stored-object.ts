// What is done to an object on its way into the store: stamped with its revision and frozen to the bottom.

import type { RawMetadata, RawObject } from '../../objects/raw.ts';

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
