// What Muster keeps of a CustomResourceDefinition: whether the kind can be used, and in which versions.

import { fieldsOf, type ObjectView, type RawObject, recordsIn, textOf, viewOf } from './raw.ts';

export type CustomResourceDefinitionView = ObjectView & {
  readonly isEstablished: boolean;
  readonly servedVersions: readonly string[];
  /** Versions in which objects may still be stored. */
  readonly storedVersions: readonly string[];
};

export function projectCustomResourceDefinition(raw: RawObject): CustomResourceDefinitionView {
  const spec = fieldsOf(raw.spec);
  const status = fieldsOf(raw.status);
  const stored = status['storedVersions'];
  return {
    ...viewOf(raw),
    isEstablished: recordsIn(status['conditions']).some(
      ({ type, status: value }) => type === 'Established' && value === 'True',
    ),
    servedVersions: recordsIn(spec['versions']).flatMap(({ name, served }) =>
      served === true ? [textOf(name)] : [],
    ),
    storedVersions: Array.isArray(stored) ? stored.filter((version) => typeof version === 'string') : [],
  };
}
