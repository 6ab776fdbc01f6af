// The rules that hold for the metadata of every object: names, labels, finalizers, owners, and what no update may change.

import type { RawMetadata, RawObject } from '../../objects/raw.ts';
import { type FieldError, forbidden, immutable, invalid, required } from '../field-error.ts';
import { labelValueProblems, type NameRule, qualifiedNameProblems } from './names.ts';

const ANNOTATION_BYTES_MAX = 256 * 1024;

/** Names that a finalizer may have without a domain. */
const standardFinalizers: readonly string[] = ['kubernetes', 'orphan', 'foregroundDeletion'];

export type MetadataRules = { readonly nameRule: NameRule; readonly isCustom: boolean };

export function metadataErrors(object: RawObject, rules: MetadataRules): readonly FieldError[] {
  const metadata = object.metadata ?? {};
  return [
    ...nameErrors(metadata, rules.nameRule),
    ...labelErrors(metadata.labels ?? {}, 'metadata.labels'),
    ...annotationErrors(metadata.annotations ?? {}),
    ...ownerErrors(metadata),
    ...finalizerErrors(metadata.finalizers ?? [], rules.isCustom),
  ];
}

export function metadataUpdateErrors(object: RawObject, old: RawObject): readonly FieldError[] {
  const [now, before] = [object.metadata ?? {}, old.metadata ?? {}];
  const errors: FieldError[] = [];
  if (now.uid !== before.uid) errors.push(immutable('metadata.uid', now.uid ?? ''));
  const added = (now.finalizers ?? []).filter((each) => !before.finalizers?.includes(each));
  if (before.deletionTimestamp !== undefined && added.length > 0) {
    const list = added.map((each) => JSON.stringify(each)).join(', ');
    const why = `no new finalizers can be added if the object is being deleted, found new finalizers []string{${list}}`;
    errors.push(forbidden('metadata.finalizers', why));
  }
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
) {
  if (name === '' && generateName === '')
    return [required('metadata.name', 'name or generateName is required')];
  const problem = name === '' ? null : rule(name);
  return problem === null ? [] : [invalid('metadata.name', name, problem)];
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
  const errors = ownerReferences.flatMap((owner) =>
    (['apiVersion', 'kind', 'name', 'uid'] as const)
      .filter((field) => (owner[field] ?? '') === '')
      .map((field) => invalid(`metadata.ownerReferences.${field}`, '', 'must not be empty')),
  );
  const controllers = ownerReferences.filter(({ controller }) => controller === true);
  if (controllers.length < 2) return errors;
  const [first, second] = controllers;
  const why = `Only one reference can have Controller set to true. Found "true" in references for ${first?.kind}/${first?.name} and ${second?.kind}/${second?.name}`;
  return [...errors, invalid('metadata.ownerReferences', ownerReferences, why)];
}

function finalizerErrors(finalizers: readonly string[], isCustom: boolean): readonly FieldError[] {
  return finalizers.flatMap((finalizer, index) => {
    const errors = qualifiedNameProblems(finalizer).map((problem) =>
      invalid('metadata.finalizers', finalizer, problem),
    );
    const isNamed = finalizer.includes('/') || standardFinalizers.includes(finalizer);
    if (isCustom || isNamed) return errors;
    const why = 'name is neither a standard finalizer name nor is it fully qualified';
    return [...errors, invalid(`metadata.finalizers[${index}]`, finalizer, why)];
  });
}
