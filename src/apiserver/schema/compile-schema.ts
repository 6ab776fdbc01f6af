// The schema of one version of a custom resource, compiled once: what the API server does with every object of it on
// its way in. Pure; whoever serves requests decides when each step is due.

import { isRecord } from '../../objects/raw.ts';
import { Correlation } from './correlation.ts';
import { applyDefaults } from './defaults.ts';
import { checkEmbedded } from './metadata.ts';
import { type FieldError, invalid, rootPath } from './field-error.ts';
import { Findings } from './findings.ts';
import { compileListTypes } from './list-types.ts';
import { Place } from './place.ts';
import { prune, type Pruned } from './prune.ts';
import { compileRuleCheck, type RuleLimits, RuleRun } from './rules.ts';
import { readSchema, type SchemaNode } from './schema-node.ts';
import { compileValueCheck, type ValueCheck } from './value-check.ts';

export type CompiledSchema = {
  prune(value: unknown): Pruned;
  /** Nulls that the schema does not allow count as absent. */
  applyDefaults(value: unknown): unknown;
  /** With `old`, what is wrong but unchanged is let through and rules can compare. */
  validate(value: unknown, old?: unknown): readonly FieldError[];
  /** A write to the status subresource: of the fields only those of status are looked at, of the rules all. */
  validateStatus(value: unknown, old: unknown): readonly FieldError[];
};

export type SchemaOptions = Partial<RuleLimits>;

// What the API server allows, in units that are like ours but not the same.
const apiServerLimits: RuleLimits = { ruleCostMax: 1_000_000, objectCostMax: 10_000_000 };

export function compileSchema(openAPIV3Schema: unknown, options: SchemaOptions = {}): CompiledSchema {
  const schema = readSchema(openAPIV3Schema);
  const status = schema.properties.get('status') ?? null;
  const checkValue = compileValueCheck(schema);
  const checkStatus = status && compileValueCheck(status);
  const checkWhole = compileWholeCheck(schema, { ...apiServerLimits, ...options });
  const embeds = hasEmbedded(schema);
  return {
    prune: (value) => prune(value, schema),
    applyDefaults: (value) => applyDefaults(value, schema),
    validate: (value, old) => {
      const before = old === undefined ? null : new Correlation({ value, old, schema });
      const fields = found(checkValue, value, Place.root(before));
      const embedded = embeds ? embeddedErrors(value, schema, Place.root(null)) : [];
      return checkWhole({ value, old }, [...fields, ...embedded]);
    },
    validateStatus: (value, old) => {
      const [own, former] = [value, old].map((side) => (isRecord(side) ? side['status'] : undefined));
      if (checkStatus === null || status === null || own === undefined) return checkWhole({ value, old }, []);
      const before =
        former === undefined ? null : new Correlation({ value: own, old: former, schema: status });
      return checkWhole({ value, old }, found(checkStatus, own, Place.root(before, 'status')));
    },
  };
}

// An error of one field may be let through when the whole is unchanged; the whole of an object never is.
function found(check: ValueCheck, value: unknown, at: Place): readonly FieldError[] {
  const findings = new Findings();
  check(value, at, findings);
  return findings.count > 0 && at.before?.isUnchanged === true ? [] : findings.errors;
}

type Whole = { readonly value: unknown; readonly old: unknown };

const blocking: ReadonlySet<string> = new Set([
  'FieldValueNotSupported',
  'FieldValueRequired',
  'FieldValueTooLong',
  'FieldValueTooMany',
  'FieldValueTypeInvalid',
]);

/** List types and rules, which need the whole object; rules only if nothing was found that could confuse them. */
function compileWholeCheck(schema: SchemaNode, limits: RuleLimits) {
  const checkLists = compileListTypes(schema);
  const checkRules = compileRuleCheck(schema, 'resource');
  return ({ value, old }: Whole, errors: readonly FieldError[]): readonly FieldError[] => {
    const repeated = checkLists?.(value, Place.root(null)) ?? [];
    // Lists that held something twice before the update may do so after it.
    const isTolerated =
      repeated.length > 0 && old !== undefined && checkLists?.(old, Place.root(null)).length !== 0;
    const all = isTolerated ? errors : [...errors, ...repeated];
    if (checkRules === null) return all;
    if (all.some(({ reason }) => blocking.has(reason))) return [...all, unchecked];
    const run = new RuleRun(limits);
    const before = old === undefined ? null : new Correlation({ value, old, schema });
    checkRules({ value, old, at: Place.root(before) }, run);
    return [...all, ...run.errors];
  };
}

const unchecked = invalid(
  rootPath,
  null,
  'some validation rules were not checked because the object was invalid; correct the existing errors to complete validation',
);

function hasEmbedded(schema: SchemaNode): boolean {
  const { items, additional, properties } = schema;
  return (
    schema.isEmbedded ||
    (items !== null && hasEmbedded(items)) ||
    (additional?.kind === 'schema' && hasEmbedded(additional.schema)) ||
    [...properties.values()].some(hasEmbedded)
  );
}

function embeddedErrors(value: unknown, schema: SchemaNode, at: Place): readonly FieldError[] {
  if (Array.isArray(value) && schema.items !== null) {
    const { items } = schema;
    return value.flatMap((item, index) => embeddedErrors(item, items, at.index(index)));
  }
  if (!isRecord(value)) return [];
  const own = schema.isEmbedded ? checkEmbedded(value, at.path) : [];
  const inner = Object.entries(value).flatMap(([name, field]) => {
    const known = schema.properties.get(name);
    if (known !== undefined) return embeddedErrors(field, known, at.field(name));
    return schema.additional?.kind === 'schema'
      ? embeddedErrors(field, schema.additional.schema, at.key(name))
      : [];
  });
  return [...own, ...inner];
}
