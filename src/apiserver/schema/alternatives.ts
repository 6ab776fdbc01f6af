// allOf, anyOf, oneOf and not. What is said about a failure is that of the alternative that came nearest. What was
// unchanged by an update is not let through in here: the API server does not look inside alternatives either.

import { addGeneral, Findings } from './findings.ts';
import { goQuote } from './go-text.ts';
import type { Place } from './place.ts';
import type { SchemaNode } from './schema-node.ts';

type ValueCheck = (value: unknown, at: Place, findings: Findings) => void;
type Compile = (schema: SchemaNode) => ValueCheck;

export function compileAlternatives(schema: SchemaNode, compile: Compile): ValueCheck {
  const anyOf = schema.anyOf.map(compile);
  const oneOf = schema.oneOf.map(compile);
  const allOf = schema.allOf.map(compile);
  const not = schema.not && compile(schema.not);
  const parts: ValueCheck[] = [];
  if (anyOf.length > 0) parts.push(anyOfCheck(anyOf));
  if (oneOf.length > 0) parts.push(oneOfCheck(oneOf));
  if (allOf.length > 0) parts.push(allOfCheck(allOf));
  if (not !== null) parts.push(notCheck(not));
  return (value, at, findings) => {
    if (parts.length > 0) {
      const here = at.withoutBefore();
      for (const part of parts) part(value, here, findings);
    }
    findings.matches += 2;
  };
}

function anyOfCheck(checks: readonly ValueCheck[]): ValueCheck {
  return (value, at, findings) => {
    let best: Findings | null = null;
    for (const check of checks) {
      const found = tried(check, value, at);
      if (found.count === 0) return findings.merge(found);
      if (best === null || found.matches > best.matches) best = found;
    }
    addGeneral(findings, at, `${goQuote(at.text)} must validate at least one schema (anyOf)`);
    if (best !== null) findings.merge(best);
  };
}

function oneOfCheck(checks: readonly ValueCheck[]): ValueCheck {
  return (value, at, findings) => {
    const results = checks.map((check) => tried(check, value, at));
    const valid = results.filter(({ count }) => count === 0);
    const [first] = valid;
    if (valid.length === 1 && first !== undefined) return findings.merge(first);
    const found = valid.length === 0 ? 'Found none valid' : `Found ${valid.length} valid alternatives`;
    addGeneral(findings, at, `${goQuote(at.text)} must validate one and only one schema (oneOf). ${found}`);
    if (valid.length > 0) return;
    const best = results.reduce((nearest, result) => (result.matches > nearest.matches ? result : nearest));
    findings.merge(best);
  };
}

function allOfCheck(checks: readonly ValueCheck[]): ValueCheck {
  return (value, at, findings) => {
    const results = checks.map((check) => tried(check, value, at));
    for (const result of results) findings.merge(result);
    const failed = results.filter(({ count }) => count > 0).length;
    if (failed === 0) return;
    const none = failed === checks.length ? '. None validated' : '';
    addGeneral(findings, at, `${goQuote(at.text)} must validate all the schemas (allOf)${none}`);
  };
}

function notCheck(check: ValueCheck): ValueCheck {
  return (value, at, findings) => {
    if (tried(check, value, at).count === 0)
      addGeneral(findings, at, `${goQuote(at.text)} must not validate the schema (not)`);
  };
}

function tried(check: ValueCheck, value: unknown, at: Place): Findings {
  const findings = new Findings();
  check(value, at, findings);
  return findings;
}
