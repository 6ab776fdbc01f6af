// Bounds, factors and the range of a number. Whole numbers are compared as whole numbers: a bound is cut to one first,
// as the API server does.

import { addGeneral, addInvalid, type Findings } from './findings.ts';
import { goNumber } from './go-text.ts';
import type { Place } from './place.ts';
import type { SchemaNode } from './schema-node.ts';
import { effectiveFormat, isWhole, typesOf } from './type-check.ts';

type NumberCheck = (value: number, at: Place, findings: Findings) => void;

const float32Max = 3.4028234663852886e38;

export function compileNumberCheck(schema: SchemaNode): NumberCheck {
  const fitsRange = rangeOf(schema);
  const checks = [multipleCheck(schema), minimumCheck(schema), maximumCheck(schema)].filter(
    (check) => check !== null,
  );
  return (value, at, findings) => {
    const words = fitsRange(value);
    if (words !== null) addGeneral(findings, at, `Checked value ${words} in ${at.text}`);
    for (const check of checks) check(value, at, findings);
    findings.matches += 2;
  };
}

function rangeOf(schema: SchemaNode): (value: number) => string | null {
  const types = typesOf(schema);
  const type = types.length === 1 ? types[0] : '';
  const format = effectiveFormat(schema);
  const named = format === '' ? '(default format)' : `with format ${format}`;
  if (type === 'integer') {
    const isInRange = (value: number) =>
      isWhole(value) && (format !== 'int32' || (value >= -(2 ** 31) && value < 2 ** 31));
    return (value) => (isInRange(value) ? null : `must be of type integer ${named}`);
  }
  if (type === 'number' && format === 'float')
    return (value) => (Math.abs(value) <= float32Max ? null : `must be of type number ${named}`);
  return () => null;
}

function minimumCheck(schema: SchemaNode): NumberCheck | null {
  const { minimum, isMinimumExclusive } = schema;
  if (minimum === null) return null;
  return boundCheck(schema, {
    bound: minimum,
    name: 'Minimum boundary',
    words: isMinimumExclusive ? 'greater than' : 'greater than or equal to',
    isWithin: (value, bound) => (isMinimumExclusive ? value > bound : value >= bound),
  });
}

function maximumCheck(schema: SchemaNode): NumberCheck | null {
  const { maximum, isMaximumExclusive } = schema;
  if (maximum === null) return null;
  return boundCheck(schema, {
    bound: maximum,
    name: 'Maximum boundary',
    words: isMaximumExclusive ? 'less than' : 'less than or equal to',
    isWithin: (value, bound) => (isMaximumExclusive ? value < bound : value <= bound),
  });
}

type Bound = {
  readonly bound: number;
  readonly name: string;
  readonly words: string;
  readonly isWithin: (value: number, bound: number) => boolean;
};

function boundCheck(schema: SchemaNode, { bound, name, words, isWithin }: Bound): NumberCheck {
  const outOfRange = rangeOf(schema)(bound);
  return (value, at, findings) => {
    if (outOfRange !== null) addGeneral(findings, at, `${name} value ${outOfRange} in ${at.text}`);
    const limit = outOfRange === null && isWhole(value) ? Math.trunc(bound) : bound;
    if (!isWithin(value, limit))
      addInvalid(findings, { at, value, words: `should be ${words} ${goNumber(limit)}` });
  };
}

function multipleCheck(schema: SchemaNode): NumberCheck | null {
  const { multipleOf } = schema;
  if (multipleOf === null) return null;
  const outOfRange = rangeOf(schema)(multipleOf);
  return (value, at, findings) => {
    if (outOfRange !== null) addGeneral(findings, at, `MultipleOf value ${outOfRange} in ${at.text}`);
    const factor = outOfRange === null && isWhole(value) ? Math.trunc(multipleOf) : multipleOf;
    if (factor <= 0) {
      const words = `factor MultipleOf declared for ${at.text} must be positive: ${goNumber(factor)}`;
      addGeneral(findings, at, words);
    } else if (!isMultiple(value, factor))
      addInvalid(findings, { at, value, words: `should be a multiple of ${goNumber(factor)}` });
  };
}

// Within the tolerance that the API server allows for fractions.
function isMultiple(value: number, factor: number): boolean {
  if (isWhole(value) && Number.isInteger(factor)) return value % factor === 0;
  const quotient = factor < 1 ? (1 / factor) * value : value / factor;
  const difference = Math.abs(quotient - Math.round(quotient));
  return difference === 0 || difference < 1e-9 * Math.max(Math.abs(quotient), 1);
}
