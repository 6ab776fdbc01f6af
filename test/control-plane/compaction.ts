// Compacts etcd over its JSON gateway: revisions before the current one are gone afterwards.
export async function compact(etcdUrl: string): Promise<void> {
  const { header } = (await post(`${etcdUrl}/v3/kv/range`, { key: 'AA==' })) as {
    header: { revision: string };
  };
  await post(`${etcdUrl}/v3/kv/compaction`, { revision: header.revision, physical: true });
}

async function post(url: string, body: unknown): Promise<unknown> {
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`etcd answered ${response.status} to ${url}: ${await response.text()}`);
  return response.json();
}
