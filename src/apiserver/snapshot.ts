// A snapshot of the store as text, read back with care: a file may be anything.

import { isRecord, type RawObject } from '../objects/raw.ts';
import type { StoreSnapshot } from './store/object-store.ts';

/** Null for what is no snapshot. */
export function parseSnapshot(text: string): StoreSnapshot | null {
  const value = parsed(text);
  if (!isRecord(value)) return null;
  const { revision, buckets } = value;
  if (typeof revision !== 'number' || !Number.isSafeInteger(revision) || !isRecord(buckets)) return null;
  const entries: (readonly [string, readonly RawObject[]])[] = [];
  for (const [name, objects] of Object.entries(buckets)) {
    if (!Array.isArray(objects) || !objects.every(isRecord)) return null;
    entries.push([name, objects]);
  }
  return { revision, buckets: Object.fromEntries(entries) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
