// Builds the CustomResourceDefinition of a kind. Only the generator and tests use it: at run time the definition is a
// file, and the API server is the one that validates.

import type { Problem } from '../base/result.ts';
import { isRecord } from '../objects/raw.ts';
import {
  apiVersionOf,
  customResourceDefinitionType,
  type ResourceType,
  resourceName,
} from '../objects/ref.ts';
import type { CelRule } from './schema.ts';
import { schemaKeywords, structuralProblems } from './structural-schema.ts';

/** A kind of ours, whole: the manifest, the reference page and the types come from this. */
export type KindDefinition = {
  readonly type: ResourceType;
  /** Served beside the stored one with the very same schema, so that a write through an old version loses nothing. */
  readonly olderVersions?: readonly OlderVersion[];
  readonly shortNames: readonly string[];
  readonly description: string;
  readonly spec: object;
  readonly status: object;
  /** Over the whole object, of whose metadata CEL sees only the name. */
  readonly rules: readonly CelRule[];
  readonly columns: readonly Column[];
  /** Fields by which a list or watch can be narrowed. */
  readonly selectableFields: readonly string[];
};

export type OlderVersion = { readonly name: string; readonly deprecationWarning: string };

export type Column = {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'boolean' | 'date';
  readonly description: string;
  readonly jsonPath: string;
  /** 1: only with `-o wide`. */
  readonly priority?: 1;
};

export function crdManifest(kind: KindDefinition): Readonly<Record<string, unknown>> {
  const { type, shortNames, olderVersions = [] } = kind;
  return {
    apiVersion: apiVersionOf(customResourceDefinitionType),
    kind: customResourceDefinitionType.kind,
    metadata: { name: resourceName(type) },
    spec: {
      group: type.group,
      names: {
        kind: type.kind,
        listKind: `${type.kind}List`,
        plural: type.plural,
        singular: type.kind.toLowerCase(),
        shortNames,
        categories: ['muster'],
      },
      scope: type.scope,
      versions: [
        { name: type.version, served: true, storage: true, ...contentOf(kind) },
        ...olderVersions.map(({ name, deprecationWarning }) => ({
          name,
          served: true,
          storage: false,
          deprecated: true,
          deprecationWarning,
          ...contentOf(kind),
        })),
      ],
    },
  };
}

/** What is wrong with the schemas of a kind; empty when an API server can be expected to take it. */
export function kindProblems({ spec, status }: KindDefinition): readonly Problem[] {
  return [...structuralProblems(spec, 'spec'), ...structuralProblems(status, 'status')];
}

function contentOf(kind: KindDefinition): object {
  return {
    additionalPrinterColumns: kind.columns,
    selectableFields: kind.selectableFields.map((jsonPath) => ({ jsonPath })),
    subresources: { status: {} },
    schema: {
      openAPIV3Schema: {
        description: kind.description,
        type: 'object',
        required: ['spec'],
        properties: {
          apiVersion: { type: 'string' },
          kind: { type: 'string' },
          metadata: { type: 'object' },
          spec: inOrder(kind.spec),
          status: inOrder(kind.status),
        },
        'x-kubernetes-validations': kind.rules,
      },
    },
  };
}

/** The schema as plain data with its keywords in one fixed order: equal schemas, equal files. */
function inOrder(schema: unknown): unknown {
  if (!isRecord(schema)) return schema;
  return Object.fromEntries(
    schemaKeywords
      .filter((keyword) => schema[keyword] !== undefined)
      .map((keyword) => [keyword, orderedValue(keyword, schema[keyword])]),
  );
}

function orderedValue(keyword: string, value: unknown): unknown {
  if (keyword === 'items' || keyword === 'additionalProperties') return inOrder(value);
  if (keyword !== 'properties' || !isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, inOrder(inner)]));
}
