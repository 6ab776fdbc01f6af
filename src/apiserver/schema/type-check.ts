// Whether a value has one of the types that its schema allows, told in the API server's words, which name the format
// instead of the type where there is one.

import { addTypeInvalid, type Findings } from './findings.ts';
import type { Place } from './place.ts';
import type { SchemaNode } from './schema-node.ts';
import { stringFormat } from './string-formats.ts';

type Kind = { readonly type: string; readonly format: string };

const int64Bound = 2 ** 63;

export function compileTypeCheck(schema: SchemaNode) {
  const types = typesOf(schema);
  const format = effectiveFormat(schema);
  const applies = types.length > 0 || format !== '';
  return (value: unknown, at: Place, findings: Findings): void => {
    if (!applies && value !== null) return;
    const wrong = wrongType(value, { types, format, isNullable: schema.isNullable });
    if (wrong === null) findings.matches += value === null ? 1 : 2;
    else {
      if (value !== null) findings.matches += 1;
      const words = `must be of type ${wrong.expected}: ${JSON.stringify(wrong.actual)}`;
      addTypeInvalid(findings, { at, value: wrong.actual, words });
    }
  };
}

export function typesOf({ type, isIntOrString }: SchemaNode): readonly string[] {
  if (isIntOrString) return ['integer', 'string'];
  return type === '' ? [] : [type];
}

/** Empty for a format that means nothing to a value of this type. */
export function effectiveFormat(schema: SchemaNode): string {
  const { format } = schema;
  const types = typesOf(schema);
  switch (types.length === 1 ? types[0] : '') {
    case '':
    case 'string':
      return stringFormat(format) === null ? '' : format;
    case 'integer':
      return format === 'int32' || format === 'int64' ? format : '';
    case 'number':
      return format === 'float' || format === 'double' ? format : '';
    default:
      return '';
  }
}

/** Whole numbers beyond 64 bits are read as fractions, as Go reads them. */
export function isWhole(value: number): boolean {
  return Number.isInteger(value) && value >= -int64Bound && value < int64Bound;
}

type Wanted = { readonly types: readonly string[]; readonly format: string; readonly isNullable: boolean };
type Wrong = { readonly expected: string; readonly actual: string };

function wrongType(value: unknown, { types, format, isNullable }: Wanted): Wrong | null {
  const expected = types.join(',');
  if (value === null) return types.length > 0 && !isNullable ? { expected, actual: 'null' } : null;
  const actual = kindOf(value);
  const fits = types.includes(actual.type) || (actual.type === 'integer' && types.includes('number'));
  const isTextual = actual.type === 'string' || actual.type === 'array';
  if (!isTextual && format !== '' && !fits && actual.format !== format)
    return { expected: format, actual: actual.format };
  const isNumeric = types.includes('number') || types.includes('integer');
  if (format !== '' && isTextual && !isNumeric) return null;
  return fits ? null : { expected, actual: actual.type };
}

function kindOf(value: unknown): Kind {
  if (typeof value === 'number')
    return isWhole(value) ? { type: 'integer', format: 'int64' } : { type: 'number', format: 'float64' };
  if (Array.isArray(value)) return { type: 'array', format: '' };
  return { type: typeof value, format: '' };
}
