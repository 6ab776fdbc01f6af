// The life of CustomResourceDefinitions: a new one is served and established at once, a changed one is served as it says
// now, a deleted one takes its objects with it before it goes.

import type { Cancel, Clock } from '../base/clock.ts';
import type { RawObject } from '../objects/raw.ts';
import { customResourceDefinitionType } from '../objects/ref.ts';
import {
  cleanupFinalizer,
  establishedStatus,
  isEstablished,
} from './registry/kinds/custom-resource-definition.ts';
import type { Registry } from './registry/registry.ts';
import type { Resources } from './resources/resources.ts';
import type { ObjectStore, StoredChange } from './store/object-store.ts';
import { sameValue, withMetadata } from './store/stored-object.ts';

const BUCKET = 'customresourcedefinitions.apiextensions.k8s.io';

type Parts = {
  readonly store: ObjectStore;
  readonly registry: Registry;
  readonly resources: Resources;
  readonly clock: Clock;
};

export function startDefinitionLifecycle(parts: Parts): Cancel {
  for (const { object } of parts.store.entries(BUCKET)) parts.registry.serve(object);
  const timers = new Set<Cancel>();
  const unsubscribe = parts.store.subscribe((change) => {
    if (change.bucket === BUCKET) onDefinition(parts, change, timers);
    else if (change.after === null) onObjectGone(parts, change.bucket);
  });
  return () => {
    unsubscribe();
    for (const cancel of timers) cancel();
  };
}

function onDefinition(parts: Parts, { before, after, key }: StoredChange, timers: Set<Cancel>): void {
  if (after === null) return parts.registry.withdraw(key);
  if (after.metadata?.deletionTimestamp !== undefined) {
    if (before?.metadata?.deletionTimestamp === undefined) later(parts, timers, () => cleanUp(parts, after));
    return;
  }
  if (before === null || !sameValue(before.spec, after.spec)) parts.registry.serve(after);
  if (!isEstablished(after)) {
    const established = { ...after, status: establishedStatus(after, parts.clock.now()) };
    parts.store.put({ bucket: BUCKET, key }, established);
  }
}

function later({ clock }: Parts, timers: Set<Cancel>, run: () => void): void {
  const cancel = clock.after(0, () => {
    timers.delete(cancel);
    run();
  });
  timers.add(cancel);
}

function cleanUp(parts: Parts, crd: RawObject): void {
  const bucket = crd.metadata?.name ?? '';
  const definition = parts.registry.ofBucket(bucket);
  if (definition !== undefined) {
    parts.resources.deleteCollection({ target: { definition, namespace: '', name: '' } }, {});
  }
  if (parts.store.count(bucket) === 0) release(parts, bucket);
}

/** The last object of a kind that is going lets its definition go. */
function onObjectGone(parts: Parts, bucket: string): void {
  const crd = parts.store.get({ bucket: BUCKET, key: bucket });
  if (crd?.metadata?.deletionTimestamp === undefined || parts.store.count(bucket) > 0) return;
  release(parts, bucket);
}

function release({ store, registry, resources }: Parts, key: string): void {
  const crd = store.get({ bucket: BUCKET, key });
  const definition = registry.find(customResourceDefinitionType);
  if (crd?.metadata === undefined || definition === undefined) return;
  const finalizers = crd.metadata.finalizers?.filter((each) => each !== cleanupFinalizer) ?? [];
  const body = withMetadata(crd, { finalizers: finalizers.length > 0 ? finalizers : undefined });
  const options = { isDryRun: false, fieldValidation: 'Ignore' } as const;
  resources.replace({ definition, namespace: '', name: key }, { body, options, part: 'main' });
}
