// Custom resources: one definition of a resource per served version, made from a CustomResourceDefinition. Conversion is
// None: versions differ in their name, schema and columns alone, and share one bucket.

import { err, ok, type Result } from '../../base/result.ts';
import { isRecord, type RawObject, recordsIn, textOf } from '../../objects/raw.ts';
import type { ResourceType } from '../../objects/ref.ts';
import { invalid } from '../field-error.ts';
import type { CompiledSchema, SchemaCompiler } from '../schema-port.ts';
import { ageColumn, type Column, formatAge, nameColumn } from './column.ts';
import { decodeStruct, WrongValue } from './decode.ts';
import {
  clusterLabels,
  type Decoded,
  namespacedLabels,
  partOf,
  plainDeletion,
  type ResourceDefinition,
} from './definition.ts';
import { valuesAt } from './json-path.ts';
import { metadataFields, silentMetadata } from './metadata-shape.ts';
import { dnsSubdomain } from './names.ts';

type Version = Readonly<Record<string, unknown>>;

export function customResources(crd: RawObject, compiler: SchemaCompiler): readonly ResourceDefinition[] {
  const versions = recordsIn(partOf(crd, 'spec')['versions']);
  const storage = versions.find((version) => version['storage'] === true) ?? {};
  const stored = compiler.compileSchema(schemaOf(storage));
  const served = versions.filter((version) => version['served'] === true);
  return served.map((version) => {
    const schema = version === storage ? stored : compiler.compileSchema(schemaOf(version));
    return customResource({ crd, version, schema, stored, newest: newestOf(served) });
  });
}

type Given = {
  readonly crd: RawObject;
  readonly version: Version;
  readonly schema: CompiledSchema;
  /** The schema of the version in which objects are stored. */
  readonly stored: CompiledSchema;
  readonly newest: string;
};

function customResource({ crd, version, schema, stored, newest }: Given): ResourceDefinition {
  const { group, scope } = partOf(crd, 'spec');
  const { plural, kind, singular, listKind, shortNames, categories } = partOf(crd, 'spec', 'names');
  const type: ResourceType = {
    group: textOf(group),
    version: textOf(version['name']),
    plural: textOf(plural),
    kind: textOf(kind),
    scope: scope === 'Cluster' ? 'Cluster' : 'Namespaced',
  };
  const { status, scale } = partOf(version, 'subresources');
  const hasStatus = isRecord(status);
  return {
    type,
    bucket: `${type.plural}.${type.group}`,
    storedGroup: type.group,
    singular: textOf(singular),
    listKind: textOf(listKind),
    shortNames: textsIn(shortNames),
    categories: textsIn(categories),
    subresources: hasStatus ? ['status'] : [],
    unservedParts: isRecord(scale) ? ['scale'] : [],
    fields: null,
    nameRule: dnsSubdomain,
    allowsPlainFinalizers: true,
    countsGeneration: true,
    allowsUnguardedUpdate: false,
    createsOnUpdate: false,
    isDeletedSingly: false,
    answersWithDeleted: false,
    statusKeepsMetadata: true,
    fieldLabels: labelsOf(type, version),
    columns: columnsOf(version),
    warning: warningOf(type, version, newest),
    decode: (body, old) => decodeCustom(schema, body, old),
    toStored: (object) => object,
    encode: readerOf(`${type.group}/${type.version}`, stored),
    prepareCreate: (object) => (hasStatus ? without(object, 'status') : object),
    prepareUpdate: (object) => object,
    prepareStatus: (object) => object,
    // What is of another kind is not looked at any further.
    validate: (object, old) =>
      object.kind === type.kind
        ? schema.validate(object, ...(old === null ? [] : [old]))
        : [invalid('kind', object.kind, `must be ${type.kind}`)],
    validateStatus: (object, old) => schema.validateStatus(object, old),
    ...plainDeletion,
  };
}

/** Metadata is read as for every other kind; the rest is pruned and completed by the schema. */
function decodeCustom(schema: CompiledSchema, body: RawObject, old?: RawObject): Result<Decoded, string> {
  try {
    const { value: metadata, unknownPaths } = decodeStruct(metadataFields, body.metadata, old?.metadata);
    const pruned = schema.prune({ ...body, metadata });
    const completed = schema.applyDefaults(pruned.value);
    const strange = unknownPaths
      .filter((path) => !silentMetadata.includes(path))
      .map((path) => `metadata.${path}`);
    const object: RawObject = { ...(isRecord(completed) ? completed : {}), metadata };
    return ok({ object, unknownPaths: [...strange, ...pruned.unknownPaths] });
  } catch (error) {
    if (error instanceof WrongValue) return err(error.message);
    throw error;
  }
}

