// The ownership record of a Node: which labels, annotations and taints are ours, on whose behalf, what we wrote and what
// stood there before. It is one annotation, written in the same patch as the keys it speaks of. A kubelet can forge it,
// so an entry is a claim to be checked, never a licence by itself.

import { canonical } from '../base/hash.ts';
import { labelKeyProblem, labelValueProblem } from './label-key.ts';
import { isRecord } from './raw.ts';
import { parseTaintId } from './taint.ts';
import { type KeyKind, keyKinds, type Owner } from './wish.ts';

export type OwnedEntry = {
  readonly owner: Owner;
  readonly wrote: string;
  /** Absent when nothing stood there before us. */
  readonly found?: string;
};

export type OwnedRecord = Readonly<Record<KeyKind, Readonly<Record<string, OwnedEntry>>>>;

export type ParsedRecord =
  | { readonly kind: 'record'; readonly record: OwnedRecord }
  | { readonly kind: 'unreadable' };

export const emptyRecord: OwnedRecord = { labels: {}, annotations: {}, taints: {} };

export function parseOwned(text: string | undefined): ParsedRecord {
  if (text === undefined || text === '') return { kind: 'record', record: emptyRecord };
  try {
    return readRecord(JSON.parse(text));
  } catch {
    return { kind: 'unreadable' };
  }
}

function readRecord(raw: unknown): ParsedRecord {
  if (!isRecord(raw)) return { kind: 'unreadable' };
  const record: Record<KeyKind, Record<string, OwnedEntry>> = { labels: {}, annotations: {}, taints: {} };
  for (const kind of keyKinds) {
    const { [kind]: entries = {} } = raw;
    if (!isRecord(entries)) return { kind: 'unreadable' };
    for (const [key, entry] of Object.entries(entries)) {
      if (!isNodeKey(kind, key) || !isEntry(entry)) return { kind: 'unreadable' };
      const { owner, wrote, found } = entry;
      record[kind][key] = { owner, wrote, ...(found === undefined ? {} : { found }) };
    }
  }
  return { kind: 'record', record };
}

function isEntry(raw: unknown): raw is OwnedEntry {
  return (
    isRecord(raw) &&
    typeof raw['owner'] === 'string' &&
    typeof raw['wrote'] === 'string' &&
    (raw['found'] === undefined || typeof raw['found'] === 'string')
  );
}

/** Whether a node can carry such a key at all. */
export function isNodeKey(kind: KeyKind, text: string): boolean {
  const { key, effect } = kind === 'taints' ? parseTaintId(text) : { key: text, effect: 'any' };
  // Of annotations alone the server takes keys whose prefix has capitals.
  const name = kind === 'annotations' ? key.toLowerCase() : key;
  return labelKeyProblem(name) === null && effect !== '' && labelValueProblem(effect) === null;
}

/** Null when nothing is owned: then the annotation goes. */
export function formatOwned(record: OwnedRecord): string | null {
  const kinds = keyKinds.filter((kind) => Object.keys(record[kind]).length > 0);
  return kinds.length === 0 ? null : canonical(Object.fromEntries(kinds.map((kind) => [kind, record[kind]])));
}
