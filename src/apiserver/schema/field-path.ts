// The paths by which a rule, or a selectable field, names a field of its schema: `.spec.replicas`, `.labels['a.b']`.

import { err, ok, type Result } from '../../base/result.ts';
import type { SchemaNode } from './schema-node.ts';

export type FieldPath = { readonly text: string; readonly root: string; readonly schema: SchemaNode };

export type FieldPathOptions = { readonly brackets: 'allowed' | 'forbidden' };

export function parseFieldPath(
  path: string,
  schema: SchemaNode,
  { brackets }: FieldPathOptions,
): Result<FieldPath, string> {
  let rest = path;
  let at: FieldPath = { text: '', root: '', schema };
  while (rest !== '') {
    const step = /^(?:\.([^.[\]]+)|\['((?:[^'\\]|\\.)*)'\])/.exec(rest);
    if (step === null) return err(problemAt(rest));
    if (step[2] !== undefined && brackets === 'forbidden') return err('array notation is not allowed');
    const next = descend(at, step[1] ?? unescaped(step[2] ?? ''));
    if (next === null) return err('does not refer to a valid field');
    at = next;
    rest = rest.slice(step[0].length);
  }
  return ok(at);
}

function descend({ text, root, schema }: FieldPath, name: string): FieldPath | null {
  const known = schema.properties.get(name);
  if (known !== undefined)
    return { text: text === '' ? name : `${text}.${name}`, root: root || name, schema: known };
  if (schema.properties.size > 0 || schema.additional?.kind !== 'schema') return null;
  return { text: `${text}[${name}]`, root: root || name, schema: schema.additional.schema };
}

function problemAt(rest: string): string {
  if (rest === '.' || rest === '[') return 'unexpected end of JSON path';
  if (rest.startsWith('['))
    return `expected single quoted string but got ${rest.slice(1).split(/[.[\]]/)[0]}`;
  return `expected [ or . but got: ${rest.split(/[.[\]]/)[0]}`;
}

function unescaped(text: string): string {
  const letters: Readonly<Record<string, string>> = {
    a: '\x07',
    b: '\b',
    f: '\f',
    n: '\n',
    r: '\r',
    t: '\t',
    v: '\v',
  };
  return text.replace(/\\(.)/g, (_, letter: string) => letters[letter] ?? letter);
}
