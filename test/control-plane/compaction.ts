// Compacts etcd over its JSON gateway. Clients of the API server notice nothing yet, since its watch cache answers for old
// revisions from memory: 410 takes a restart of the API server too, or `--watch-cache-sizes=<kinds>#0` for the kind.
// A watch then gets 200 and one ERROR event of code 410; a list at an old revision or continue token gets status 410.
// (For watches a restart alone does it: the new cache knows nothing older than the revision it first listed.)

import { textAt } from './text-at.ts';

export async function compact(etcdUrl: string): Promise<void> {
  const anyKey = Buffer.from([0]).toString('base64');
  const answer = await post(`${etcdUrl}/v3/kv/range`, { key: anyKey });
  const revision = textAt(answer, 'header', 'revision');
  await post(`${etcdUrl}/v3/kv/compaction`, { revision, physical: true });
}

async function post(url: string, body: unknown): Promise<unknown> {
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`etcd answered ${response.status} to ${url}: ${await response.text()}`);
  return response.json();
}
