// The garbage collector: an object goes when all of its owners are gone, an owner that waits for its dependents goes when
// they are, an orphaning owner lets go of them first. Works after the write that caused it, in one pass at a time.

import type { Cancel, Clock } from '../base/clock.ts';
import type { RawObject, RawOwnerReference } from '../objects/raw.ts';
import type { ResourceDefinition } from './registry/definition.ts';
import type { Registry } from './registry/registry.ts';
import { foregroundFinalizer, orphanFinalizer } from './resources/delete.ts';
import type { Target } from './resources/request.ts';
import type { Resources } from './resources/resources.ts';
import type { ObjectStore, StoredChange } from './store/object-store.ts';
import { withMetadata } from './store/stored-object.ts';

type Known = { readonly bucket: string; readonly key: string; readonly object: RawObject };

export class GarbageCollector {
  readonly #store: ObjectStore;
  readonly #registry: Registry;
  readonly #resources: Resources;
  readonly #clock: Clock;
  readonly #byUid = new Map<string, Known>();
  readonly #dependents = new Map<string, Set<string>>();
  /** Uids to look at. */
  readonly #due = new Set<string>();
  #cancel: Cancel | null = null;

  constructor(parts: { store: ObjectStore; registry: Registry; resources: Resources; clock: Clock }) {
    this.#store = parts.store;
    this.#registry = parts.registry;
    this.#resources = parts.resources;
    this.#clock = parts.clock;
    for (const bucket of this.#store.buckets()) {
      for (const { key, object } of this.#store.entries(bucket)) this.#learn({ bucket, key, object });
    }
    this.#store.subscribe((change) => this.#observe(change));
  }

  stop(): void {
    this.#cancel?.();
    this.#due.clear();
  }

  #observe({ bucket, key, before, after }: StoredChange): void {
    const uid = (after ?? before)?.metadata?.uid ?? '';
    if (before !== null) this.#forgetOwners(uid, before);
    if (after !== null) return this.#learn({ bucket, key, object: after });
    this.#byUid.delete(uid);
    for (const dependent of this.#dependents.get(uid) ?? []) this.#look(dependent);
    for (const owner of before?.metadata?.ownerReferences ?? []) this.#look(owner.uid ?? '');
  }

  #learn(known: Known): void {
    const { metadata } = known.object;
    const uid = metadata?.uid ?? '';
    this.#byUid.set(uid, known);
    for (const owner of metadata?.ownerReferences ?? []) {
      const dependents = this.#dependents.get(owner.uid ?? '') ?? new Set();
      this.#dependents.set(owner.uid ?? '', dependents.add(uid));
    }
    const isWaiting = metadata?.finalizers?.some(
      (each) => each === foregroundFinalizer || each === orphanFinalizer,
    );
    const isOwned = (metadata?.ownerReferences ?? []).length > 0;
    if (isOwned || (isWaiting && metadata?.deletionTimestamp !== undefined)) this.#look(uid);
  }

