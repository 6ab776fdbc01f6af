// How much of etcd some objects take up, asked over its JSON gateway. Counts keys and values as they are stored; what the
// history, the index and free pages take on top depends on when etcd was last compacted, and is not counted.

import { isRecord } from '../../src/objects/raw.ts';

export type StoredBytes = { readonly objects: number; readonly bytes: number };

// A page stays far below the largest message that the gateway passes on.
const pageLimit = 500;

export async function storedBytes(etcdUrl: string, prefix: string): Promise<StoredBytes> {
  const end = endOf(Buffer.from(prefix));
  let objects = 0;
  let bytes = 0;
  for (let key = Buffer.from(prefix); ; ) {
    const entries = await range(etcdUrl, key, end);
    for (const each of entries) bytes += each.key.length + each.value.length;
    objects += entries.length;
    const last = entries.at(-1);
    if (last === undefined || entries.length < pageLimit) return { objects, bytes };
    key = Buffer.concat([last.key, Buffer.from([0])]);
  }
}

/** The first key behind all that begin with the prefix. */
function endOf(prefix: Buffer): Buffer {
  const end = Buffer.from(prefix);
  end[end.length - 1] = (end.at(-1) ?? 0) + 1;
  return end;
}

type Entry = { readonly key: Buffer; readonly value: Buffer };

async function range(etcdUrl: string, key: Buffer, end: Buffer): Promise<readonly Entry[]> {
  const body = { key: key.toString('base64'), range_end: end.toString('base64'), limit: pageLimit };
  const response = await fetch(`${etcdUrl}/v3/kv/range`, { method: 'POST', body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`etcd answered ${response.status}: ${await response.text()}`);
  const answer: unknown = await response.json();
  const entries = isRecord(answer) && Array.isArray(answer['kvs']) ? (answer['kvs'] as unknown[]) : [];
  return entries
    .filter(isRecord)
    .map((entry) => ({ key: bytesOf(entry['key']), value: bytesOf(entry['value']) }));
}

function bytesOf(text: unknown): Buffer {
  return Buffer.from(typeof text === 'string' ? text : '', 'base64');
}
