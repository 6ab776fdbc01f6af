// What an API server that is behind would still answer: the state of a resource some revisions ago.

import type { ApiServer } from '../../apiserver/api-server.ts';
import type { CallFailure } from '../../apiserver/port-failure.ts';
import { err, ok, type Result } from '../../base/result.ts';
import type { RawObject } from '../../objects/raw.ts';
import type { ResourceType } from '../../objects/ref.ts';
import { unserved } from './failures.ts';

export type Past = { readonly items: readonly RawObject[]; readonly revision: number };

/** Not further back than what the server remembers; null when nobody serves the resource. */
export function pastOf(
  { store, registry }: ApiServer,
  type: ResourceType,
  revisionsBack: number,
): Past | null {
  const definition = registry.find(type);
  if (definition === undefined) return null;
  const revision = Math.max(store.oldestRevision, store.revision - revisionsBack);
  const entries = store.entriesAt(definition.bucket, revision);
  if (entries.kind === 'error') return null;
  return { items: entries.value.map(({ object }) => definition.encode(object)), revision };
}

export async function pageAt(
  server: ApiServer,
  type: ResourceType,
  revisionsBack: number,
): Promise<
  Result<
    {
      readonly items: readonly RawObject[];
      readonly resourceVersion: string;
      readonly continueToken: string;
    },
    CallFailure
  >
> {
  const past = pastOf(server, type, revisionsBack);
  if (past === null) return err(unserved(false));
  return ok({ items: past.items, resourceVersion: String(past.revision), continueToken: '' });
}
