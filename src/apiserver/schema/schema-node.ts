// An OpenAPI v3 schema of a CRD, read once into plain data that every later step walks. Reads leniently and judges
// nothing: what a structural schema forbids is found by check-structural and check-openapi.

import { isRecord, textOf } from '../../objects/raw.ts';

export type Rule = {
  readonly rule: string;
  readonly message: string;
  readonly messageExpression: string;
  readonly fieldPath: string;
  readonly reason: string | null;
  readonly optionalOldSelf: boolean | null;
};

/** What may stand beside the named properties: whatever fits a schema, anything, nothing. */
export type Additional =
  | { readonly kind: 'schema'; readonly schema: SchemaNode }
  | { readonly kind: 'any' }
  | { readonly kind: 'none' };

export type SchemaNode = {
  /** Empty when the schema gives none. */
  readonly type: string;
  readonly format: string;
  readonly isNullable: boolean;
  /** Undefined when there is none; null counts as none. */
  readonly default: unknown;
  readonly enum: readonly unknown[];
  readonly pattern: string;
  readonly minimum: number | null;
  readonly maximum: number | null;
  readonly isMinimumExclusive: boolean;
  readonly isMaximumExclusive: boolean;
  readonly multipleOf: number | null;
  readonly minLength: number | null;
  readonly maxLength: number | null;
  readonly minItems: number | null;
  readonly maxItems: number | null;
  readonly minProperties: number | null;
  readonly maxProperties: number | null;
  readonly required: readonly string[];
  readonly allOf: readonly SchemaNode[];
  readonly anyOf: readonly SchemaNode[];
  readonly oneOf: readonly SchemaNode[];
  readonly not: SchemaNode | null;
  readonly properties: ReadonlyMap<string, SchemaNode>;
  /** Null when the schema does not say. */
  readonly additional: Additional | null;
  readonly items: SchemaNode | null;
  readonly isIntOrString: boolean;
  readonly keepsUnknown: boolean;
  readonly isEmbedded: boolean;
  readonly listType: string | null;
  readonly listKeys: readonly string[];
  readonly mapType: string | null;
  readonly rules: readonly Rule[];
  /** As it was given, for checks of keywords that nothing else needs. */
  readonly raw: Readonly<Record<string, unknown>>;
};

export function readSchema(source: unknown): SchemaNode {
  const raw = isRecord(source) ? source : {};
  return {
    type: textOf(raw['type']),
    format: textOf(raw['format']),
    isNullable: raw['nullable'] === true,
    default: raw['default'] ?? undefined,
    enum: listOf(raw['enum']),
    pattern: textOf(raw['pattern']),
    ...readBounds(raw),
    required: listOf(raw['required']).map(String),
    allOf: listOf(raw['allOf']).map(readSchema),
    anyOf: listOf(raw['anyOf']).map(readSchema),
    oneOf: listOf(raw['oneOf']).map(readSchema),
    not: isRecord(raw['not']) ? readSchema(raw['not']) : null,
    properties: readProperties(raw['properties']),
    additional: readAdditional(raw['additionalProperties']),
    items: isRecord(raw['items']) ? readSchema(raw['items']) : null,
    ...readExtensions(raw),
    raw,
  };
}

function readBounds(raw: Readonly<Record<string, unknown>>) {
  return {
    minimum: numberOf(raw['minimum']),
    maximum: numberOf(raw['maximum']),
    isMinimumExclusive: raw['exclusiveMinimum'] === true,
    isMaximumExclusive: raw['exclusiveMaximum'] === true,
    multipleOf: numberOf(raw['multipleOf']),
    minLength: numberOf(raw['minLength']),
    maxLength: numberOf(raw['maxLength']),
    minItems: numberOf(raw['minItems']),
    maxItems: numberOf(raw['maxItems']),
    minProperties: numberOf(raw['minProperties']),
    maxProperties: numberOf(raw['maxProperties']),
  };
}

function readExtensions(raw: Readonly<Record<string, unknown>>) {
  return {
    isIntOrString: raw['x-kubernetes-int-or-string'] === true,
    keepsUnknown: raw['x-kubernetes-preserve-unknown-fields'] === true,
    isEmbedded: raw['x-kubernetes-embedded-resource'] === true,
    listType: nameOf(raw['x-kubernetes-list-type']),
    listKeys: listOf(raw['x-kubernetes-list-map-keys']).map(String),
    mapType: nameOf(raw['x-kubernetes-map-type']),
    rules: listOf(raw['x-kubernetes-validations']).map(readRule),
  };
}

function readProperties(source: unknown): ReadonlyMap<string, SchemaNode> {
  if (!isRecord(source)) return new Map();
  return new Map(Object.entries(source).map(([name, inner]) => [name, readSchema(inner)]));
}

function readAdditional(source: unknown): Additional | null {
  if (isRecord(source)) return { kind: 'schema', schema: readSchema(source) };
  if (typeof source === 'boolean') return { kind: source ? 'any' : 'none' };
  return null;
}

function readRule(source: unknown): Rule {
  const raw = isRecord(source) ? source : {};
  const { reason, optionalOldSelf } = raw;
  return {
    rule: textOf(raw['rule']),
    message: textOf(raw['message']),
    messageExpression: textOf(raw['messageExpression']),
    fieldPath: textOf(raw['fieldPath']),
    reason: nameOf(reason),
    optionalOldSelf: typeof optionalOldSelf === 'boolean' ? optionalOldSelf : null,
  };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

function nameOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
