// Reads one object live and tells its cache, which may be behind.

import type { ResourceType } from '../objects/ref.ts';
import type { Cache, KubeApi, OwnWrites } from './ports.ts';

type LiveRef = { readonly type: ResourceType; readonly name: string };

/** False when nobody answered. The incarnation is taken before the call: one that appears meanwhile is not what was found gone. */
export async function readLive(
  api: KubeApi,
  cache: Cache & OwnWrites,
  { type, name }: LiveRef,
): Promise<boolean> {
  const uid = cache.get(name)?.uid ?? '';
  const answer = await api.get({ type, namespace: '', name });
  if (answer.kind === 'ok') cache.observe(answer.value);
  else if (answer.error.reason === 'NotFound') cache.observeGone(name, uid);
  else return false;
  return true;
}
