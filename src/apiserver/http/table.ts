// Answers in other forms than the object itself: the table that kubectl prints, and the metadata alone.

import type { Instant } from '../../base/clock.ts';
import type { RawObject } from '../../objects/raw.ts';
import type { ResourceDefinition } from '../registry/definition.ts';

export type TableOptions = {
  readonly definition: ResourceDefinition;
  readonly now: Instant;
  /** How much of each object goes with its row. */
  readonly include: 'None' | 'Metadata' | 'Object';
};

export type ListMetadata = Readonly<Record<string, unknown>>;

/** `objects` are as stored: columns read the stored form. */
export function tableOf(
  objects: readonly RawObject[],
  metadata: ListMetadata,
  options: TableOptions,
): RawObject {
  return { ...tableHead(metadata, options), rows: objects.map((object) => rowOf(object, options)) };
}

/** A table without its rows. */
export function tableHead(
  metadata: ListMetadata,
  { definition }: Pick<TableOptions, 'definition'>,
): RawObject {
  return {
    kind: 'Table',
    apiVersion: 'meta.k8s.io/v1',
    metadata,
    columnDefinitions: definition.columns.map(({ name, type, format, description, priority }) => ({
      name,
      type,
      format,
      description,
      priority,
    })),
  };
}

export function rowOf(object: RawObject, options: TableOptions): Readonly<Record<string, unknown>> {
  const { definition, now } = options;
  return {
    cells: definition.columns.map((column) => column.cell(object, now)),
    ...included(object, options),
  };
}

export function includeOf(query: URLSearchParams): TableOptions['include'] {
  const given = query.get('includeObject');
  return given === 'None' || given === 'Object' ? given : 'Metadata';
}

export function partialOf(object: RawObject): RawObject {
  return { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: object.metadata ?? {} };
}

function included(
  object: RawObject,
  { definition, include }: TableOptions,
): { readonly object: RawObject | null } {
  if (include === 'None') return { object: null };
  return { object: include === 'Object' ? definition.encode(object) : partialOf(object) };
}