/** What was stored under an earlier schema is pruned and completed when it is read. Each object is done once. */
function readerOf(apiVersion: string, stored: CompiledSchema): (object: RawObject) => RawObject {
  const known = new WeakMap<RawObject, RawObject>();
  return (object) => {
    const found = known.get(object);
    if (found !== undefined) return found;
    const completed = stored.applyDefaults(stored.prune(object).value);
    const read = {
      ...(isRecord(completed) ? completed : object),
      metadata: object.metadata ?? {},
      apiVersion,
    };
    known.set(object, read);
    return read;
  };
}

function labelsOf(type: ResourceType, version: Version): ResourceDefinition['fieldLabels'] {
  const selectable = recordsIn(version['selectableFields']).map(({ jsonPath }) => {
    const path = textOf(jsonPath);
    const read = (object: RawObject) => scalarText(valuesAt(object, path)[0]);
    return [path.replace(/^\./, ''), read] as const;
  });
  const shared = type.scope === 'Cluster' ? clusterLabels : namespacedLabels;
  return { ...shared, ...Object.fromEntries(selectable) };
}

/** Only text, numbers and truth can be selected by. */
function scalarText(value: unknown): string {
  const isScalar = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
  return isScalar ? String(value) : '';
}

function columnsOf(version: Version): readonly Column[] {
  const given = recordsIn(version['additionalPrinterColumns']);
  if (given.length === 0) return [nameColumn, ageColumn];
  return [nameColumn, ...given.map(columnOf)];
}

const types = ['string', 'integer', 'number', 'boolean', 'date'] as const;

function columnOf(given: Version): Column {
  const path = textOf(given['jsonPath']);
  const type = types.find((each) => each === given['type']) ?? 'string';
  return {
    name: textOf(given['name']),
    type,
    format: textOf(given['format']),
    description:
      textOf(given['description']) || `Custom resource definition column (in JSONPath format): ${path}`,
    priority: typeof given['priority'] === 'number' ? given['priority'] : 0,
    cell(object, now) {
      const [value] = valuesAt(object, path);
      if (value === undefined || value === null) return null;
      if (type === 'date') return formatAge(value, now);
      return type === 'string' && typeof value !== 'string' ? JSON.stringify(value) : value;
    },
  };
}

function warningOf(type: ResourceType, version: Version, newest: string): string | null {
  if (version['deprecated'] !== true) return null;
  const given = textOf(version['deprecationWarning']);
  if (given !== '') return given;
  const plain = `${type.group}/${type.version} ${type.kind} is deprecated`;
  const isLast = newest === '' || newest === type.version;
  return isLast ? plain : `${plain}; use ${type.group}/${newest} ${type.kind}`;
}

/** The version that a user of a deprecated one is sent to. */
function newestOf(served: readonly Version[]): string {
  const names = served.filter(({ deprecated }) => deprecated !== true).map(({ name }) => textOf(name));
  return names.sort(byMaturity)[0] ?? '';
}

/** v2 before v1 before v1beta1 before v1alpha1: the order in which Kubernetes prefers versions. */
export function byMaturity(a: string, b: string): number {
  const [x, y] = [a, b].map(rankOf);
  return (
    (y?.[0] ?? 0) - (x?.[0] ?? 0) ||
    (y?.[1] ?? 0) - (x?.[1] ?? 0) ||
    (y?.[2] ?? 0) - (x?.[2] ?? 0) ||
    (a < b ? -1 : 1)
  );
}

function rankOf(version: string): readonly number[] {
  const [, major, level, minor] = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version) ?? [];
  if (major === undefined) return [0, 0, 0];
  return [level === undefined ? 3 : level === 'beta' ? 2 : 1, Number(major), Number(minor ?? 0)];
}

function schemaOf(version: Version): unknown {
  return partOf(version, 'schema')['openAPIV3Schema'] ?? {};
}

function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

function without(object: RawObject, field: string): RawObject {
  return Object.fromEntries(Object.entries(object).filter(([key]) => key !== field));
}
