// The life of namespaces: a new one gets its default service account, a deleted one is emptied and then goes.

import type { Cancel, Clock } from '../base/clock.ts';
import type { RawObject } from '../objects/raw.ts';
import { namespaceType, serviceAccountType } from './registry/kinds/namespace.ts';
import type { Registry } from './registry/registry.ts';
import type { Resources } from './resources/resources.ts';
import type { ObjectStore, StoredChange } from './store/object-store.ts';

const BUCKET = namespaceType.plural;

type Parts = {
  readonly store: ObjectStore;
  readonly registry: Registry;
  readonly resources: Resources;
  readonly clock: Clock;
};

export function startNamespaceLifecycle(parts: Parts): Cancel {
  const due = new Set<string>();
  let cancel: Cancel | null = null;
  const pass = () => {
    cancel = null;
    const names = [...due];
    due.clear();
    for (const name of names) empty(parts, name);
  };
  const unsubscribe = parts.store.subscribe((change) => {
    const name = concerned(change);
    const namespace = parts.store.get({ bucket: BUCKET, key: name });
    if (change.bucket === BUCKET && change.before === null) giveAccount(parts, name);
    if (namespace?.metadata?.deletionTimestamp === undefined) return;
    if (change.bucket !== BUCKET && change.after !== null) return;
    due.add(name);
    cancel ??= parts.clock.after(0, pass);
  });
  return () => {
    unsubscribe();
    cancel?.();
  };
}

function concerned({ bucket, key }: StoredChange): string {
  return bucket === BUCKET ? key : key.slice(0, Math.max(0, key.indexOf('/')));
}

function giveAccount({ registry, resources }: Parts, namespace: string): void {
  const definition = registry.find(serviceAccountType);
  if (definition === undefined) return;
  const body = { metadata: { name: 'default', namespace } };
  resources.create({ definition, namespace, name: '' }, { body, options: quiet });
}

function empty(parts: Parts, name: string): void {
  const { store, registry, resources } = parts;
  let isEmpty = true;
  for (const bucket of store.buckets()) {
    const definition = registry.ofBucket(bucket);
    if (definition?.type.scope !== 'Namespaced') continue;
    for (const { key, object } of store.entries(bucket)) {
      if (!key.startsWith(`${name}/`)) continue;
      if (object.metadata?.deletionTimestamp === undefined)
        resources.delete(
          { definition, namespace: name, name: object.metadata?.name ?? '' },
          { gracePeriodSeconds: 0 },
        );
      isEmpty &&= store.get({ bucket, key }) === undefined;
    }
  }
  if (isEmpty) finish(parts, name);
}

function finish({ store, registry, resources }: Parts, name: string): void {
  const namespace = store.get({ bucket: BUCKET, key: name });
  const definition = registry.find(namespaceType);
  if (namespace === undefined || definition === undefined) return;
  const body: RawObject = { ...namespace, spec: {} };
  resources.replace({ definition, namespace: '', name }, { body, options: quiet, part: 'finalize' });
}

const quiet = { isDryRun: false, fieldValidation: 'Ignore' } as const;