  #forgetOwners(uid: string, object: RawObject): void {
    for (const owner of object.metadata?.ownerReferences ?? []) {
      const dependents = this.#dependents.get(owner.uid ?? '');
      dependents?.delete(uid);
      if (dependents?.size === 0) this.#dependents.delete(owner.uid ?? '');
    }
  }

  #look(uid: string): void {
    this.#due.add(uid);
    this.#cancel ??= this.#clock.after(0, () => this.#pass());
  }

  #pass(): void {
    this.#cancel = null;
    const due = [...this.#due];
    this.#due.clear();
    for (const uid of due) {
      const known = this.#byUid.get(uid);
      const definition = known && this.#registry.ofBucket(known.bucket);
      if (known !== undefined && definition !== undefined) this.#treat(known, definition);
    }
  }

  #treat(known: Known, definition: ResourceDefinition): void {
    const { finalizers = [], deletionTimestamp, ownerReferences = [] } = known.object.metadata ?? {};
    if (deletionTimestamp !== undefined) {
      if (finalizers.includes(orphanFinalizer)) return this.#orphan(known, definition);
      if (finalizers.includes(foregroundFinalizer)) return this.#awaitDependents(known, definition);
      return;
    }
    if (ownerReferences.length > 0) this.#judgeOwners(known, definition);
  }

  /** Gone with the last owner; an owner that waits for its dependents counts as gone. */
  #judgeOwners(known: Known, definition: ResourceDefinition): void {
    const owners = known.object.metadata?.ownerReferences ?? [];
    const solid = owners.filter((owner) => this.#isSolid(known, owner));
    const waiting = owners.filter((owner) => this.#isWaiting(owner));
    if (solid.length > 0) {
      const dangling = owners.length - solid.length;
      if (dangling > 0)
        this.#update(known, definition, withMetadata(known.object, { ownerReferences: solid }));
      return;
    }
    const uid = known.object.metadata?.uid ?? '';
    const hasDependents = (this.#dependents.get(uid)?.size ?? 0) > 0;
    const propagation = waiting.length > 0 && hasDependents ? 'Foreground' : 'Background';
    this.#resources.delete(targetOf(known, definition), { uid, propagation });
  }

  #isSolid({ object }: Known, owner: RawOwnerReference): boolean {
    const found = this.#byUid.get(owner.uid ?? '');
    if (found === undefined || this.#isWaiting(owner)) return false;
    const home = found.object.metadata?.namespace ?? '';
    return home === '' || home === (object.metadata?.namespace ?? '');
  }

  #isWaiting(owner: RawOwnerReference): boolean {
    const metadata = this.#byUid.get(owner.uid ?? '')?.object.metadata;
    return (
      metadata?.deletionTimestamp !== undefined && metadata.finalizers?.includes(foregroundFinalizer) === true
    );
  }

  #awaitDependents(known: Known, definition: ResourceDefinition): void {
    const uid = known.object.metadata?.uid ?? '';
    const dependents = [...(this.#dependents.get(uid) ?? [])].flatMap((each) => this.#byUid.get(each) ?? []);
    for (const dependent of dependents) this.#look(dependent.object.metadata?.uid ?? '');
    const isBlocked = dependents.some(({ object }) => blocks(object, uid));
    if (!isBlocked) this.#dropFinalizer(known, definition, foregroundFinalizer);
  }

  #orphan(known: Known, definition: ResourceDefinition): void {
    const uid = known.object.metadata?.uid ?? '';
    for (const each of this.#dependents.get(uid) ?? []) {
      const dependent = this.#byUid.get(each);
      const itsDefinition = dependent && this.#registry.ofBucket(dependent.bucket);
      if (dependent === undefined || itsDefinition === undefined) continue;
      const owners = dependent.object.metadata?.ownerReferences?.filter((owner) => owner.uid !== uid) ?? [];
      const ownerReferences = owners.length > 0 ? owners : undefined;
      this.#update(dependent, itsDefinition, withMetadata(dependent.object, { ownerReferences }));
    }
    this.#dropFinalizer(known, definition, orphanFinalizer);
  }

  #dropFinalizer(known: Known, definition: ResourceDefinition, finalizer: string): void {
    const left = known.object.metadata?.finalizers?.filter((each) => each !== finalizer) ?? [];
    const finalizers = left.length > 0 ? left : undefined;
    this.#update(known, definition, withMetadata(known.object, { finalizers }));
  }

  #update(known: Known, definition: ResourceDefinition, object: RawObject): void {
    const body = definition.encode(object);
    this.#resources.replace(targetOf(known, definition), { body, options: quiet, part: 'main' });
  }
}

const quiet = { isDryRun: false, fieldValidation: 'Ignore' } as const;

function blocks(object: RawObject, uid: string): boolean {
  return (object.metadata?.ownerReferences ?? []).some(
    (owner) => owner.uid === uid && owner.blockOwnerDeletion === true,
  );
}

function targetOf({ object }: Known, definition: ResourceDefinition): Target {
  const { namespace = '', name = '' } = object.metadata ?? {};
  return { definition, namespace, name };
}
