// The objects of the in-memory API server: resourceVersions, guards, the status split, pages. Synchronous, no network.
// What it does not know it refuses, never wrongly accepts.

import jsonPatch, { type Operation } from 'fast-json-patch';
import { strategicMerge } from '../../src/apiserver/patch/strategic-merge.ts';
import { nodeFields } from '../../src/apiserver/registry/shapes/node.ts';
import { canonical } from '../../src/base/hash.ts';
import { err, ok } from '../../src/base/result.ts';
import { fieldsOf, isRecord, type RawMetadata, type RawObject } from '../../src/objects/raw.ts';
import {
  apiVersionOf,
  nodeType,
  type ObjectRef,
  type ResourceType,
  resourceName,
} from '../../src/objects/ref.ts';
import type {
  Answer,
  DeleteOptions,
  Page,
  PageRequest,
  Patch,
  Selection,
  WriteOptions,
} from '../../src/runtime/ports.ts';
import { apiFailure } from './api-failure.ts';

/** One write as the history keeps it. `object` carries the new resourceVersion even when it was deleted. */
export type MemoryChange = {
  readonly version: number;
  readonly type: ResourceType;
  readonly before: RawObject | null;
  readonly isDeleted: boolean;
  readonly object: RawObject;
};

type Continuation = { readonly rest: readonly RawObject[]; readonly version: number };

export class MemoryStore {
  version = 1;
  /** Changes up to this version are forgotten: who asks for them is answered with 410. */
  forgottenUpTo = 0;
  readonly history: MemoryChange[] = [];
  readonly #objects = new Map<string, RawObject>();
  readonly #continuations = new Map<string, Continuation>();
  readonly #historySize: number;
  readonly #hasStatus: (type: ResourceType) => boolean;
  readonly #now: () => string;
  readonly #publish: (change: MemoryChange) => void;
  #births = 0;

  constructor(options: {
    readonly historySize: number;
    readonly hasStatus: (type: ResourceType) => boolean;
    readonly now: () => string;
    readonly publish: (change: MemoryChange) => void;
  }) {
    this.#historySize = options.historySize;
    this.#hasStatus = options.hasStatus;
    this.#now = options.now;
    this.#publish = options.publish;
  }

  get(ref: ObjectRef): Answer<RawObject> {
    const object = this.#objects.get(pathOf(ref));
    return object ? ok(object) : err(apiFailure('NotFound'));
  }

