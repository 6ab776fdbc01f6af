// What an API server that is behind would still answer: the state of a resource some revisions ago.

import type { ApiServer } from '../../apiserver/api-server.ts';
import type { CallFailure } from '../../apiserver/port-failure.ts';
import { err, ok, type Result } from '../../base/result.ts';
import type { RawObject } from '../../objects/raw.ts';
import type { ResourceType } from '../../objects/ref.ts';
import { unserved } from './failures.ts';

export type Past = { readonly items: readonly RawObject[]; readonly revision: number };

export type PastSelection = {
  readonly type: ResourceType;
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
};

/** Not further back than what the server remembers; null when nobody serves the resource. */
export function pastOf(
  { store, registry, resources }: ApiServer,
  selection: PastSelection,
  revisionsBack: number,
): Past | null {
  const definition = registry.find(selection.type);
  if (definition === undefined) return null;
  const revision = Math.max(store.oldestRevision, store.revision - revisionsBack);
  const target = { definition, namespace: selection.namespace ?? '', name: '' };
  const page = resources.list({ ...selection, target }, { exactRevision: revision });
  if (page.kind === 'error') return null;
  return { items: page.value.items.map((object) => definition.encode(object)), revision };
}

export async function pageAt(
  server: ApiServer,
  selection: PastSelection,
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
  const past = pastOf(server, selection, revisionsBack);
  if (past === null) return err(unserved(false));
  return ok({ items: past.items, resourceVersion: String(past.revision), continueToken: '' });
}
