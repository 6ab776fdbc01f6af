import { describe, expect, it } from 'vitest';
import { compileSchema } from './compile-schema.ts';

type Schema = Readonly<Record<string, unknown>>;

const whole = (more: Schema = {}) => ({ type: 'integer', ...more });
const text = (more: Schema = {}) => ({ type: 'string', ...more });
const object = (properties: Schema, more: Schema = {}) => ({ type: 'object', properties, ...more });
const list = (items: Schema, more: Schema = {}) => ({ type: 'array', items, ...more });
const map = (...keys: readonly string[]) => ({
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': keys,
});

function check(schema: Schema, value: unknown): readonly string[] {
  const compiled = compileSchema(object({ spec: object({ x: schema }) }));
  const errors = compiled.validate({
    apiVersion: 'a.io/v1',
    kind: 'A',
    metadata: { name: 'a' },
    spec: { x: value },
  });
  return errors.map(({ path, message }) => `${path}: ${message}`);
}

const general = (words: string) => `<nil>: Invalid value: "": ${words}`;

describe('a value', () => {
  it.each<[string, Schema, unknown, readonly string[]]>([
    ['passes within its bounds', whole({ minimum: 1, maximum: 3 }), 3, []],
    [
      'is too large',
      whole({ maximum: 3 }),
      5,
      ['spec.x: Invalid value: 5: spec.x in body should be less than or equal to 3'],
    ],
    [
      'is at an exclusive bound',
      whole({ minimum: 0, exclusiveMinimum: true }),
      0,
      ['spec.x: Invalid value: 0: spec.x in body should be greater than 0'],
    ],
    [
      'is no multiple',
      whole({ multipleOf: 2 }),
      3,
      ['spec.x: Invalid value: 3: spec.x in body should be a multiple of 2'],
    ],
    [
      'is small and a fraction',
      { type: 'number', minimum: 0.5 },
      1e-7,
      ['spec.x: Invalid value: 1e-07: spec.x in body should be greater than or equal to 0.5'],
    ],
    [
      'does not fit 32 bits',
      whole({ format: 'int32' }),
      3_000_000_000,
      [general('Checked value must be of type integer with format int32 in spec.x')],
    ],
    [
      'has another type',
      whole(),
      'a',
      ['spec.x: Invalid value: "string": spec.x in body must be of type integer: "string"'],
    ],
    [
      'has another type than its format',
      text({ format: 'date-time' }),
      5,
      ['spec.x: Invalid value: "int64": spec.x in body must be of type date-time: "int64"'],
    ],
    [
      'has a bad format',
      text({ format: 'date-time' }),
      'noon',
      ['spec.x: Invalid value: "noon": spec.x in body must be of type date-time: "noon"'],
    ],
    ['has a format that means nothing', text({ format: 'quantity' }), 'noon', []],
    [
      'is null where it may not be',
      text(),
      null,
      ['spec.x: Invalid value: "null": spec.x in body must be of type string: "null"'],
    ],
    ['is null where it may be', text({ nullable: true }), null, []],
    ['is too long', text({ maxLength: 2 }), '🙂🙂🙂', ['spec.x: Too long: may not be more than 2 bytes']],
    ['is long in bytes only', text({ maxLength: 3 }), '🙂🙂🙂', []],
    [
      'is too short',
      text({ minLength: 2 }),
      '🙂',
      ['spec.x: Invalid value: "🙂": spec.x in body should be at least 2 chars long'],
    ],
    [
      'does not match',
      text({ pattern: '^a$' }),
      'b\n',
      [`spec.x: Invalid value: "b\\n": spec.x in body should match '^a$'`],
    ],
    [
      'is none of its enum',
      text({ enum: ['b', 'c'] }),
      'a',
      ['spec.x: Unsupported value: "a": supported values: "b", "c"'],
    ],
    [
      'has too many items',
      list(text(), { maxItems: 1 }),
      ['a', 'b'],
      ['spec.x: Too many: 2: must have at most 1 item'],
    ],
    [
      'has a bad item',
      list(whole({ maximum: 1 })),
      [1, 2],
      ['spec.x[1]: Invalid value: 2: spec.x[1] in body should be less than or equal to 1'],
    ],
    [
      'has too few items',
      list(text(), { minItems: 1 }),
      [],
      ['spec.x: Invalid value: 0: spec.x in body should have at least 1 items'],
    ],
    ['lacks a field', object({ a: text() }, { required: ['a'] }), {}, ['spec.x.a: Required value']],
    [
      'has a bad value under a key',
      { type: 'object', additionalProperties: whole() },
      { 'a.b': 'c' },
      ['spec.x.a.b: Invalid value: "string": spec.x.a.b in body must be of type integer: "string"'],
    ],
    [
      'has too many keys',
      { type: 'object', additionalProperties: whole(), maxProperties: 1 },
      { a: 1, b: 2 },
      ['spec.x: Too many: 2: must have at most 1 item'],
    ],
    [
      'has a key that nothing allows',
      { type: 'object', additionalProperties: false },
      { a: 1 },
      ['spec.x: Invalid value: "a": spec.x.a in body is a forbidden property'],
    ],
    [
      'is neither of two types',
      { 'x-kubernetes-int-or-string': true },
      true,
      ['spec.x: Invalid value: "boolean": spec.x in body must be of type integer,string: "boolean"'],
    ],
    [
      'repeats an item of a set',
      list(text(), { 'x-kubernetes-list-type': 'set' }),
      ['a', 'a', 'a'],
      ['spec.x[1]: Duplicate value: "a"'],
    ],
    [
      'repeats the key of a list map',
      list(object({ k: text() }), map('k')),
      [{ k: 'a' }, { k: 'a' }],
      ['spec.x[1]: Duplicate value: {"k":"a"}'],
    ],
    [
      'repeats both keys of a list map',
      list(object({ k: whole(), l: text() }), map('l', 'k')),
      [
        { k: 1, l: '<' },
        { k: 1, l: '<' },
      ],
      ['spec.x[1]: Duplicate value: {"k":1,"l":"\\u003c"}'],
    ],
  ])('%s', (_, schema, value, expected) => {
    expect(check(schema, value)).toEqual(expected);
  });
});

describe('alternatives', () => {
  const fields = { a: whole(), b: text() };

  it.each<[string, Schema, unknown, readonly string[]]>([
    ['fit once', { oneOf: [{ required: ['a'] }, { required: ['b'] }] }, { a: 1 }, []],
    [
      'fit twice',
      { oneOf: [{ required: ['a'] }, { required: ['b'] }] },
      { a: 1, b: 'c' },
      [general('"spec.x" must validate one and only one schema (oneOf). Found 2 valid alternatives')],
    ],
    [
      'never fit, and the nearest is shown',
      { anyOf: [{ required: ['a'] }, { required: ['b'], properties: { b: { minLength: 2 } } }] },
      {},
      [general('"spec.x" must validate at least one schema (anyOf)'), 'spec.x.a: Required value'],
    ],
    [
      'fit in part',
      { allOf: [{ properties: { a: { minimum: 2 } } }, { required: ['a'] }] },
      { a: 1 },
      [
        'spec.x.a: Invalid value: 1: spec.x.a in body should be greater than or equal to 2',
        general('"spec.x" must validate all the schemas (allOf)'),
      ],
    ],
    [
      'fit though they must not',
      { not: { required: ['a'] } },
      { a: 1 },
      [general('"spec.x" must not validate the schema (not)')],
    ],
  ])('%s', (_, more, value, expected) => {
    expect(check(object(fields, more), value)).toEqual(expected);
  });
});
