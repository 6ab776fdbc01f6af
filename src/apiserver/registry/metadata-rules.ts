// The rules that hold for the metadata of every object: names, labels, finalizers, owners, and what no update may change.

import type { RawMetadata, RawObject, RawOwnerReference } from '../../objects/raw.ts';
import { type FieldError, forbidden, immutable, invalid, required } from '../field-error.ts';
import { labelValueProblems, type NameRule, qualifiedNameProblems } from './names.ts';

const ANNOTATION_BYTES_MAX = 256 * 1024;

/** Names that a finalizer may have without a domain. */
const standardFinalizers: readonly string[] = ['kubernetes', 'orphan', 'foregroundDeletion'];

export function metadataErrors(object: RawObject, nameRule: NameRule): readonly FieldError[] {
  const metadata = object.metadata ?? {};
  return [
    ...nameErrors(metadata, nameRule),
    ...generationErrors(metadata),
    ...labelErrors(metadata.labels ?? {}, 'metadata.labels'),
    ...annotationErrors(metadata.annotations ?? {}),
    ...ownerErrors(metadata),
    ...finalizerErrors(metadata.finalizers ?? []),
  ];
}

/** Most built-in kinds insist on a domain in the name of a finalizer. */
export function plainFinalizerErrors(object: RawObject): readonly FieldError[] {
  const why = 'name is neither a standard finalizer name nor is it fully qualified';
  return (object.metadata?.finalizers ?? []).flatMap((finalizer, index) =>
    isPlain(finalizer) ? [invalid(`metadata.finalizers[${index}]`, finalizer, why)] : [],
  );
}

/** Where a finalizer without a domain is taken, the writer is advised against it. */
export function plainFinalizerWarnings(object: RawObject, old?: RawObject): readonly string[] {
  return (object.metadata?.finalizers ?? [])
    .filter((finalizer) => isPlain(finalizer) && old?.metadata?.finalizers?.includes(finalizer) !== true)
    .map(
      (finalizer) =>
        `metadata.finalizers: ${JSON.stringify(finalizer)}: prefer a domain-qualified finalizer name to avoid accidental conflicts with other finalizer writers`,
    );
}

function isPlain(finalizer: string): boolean {
  return !finalizer.includes('/') && !standardFinalizers.includes(finalizer);
}

export function metadataUpdateErrors(object: RawObject, old: RawObject): readonly FieldError[] {
  const [now, before] = [object.metadata ?? {}, old.metadata ?? {}];
  const errors: FieldError[] = [];
  const added = (now.finalizers ?? []).filter((each) => !before.finalizers?.includes(each));
  if (before.deletionTimestamp !== undefined && added.length > 0) {
    const list = added.map((each) => JSON.stringify(each)).join(', ');
    const why = `no new finalizers can be added if the object is being deleted, found new finalizers []string{${list}}`;
    errors.push(forbidden('metadata.finalizers', why));
  }
  if (now.uid !== before.uid) errors.push(immutable('metadata.uid', now.uid ?? ''));
  return errors;
}

export function labelErrors(labels: Readonly<Record<string, string>>, path: string): readonly FieldError[] {
  return Object.entries(labels).flatMap(([key, value]) => [
    ...qualifiedNameProblems(key).map((problem) => invalid(path, key, problem)),
    ...labelValueProblems(value).map((problem) => invalid(path, value, problem)),
  ]);
}

function nameErrors(
  { name = '', generateName = '' }: RawMetadata & { readonly generateName?: string },
  rule: NameRule,
): readonly FieldError[] {
  // What is generated begins with it, so its last letter may be one that no name ends with.
  const prefix = generateName === '' ? null : rule(generateName.replace(/.-$/, 'a'));
  const errors: FieldError[] =
    prefix === null ? [] : [invalid('metadata.generateName', generateName, prefix)];
  if (name === '' && generateName === '')
    return [...errors, required('metadata.name', 'name or generateName is required')];
  const problem = name === '' ? null : rule(name);
  return problem === null ? errors : [...errors, invalid('metadata.name', name, problem)];
}

function generationErrors({ generation = 0 }: RawMetadata): readonly FieldError[] {
  return generation < 0
    ? [invalid('metadata.generation', generation, 'must be greater than or equal to 0')]
    : [];
}

function annotationErrors(annotations: Readonly<Record<string, string>>): readonly FieldError[] {
  const entries = Object.entries(annotations);
  const bytes = entries.reduce((sum, [key, value]) => sum + key.length + Buffer.byteLength(value), 0);
  return [
    ...entries.flatMap(([key]) =>
      qualifiedNameProblems(key.toLowerCase()).map((problem) =>
        invalid('metadata.annotations', key, problem),
      ),
    ),
    ...(bytes > ANNOTATION_BYTES_MAX
      ? [
          {
            path: 'metadata.annotations',
            reason: 'FieldValueTooLong',
            message: `may not be more than ${ANNOTATION_BYTES_MAX} bytes`,
          } as const,
        ]
      : []),
  ];
}

function ownerErrors({ ownerReferences = [] }: RawMetadata): readonly FieldError[] {
  const errors = ownerReferences.flatMap(ownerProblems);
  const controllers = ownerReferences.filter(({ controller }) => controller === true);
  if (controllers.length < 2) return errors;
  const [first, second] = controllers;
  const why = `Only one reference can have Controller set to true. Found "true" in references for ${first?.kind}/${first?.name} and ${second?.kind}/${second?.name}`;
  return [...errors, invalid('metadata.ownerReferences', ownerReferences, why)];
}

function ownerProblems(owner: RawOwnerReference): readonly FieldError[] {
  const { apiVersion = '' } = owner;
  const isVersion = /^[^/]+(?:\/[^/]+)?$/.test(apiVersion);
  const path = 'metadata.ownerReferences';
  const errors: FieldError[] = isVersion
    ? []
    : [invalid(`${path}.apiVersion`, apiVersion, 'version must not be empty')];
  for (const field of ['kind', 'name', 'uid'] as const) {
    if ((owner[field] ?? '') === '') errors.push(invalid(`${path}.${field}`, '', 'must not be empty'));
  }
  if (apiVersion === 'v1' && owner.kind === 'Event')
    errors.push(invalid(path, owner, '/v1, Kind=Event is disallowed from being an owner'));
  return errors;
}

function finalizerErrors(finalizers: readonly string[]): readonly FieldError[] {
  return finalizers.flatMap((finalizer) =>
    qualifiedNameProblems(finalizer).map((problem) => invalid('metadata.finalizers', finalizer, problem)),
  );
}
