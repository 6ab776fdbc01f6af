// A cache of nodes with a pool, and words for what its subscribers were told.

import { createCache } from '../../src/kube/cache.ts';
import { createIntern } from '../../src/kube/intern.ts';
import { isRecord, type ObjectView, type RawObject, textOf, viewOf } from '../../src/objects/raw.ts';
import { nodeType } from '../../src/objects/ref.ts';
import type { CacheChange, WatchSpec } from '../../src/runtime/ports.ts';

export type PoolView = ObjectView & {
  readonly pool: string;
  readonly nested: { readonly list: readonly string[]; readonly nothing: null };
};

const poolSpec: WatchSpec<PoolView> = {
  selection: { type: nodeType },
  project: (raw, intern) => {
    const pool = isRecord(raw.spec) ? textOf(raw.spec['pool']) : '';
    if (pool === 'unreadable') throw new Error('no such pool');
    return { ...viewOf(raw), pool: intern.text(pool), nested: { list: [pool], nothing: null } };
  },
  indexes: {
    pool: ({ pool }) => {
      if (pool === 'unfiled') throw new Error('no place for it');
      return pool === '' ? [] : [pool];
    },
  },
  presence: 'required',
  isEchoed: true,
};

export const node = (
  name: string,
  resourceVersion: string,
  rest: { uid?: string; pool?: string } = {},
): RawObject => ({
  metadata: { name, uid: rest.uid ?? `uid-${name}`, resourceVersion },
  spec: { pool: rest.pool ?? 'blue' },
});

export function cacheScene() {
  const changes: CacheChange<PoolView>[] = [];
  const unreadable: string[] = [];
  const causes: unknown[] = [];
  const projected: string[] = [];
  const faults: unknown[] = [];
  const project: typeof poolSpec.project = (raw, intern) => {
    projected.push(viewOf(raw).name);
    return poolSpec.project(raw, intern);
  };
  const cache = createCache(
    { ...poolSpec, project },
    {
      intern: createIntern(),
      onUnreadable: (key, cause) => {
        unreadable.push(key);
        causes.push(cause);
      },
      onListenerFault: (cause) => faults.push(cause),
    },
  );
  cache.subscribe((change) => changes.push(change));
  const sync = (resourceVersion: string, ...objects: readonly RawObject[]) => {
    cache.stage();
    for (const object of objects) cache.stageObject('ADDED', object);
    cache.commit(resourceVersion);
  };
  const told = () => changes.splice(0).map((change) => describeChange(change));
  return { cache, sync, told, unreadable, causes, projected, faults };
}

function describeChange(change: CacheChange<PoolView>): string {
  if (change.kind === 'updated') {
    return `${change.now.name} ${change.before.resourceVersion} -> ${change.now.resourceVersion}`;
  }
  const view = change.kind === 'added' ? change.now : change.before;
  return `${change.kind} ${view.name} ${view.resourceVersion}`;
}