  /** Sorted by path, so that neither lists nor initial events come in the order of resourceVersions. */
  select(selection: Selection): readonly RawObject[] {
    const prefix = `${resourceName(selection.type)}/`;
    const entries = [...this.#objects].filter(
      ([path, object]) => path.startsWith(prefix) && selects(selection, object),
    );
    return entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([, object]) => object);
  }

  /** Later pages come from the snapshot of the first. */
  list(selection: Selection, page: PageRequest): Answer<Page> {
    const token = page.continueToken ?? '';
    const from =
      token === '' ? { rest: this.select(selection), version: this.version } : this.#continuations.get(token);
    if (from === undefined || from.version < this.forgottenUpTo) return err(apiFailure('Expired'));
    const limit = page.limit ?? from.rest.length;
    const rest = from.rest.slice(limit);
    const continueToken = rest.length === 0 ? '' : `from-${this.#continuations.size}`;
    if (rest.length > 0) this.#continuations.set(continueToken, { rest, version: from.version });
    return ok({ items: from.rest.slice(0, limit), resourceVersion: String(from.version), continueToken });
  }

  create(ref: ObjectRef, body: RawObject, options: WriteOptions): Answer<RawObject> {
    if (this.#objects.has(pathOf(ref))) return err(apiFailure('AlreadyExists'));
    if (body.metadata?.resourceVersion) return err(apiFailure('BadRequest'));
    const typed = { ...copy(body), apiVersion: apiVersionOf(ref.type), kind: ref.type.kind };
    // A kubelet registers its Node together with the status; other types start without one.
    const losesStatus = this.#hasStatus(ref.type) && ref.type.kind !== 'Node';
    return ok(
      this.#write(
        ref,
        withMetadata(losesStatus ? without(typed, 'status') : typed, this.#birth(ref)),
        options,
      ),
    );
  }

  replace(ref: ObjectRef, body: RawObject, options: WriteOptions): Answer<RawObject> {
    return this.#update(ref, options, copy(body));
  }

  patch(ref: ObjectRef, patch: Patch, options: WriteOptions): Answer<RawObject> {
    const before = this.#objects.get(pathOf(ref));
    if (before === undefined) return err(apiFailure('NotFound'));
    const patched = ref.type === nodeType ? appliedToNode(before, patch) : applied(before, patch);
    return patched.kind === 'error' ? patched : this.#update(ref, options, patched.value);
  }

  delete(ref: ObjectRef, options: DeleteOptions): Answer<RawObject> {
    const object = this.#objects.get(pathOf(ref));
    if (object === undefined) return err(apiFailure('NotFound'));
    const { uid, resourceVersion } = object.metadata ?? {};
    const isSame =
      (options.uid ?? uid) === uid && (options.resourceVersion ?? resourceVersion) === resourceVersion;
    if (!isSame) return err(apiFailure('Conflict'));
    const { finalizers = [], deletionTimestamp } = object.metadata ?? {};
    if (finalizers.length === 0) return ok(this.#write(ref, null, {}));
    return ok(
      deletionTimestamp
        ? object
        : this.#write(ref, withMetadata(object, { deletionTimestamp: this.#now() }), {}),
    );
  }

  /** As another client: creates or replaces the whole object, status included, without a guard. */
  put(ref: ObjectRef, body: RawObject): RawObject {
    const before = this.#objects.get(pathOf(ref));
    const typed = { ...copy(body), apiVersion: apiVersionOf(ref.type), kind: ref.type.kind };
    return this.#write(ref, before ? successor(before, typed) : withMetadata(typed, this.#birth(ref)), {});
  }

  forgetUpTo(version: number): void {
    this.forgottenUpTo = Math.max(this.forgottenUpTo, version);
    while (this.history[0] && this.history[0].version <= version) this.history.shift();
  }

  #update(ref: ObjectRef, options: WriteOptions, wanted: RawObject): Answer<RawObject> {
    const before = this.#objects.get(pathOf(ref));
    const isStatus = options.subresource === 'status' && this.#hasStatus(ref.type);
    if (before === undefined || (options.subresource && !isStatus)) return err(apiFailure('NotFound'));
    const had = before.metadata ?? {};
    const { resourceVersion = had.resourceVersion, uid = had.uid } = wanted.metadata ?? {};
    if (resourceVersion !== had.resourceVersion) return err(apiFailure('Conflict'));
    if (uid !== had.uid) return err(apiFailure('Invalid', { message: 'metadata.uid: field is immutable' }));
    const merged = isStatus
      ? { ...before, status: wanted.status }
      : { ...wanted, ...(this.#hasStatus(ref.type) ? { status: before.status } : {}) };
    const next = successor(before, merged);
    const isFinalized = had.deletionTimestamp && (next.metadata?.finalizers ?? []).length === 0;
    return ok(this.#write(ref, isFinalized ? null : next, options));
  }

  #write(ref: ObjectRef, next: RawObject | null, options: WriteOptions): RawObject {
    const before = this.#objects.get(pathOf(ref)) ?? null;
    if (before && next && canonical(before) === canonical(next)) return before;
    const version = this.version + 1;
    const object = frozen(withMetadata(next ?? before ?? {}, { resourceVersion: String(version) }));
    if (options.dryRun) return object;
    this.version = version;
    if (next) this.#objects.set(pathOf(ref), object);
    else this.#objects.delete(pathOf(ref));
    const change = { version, type: ref.type, before, isDeleted: next === null, object };
    this.history.push(change);
    const excess = this.history.length - this.#historySize;
    if (excess > 0) this.forgetUpTo(this.history[excess - 1]?.version ?? 0);
    this.#publish(change);
    return object;
  }

  #birth(ref: ObjectRef): RawMetadata {
    const namespace = ref.namespace === '' ? {} : { namespace: ref.namespace };
    const uid = `uid-${++this.#births}`;
    return { name: ref.name, ...namespace, uid, generation: 1, creationTimestamp: this.#now() };
  }
}

/** Label selectors (`a=b`, `a!=b`, `a`, `!a`, `a in (b,c)`) and `metadata.name=` or any other dotted field. */
export function selects(selection: Selection, object: RawObject): boolean {
  if (selection.namespace && selection.namespace !== object.metadata?.namespace) return false;
  const labels = object.metadata?.labels ?? {};
  const fieldAt = (path: string) =>
    path.split('.').reduce<unknown>((value, part) => (isRecord(value) ? value[part] : undefined), object);
  return (
    terms(selection.labelSelector).every((term) => holds(term, (key) => labels[key])) &&
    terms(selection.fieldSelector).every((term) => holds(term, (path) => fieldAt(path) ?? ''))
  );
}

function terms(selector = ''): readonly string[] {
  return selector.split(/,(?![^(]*\))/).filter((term) => term !== '');
}

function holds(term: string, valueOf: (key: string) => unknown): boolean {
  const [, member, set] = /^(\S+) in \((.*)\)$/.exec(term) ?? [];
  if (member !== undefined && set !== undefined)
    return set.split(',').some((each) => valueOf(member) === each);
  const [, key = '', operator, value] = /^(!?[^!=]+)(!=|==?)?(.*)$/.exec(term) ?? [];
  if (operator === undefined)
    return key.startsWith('!') ? valueOf(key.slice(1)) === undefined : valueOf(key) !== undefined;
  return (valueOf(key) === value) === (operator !== '!=');
}

/** Of the kinds in tests only Nodes have lists that are merged by a key. */
function appliedToNode(before: RawObject, patch: Patch): Answer<RawObject> {
  if (patch.kind !== 'strategic') return applied(before, patch);
  return ok(copy(strategicMerge(nodeFields, { ...before }, fieldsOf(patch.body))));
}

function applied(before: RawObject, patch: Patch): Answer<RawObject> {
  if (patch.kind === 'merge') return ok(JSON.parse(JSON.stringify(mergePatch(before, patch.body))));
  if (patch.kind !== 'json')
    return err(apiFailure('BadRequest', { code: 415, message: 'unsupported patch' }));
  const operations: Operation[] = JSON.parse(JSON.stringify(patch.body));
  const problem = jsonPatch.validate(operations, copy(before));
  if (problem) return err(apiFailure('Invalid', { message: problem.name }));
  return ok(jsonPatch.applyPatch(copy(before), operations).newDocument);
}

/** RFC 7386. */
function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return patch;
  const merged: Record<string, unknown> = isRecord(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key];
    else merged[key] = mergePatch(merged[key], value);
  }
  return merged;
}

function pathOf(ref: ObjectRef): string {
  return `${resourceName(ref.type)}/${ref.namespace}/${ref.name}`;
}

/** What was wanted, with the identity that no update changes and the generation that only the server counts. */
function successor(before: RawObject, wanted: RawObject): RawObject {
  const fixed = ['name', 'namespace', 'uid', 'resourceVersion', 'creationTimestamp', 'deletionTimestamp'];
  const had = Object.entries(before.metadata ?? {}).filter(([field]) => fixed.includes(field));
  const isNewSpec = canonical(wanted.spec) !== canonical(before.spec);
  const generation = (before.metadata?.generation ?? 1) + Number(isNewSpec);
  return copy(withMetadata(wanted, { ...Object.fromEntries(had), generation }));
}

function withMetadata(object: RawObject, metadata: RawMetadata): RawObject {
  return { ...object, metadata: { ...object.metadata, ...metadata } };
}

function without(object: RawObject, field: string): RawObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => key !== field));
}

function copy<T>(value: T): T {
  return JSON.parse(JSON.stringify(value));
}

/** A caller that changes what it was handed fails at once, in the test that did it. */
function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const part of Object.values(value)) frozen(part);
  return Object.freeze(value);
}
