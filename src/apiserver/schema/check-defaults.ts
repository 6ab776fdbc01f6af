// A default must itself be a value that its schema takes: known fields only, valid, and fine with its rules.

import { deepEqual } from './deep-equal.ts';
import { type FieldError, invalid } from './field-error.ts';
import { Findings } from './findings.ts';
import { Place } from './place.ts';
import { pruneAsValue } from './prune.ts';
import { compileRuleCheck, type RuleLimits, RuleRun } from './rules.ts';
import type { SchemaNode } from './schema-node.ts';
import { compileValueCheck } from './value-check.ts';

export function checkDefaults(schema: SchemaNode, path: string, limits: RuleLimits): readonly FieldError[] {
  const own = schema.default === undefined ? [] : checkDefault(schema, `${path}.default`, limits);
  const items = schema.items === null ? [] : checkDefaults(schema.items, `${path}.items`, limits);
  const fields = [...schema.properties].flatMap(([name, inner]) =>
    checkDefaults(inner, `${path}.properties[${name}]`, limits),
  );
  return [...own, ...items, ...fields];
}

function checkDefault(schema: SchemaNode, path: string, limits: RuleLimits): readonly FieldError[] {
  const value = schema.default;
  const unknown = deepEqual(pruneAsValue(value, schema), value)
    ? []
    : [invalid(path, value, 'must not have unknown fields')];
  const findings = new Findings();
  compileValueCheck(schema)(value, Place.root(null, path), findings);
  if (findings.count > 0) return [...unknown, ...findings.errors];
  return [...unknown, ...checkRules(schema, path, limits)];
}

// Rules must hold when the default stays and, for those that can tell, when it first appears.
function checkRules(schema: SchemaNode, path: string, limits: RuleLimits): readonly FieldError[] {
  const check = compileRuleCheck(schema, schema.isEmbedded ? 'resource' : 'value');
  if (check === null) return [];
  const value = schema.default;
  for (const old of [value, undefined]) {
    const run = new RuleRun(limits);
    check({ value, old, at: Place.root(null, path) }, run);
    if (run.errors.length > 0) return run.errors;
  }
  return [];
}
