// Compiles a schema into one function that checks a value against it: types, bounds, enums, formats, required fields
// and allOf, anyOf, oneOf, not. Never rules in CEL and never list types: those look at the whole object afterwards.

import { isRecord } from '../../objects/raw.ts';
import { compileAlternatives } from './alternatives.ts';
import { invalid, notSupported, required, tooMany } from './field-error.ts';
import { addInvalid, type Findings } from './findings.ts';
import { goJson } from './go-text.ts';
import { compileNumberCheck } from './number-check.ts';
import type { Place } from './place.ts';
import type { SchemaNode } from './schema-node.ts';
import { compileStringCheck } from './string-check.ts';
import { compileTypeCheck } from './type-check.ts';

export type ValueCheck = (value: unknown, at: Place, findings: Findings) => void;

export function compileValueCheck(schema: SchemaNode): ValueCheck {
  const checkType = compileTypeCheck(schema);
  const checkAlternatives = compileAlternatives(schema, compileValueCheck);
  const checkString = compileStringCheck(schema);
  const checkNumber = compileNumberCheck(schema);
  const checkItems = compileItemsCheck(schema);
  const checkEnum = compileEnumCheck(schema);
  const checkFields = compileFieldsCheck(schema);
  return (value, at, findings) => {
    checkType(value, at, findings);
    if (value === null) return checkEnum(value, at, findings);
    checkAlternatives(value, at, findings);
    if (typeof value === 'string') checkString(value, at, findings);
    else if (typeof value === 'number') checkNumber(value, at, findings);
    else if (Array.isArray(value)) checkItems(value, at, findings);
    checkEnum(value, at, findings);
    if (isRecord(value)) checkFields(value, at, findings);
    findings.matches += 1;
  };
}

/** A field or item whose errors do not count when it is as it was before the update. */
function ratcheted(check: ValueCheck): ValueCheck {
  return (value, at, findings) => {
    const count = findings.count;
    check(value, at, findings);
    if (findings.count > count && at.before?.isUnchanged === true) findings.forgetAfter(count);
  };
}

function compileItemsCheck({ items, minItems, maxItems }: SchemaNode) {
  const checkItem = items && ratcheted(compileValueCheck(items));
  return (value: readonly unknown[], at: Place, findings: Findings): void => {
    if (checkItem !== null) value.forEach((item, index) => checkItem(item, at.index(index), findings));
    const size = value.length;
    if (minItems !== null && size < minItems)
      addInvalid(findings, { at, value: size, words: `should have at least ${minItems} items` });
    if (maxItems !== null && size > maxItems)
      findings.add(`${at.text} has more than ${maxItems} items`, tooMany(at.path, size, maxItems));
    findings.matches += 2;
  };
}

function compileEnumCheck({ enum: allowed }: SchemaNode): ValueCheck {
  const words = allowed.map((value) => (typeof value === 'string' ? value : goJson(value)));
  const texts = new Set<unknown>(allowed.filter((value) => typeof value === 'string'));
  return (value, at, findings) => {
    findings.matches += 1;
    if (allowed.length === 0 || texts.has(value)) return;
    if (allowed.some((candidate) => isSame(candidate, value))) return;
    findings.add(`${at.text} should be one of ${words.join(' ')}`, notSupported(at.path, value, words));
  };
}

// The API server converts a value to the type of the allowed one before it compares, which cuts fractions; null has
// no type and equals nothing, not even itself.
function isSame(allowed: unknown, value: unknown): boolean {
  if (value === null) return false;
  if (typeof allowed === 'number' && typeof value === 'number')
    return Number.isInteger(allowed) ? Math.trunc(value) === allowed : value === allowed;
  return goJson(allowed) === goJson(value);
}

type Fields = Readonly<Record<string, unknown>>;

function compileFieldsCheck(schema: SchemaNode) {
  const checks = new Map(
    [...schema.properties].map(([name, inner]) => [name, ratcheted(compileValueCheck(inner))]),
  );
  const { additional } = schema;
  const checkOther = additional?.kind === 'schema' ? ratcheted(compileValueCheck(additional.schema)) : null;
  return (value: Fields, at: Place, findings: Findings): void => {
    checkSize(schema, { value, at, findings });
    for (const name of Object.keys(value)) {
      const check = checks.get(name) ?? checkOther;
      if (check !== null) check(value[name], at.field(name), findings);
      else if (additional?.kind === 'none') addForbidden(findings, at, name);
    }
    for (const name of schema.required) {
      if (Object.hasOwn(value, name)) continue;
      const field = at.field(name);
      findings.add(`${field.text} in body is required`, required(field.path));
    }
    findings.matches += 1;
  };
}

type Sized = { readonly value: Fields; readonly at: Place; readonly findings: Findings };

function checkSize({ minProperties, maxProperties }: SchemaNode, { value, at, findings }: Sized): void {
  if (minProperties === null && maxProperties === null) return;
  const size = Object.keys(value).length;
  if (minProperties !== null && size < minProperties)
    addInvalid(findings, { at, value: size, words: `should have at least ${minProperties} properties` });
  if (maxProperties !== null && size > maxProperties)
    findings.add(
      `${at.text} has more than ${maxProperties} properties`,
      tooMany(at.path, size, maxProperties),
    );
}

function addForbidden(findings: Findings, at: Place, name: string): void {
  const words = `${at.text}.${name} in body is a forbidden property`;
  findings.add(words, invalid(at.path, name, words));
}
