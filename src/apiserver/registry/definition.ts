// What the server knows of one resource in one version: its names, how bodies are read and written, the rules of its
// strategy. Data and pure functions; the registry holds them, the resources apply them.

import type { Instant } from '../../base/clock.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { isRecord, type RawObject } from '../../objects/raw.ts';
import { apiVersionOf, type ResourceType } from '../../objects/ref.ts';
import type { FieldError } from '../field-error.ts';
import type { FieldLabels } from '../store/field-query.ts';
import { withMetadata } from '../store/stored-object.ts';
import { decodeStruct, WrongValue } from './decode.ts';
import { type Column, nameAndAge } from './column.ts';
import { type NameRule, dnsSubdomain } from './names.ts';
import { silentMetadata } from './metadata-shape.ts';
import type { Fields } from './shape.ts';

export type Subresource = 'status' | 'binding' | 'eviction' | 'log' | 'token' | 'finalize';

export type Decoded = { readonly object: RawObject; readonly unknownPaths: readonly string[] };

/** What a strategy may know beside the objects themselves. */
export type Surroundings = { readonly now: Instant; objects(bucket: string): readonly RawObject[] };

export type ResourceDefinition = {
  readonly type: ResourceType;
  /** Where objects are stored: two resources may be fronts of one bucket. */
  readonly bucket: string;
  /** The group that refusals name: that of the kind as it is stored. */
  readonly storedGroup: string;
  readonly singular: string;
  readonly listKind: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly subresources: readonly Subresource[];
  /** Parts that the kind has in a real cluster and not here. */
  readonly unservedParts: readonly string[];
  /** Null for custom resources: a schema describes them. */
  readonly fields: Fields | null;
  readonly nameRule: NameRule;
  /** Whether a finalizer may be named without a domain. */
  readonly allowsPlainFinalizers: boolean;
  /** Whether the server counts generations: 1 at birth, one more for every change of what is wanted. */
  readonly countsGeneration: boolean;
  /** Whether a replace without a resourceVersion is accepted. */
  readonly allowsUnguardedUpdate: boolean;
  readonly createsOnUpdate: boolean;
  /** Whether its collections cannot be deleted in one request. */
  readonly isDeletedSingly: boolean;
  /** Whether a deletion is answered with the object instead of a Status. */
  readonly answersWithDeleted: boolean;
  /** Whether a write of the status leaves labels and annotations alone. */
  readonly statusKeepsMetadata: boolean;
  readonly fieldLabels: FieldLabels;
  readonly columns: readonly Column[];
  /** Sent with every answer: the version is deprecated. */
  readonly warning: string | null;
  /** From the body of a request to the stored form; the error is a sentence. What is as in `old` is taken as read. */
  decode(body: RawObject, old?: RawObject): Result<Decoded, string>;
  /** From the form of this version to the stored one. */
  toStored(object: RawObject): RawObject;
  /** From the stored form to the form of this version. */
  encode(stored: RawObject): RawObject;
  prepareCreate(object: RawObject, around: Surroundings): RawObject;
  prepareUpdate(object: RawObject, old: RawObject, around: Surroundings): RawObject;
  /** For a write to the status alone. */
  prepareStatus(object: RawObject, old: RawObject): RawObject;
  validate(object: RawObject, old: RawObject | null): readonly FieldError[];
  /** A write to the status alone. */
  validateStatus(object: RawObject, old: RawObject): readonly FieldError[];
  /** What beginning to delete does to an object beside setting its deletionTimestamp. */
  beginDelete(object: RawObject): RawObject;
  /** What keeps an object that is being deleted, beside its finalizers. */
  isHeldBack(object: RawObject): boolean;
};

type Given = {
  readonly type: ResourceType;
  readonly fields: Fields;
} & Partial<Omit<ResourceDefinition, 'type' | 'fields' | 'decode' | 'encode'>> & {
    readonly toStored?: (object: RawObject) => RawObject;
    readonly fromStored?: (object: RawObject) => RawObject;
    readonly defaults?: (object: RawObject) => RawObject;
  };

/** A built-in kind: what is not said is what most kinds do. */
export function builtin(given: Given): ResourceDefinition {
  const { type, fields, toStored = same, fromStored = same, defaults = same } = given;
  const isStoredAsRead = toStored === same && fromStored === same;
  return {
    bucket: type.group === '' ? type.plural : `${type.plural}.${type.group}`,
    storedGroup: type.group,
    singular: type.kind.toLowerCase(),
    listKind: `${type.kind}List`,
    shortNames: [],
    categories: [],
    subresources: [],
    unservedParts: [],
    nameRule: dnsSubdomain,
    allowsPlainFinalizers: false,
    countsGeneration: false,
    allowsUnguardedUpdate: true,
    createsOnUpdate: false,
    isDeletedSingly: false,
    answersWithDeleted: false,
    statusKeepsMetadata: false,
    fieldLabels: namespacedLabels,
    columns: nameAndAge,
    warning: null,
    decode: (body, old) =>
      decodeBody({ type, fields, old: isStoredAsRead ? old : undefined }, body, (object) =>
        defaults(toStored(object)),
      ),
    toStored,
    encode: fromStored,
    prepareCreate: same,
    prepareUpdate: same,
    prepareStatus: same,
    validate: () => [],
    validateStatus: given.validate ?? (() => []),
    ...plainDeletion,
    ...given,
  };
}

/** How most objects go: no time is given, and those that count generations count the deletion too. */
export const plainDeletion: Pick<ResourceDefinition, 'beginDelete' | 'isHeldBack'> = {
  beginDelete: (object) => withMetadata(object, { deletionGracePeriodSeconds: 0, ...nextGeneration(object) }),
  isHeldBack: () => false,
};

export function nextGeneration(object: RawObject): { readonly generation?: number } {
  const { generation = 0 } = object.metadata ?? {};
  return generation > 0 ? { generation: generation + 1 } : {};
}

export const clusterLabels: FieldLabels = { 'metadata.name': (object) => object.metadata?.name ?? '' };
export const namespacedLabels: FieldLabels = {
  ...clusterLabels,
  'metadata.namespace': (object) => object.metadata?.namespace ?? '',
};

/** A record inside an object, or an empty one. */
export function partOf(object: unknown, ...path: readonly string[]): Readonly<Record<string, unknown>> {
  const part = path.reduce<unknown>((value, key) => (isRecord(value) ? value[key] : undefined), object);
  return isRecord(part) ? part : {};
}

type BodyForm = {
  readonly type: ResourceType;
  readonly fields: Fields;
  readonly old: RawObject | undefined;
};

function decodeBody(
  { type, fields, old }: BodyForm,
  body: RawObject,
  finish: (object: RawObject) => RawObject,
): Result<Decoded, string> {
  try {
    const { value, unknownPaths } = decodeStruct(fields, body, old);
    const object = finish({ ...value, kind: type.kind, apiVersion: apiVersionOf(type) });
    return ok({ object, unknownPaths: unknownPaths.filter((path) => !isSilent(path)) });
  } catch (error) {
    if (error instanceof WrongValue) return err(error.message);
    throw error;
  }
}

function isSilent(path: string): boolean {
  return silentMetadata.some((field) => path === `metadata.${field}`);
}

function same(object: RawObject): RawObject {
  return object;
}
