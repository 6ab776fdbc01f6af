import { describe, expect, it } from 'vitest';
import { compileSchema, type SchemaOptions } from './compile-schema.ts';

type Schema = Readonly<Record<string, unknown>>;

const sample = (spec: unknown) => ({ apiVersion: 'a.io/v1', kind: 'A', metadata: { name: 'a' }, spec });
const fields = {
  a: { type: 'integer' },
  s: { type: 'string' },
  l: { type: 'array', items: { type: 'string' } },
  'x-y.z': { type: 'string' },
};

function check(
  rule: Schema,
  spec: Schema,
  { old, ...options }: SchemaOptions & { readonly old?: Schema } = {},
) {
  const schema = { type: 'object', properties: fields, 'x-kubernetes-validations': [rule] };
  const compiled = compileSchema({ type: 'object', properties: { spec: schema } }, options);
  const errors = compiled.validate(sample(spec), old === undefined ? undefined : sample(old));
  return errors.map(({ path, reason, message }) => `${path}: ${reason}: ${message}`);
}

describe('a rule', () => {
  it.each<[string, Schema, readonly string[]]>([
    ['that holds says nothing', { rule: 'self.a > 0' }, []],
    [
      'without words shows itself',
      { rule: 'self.a > 9' },
      ['spec: FieldValueInvalid: Invalid value: failed rule: self.a > 9'],
    ],
    [
      'with a message shows that',
      { rule: 'self.a > 9', message: ' too small ' },
      ['spec: FieldValueInvalid: Invalid value: too small'],
    ],
    [
      'with an expression shows its value',
      { rule: 'self.a > 9', messageExpression: "'a is %d'.format([self.a])" },
      ['spec: FieldValueInvalid: Invalid value: a is 1'],
    ],
    [
      'falls back to its message when the expression fails',
      { rule: 'self.a > 9', message: 'm', messageExpression: 'self.l[5]' },
      ['spec: FieldValueInvalid: Invalid value: m'],
    ],
    [
      'names the field that it means',
      { rule: 'self.a > 9', message: 'm', fieldPath: '.a', reason: 'FieldValueForbidden' },
      ['spec.a: FieldValueForbidden: Forbidden: m'],
    ],
    [
      'that fails while it runs is an error',
      { rule: 'self.a / 0 > 1' },
      ['spec: FieldValueInvalid: Invalid value: "object": division by zero evaluating rule: self.a / 0 > 1'],
    ],
    [
      'about a field that is not there is an error',
      { rule: "self.s == 'x'", message: 'm' },
      ['spec: FieldValueInvalid: Invalid value: "object": no such key: s evaluating rule: m'],
    ],
    ['reads names that CEL cannot', { rule: "self.x__dash__y__dot__z == 'v'" }, []],
    ['gets over an error that does not matter', { rule: 'self.a / 0 > 1 || self.a == 1' }, []],
  ])('%s', (_, rule, expected) => {
    expect(check(rule, { a: 1, l: [], 'x-y.z': 'v' })).toEqual(expected);
  });

  it('is not run when the object is wrong in a way that could confuse it', () => {
    const errors = check({ rule: 'false' }, { a: 'no number' });
    expect(errors).toHaveLength(2);
    expect(errors[1]).toContain('some validation rules were not checked because the object was invalid');
  });

  it('that costs too much is stopped, and the object refused', () => {
    const spec = { a: 1, l: Array.from({ length: 100 }, () => 'x') };
    const errors = check({ rule: 'self.l.all(x, self.l.all(y, x == y))' }, spec, { ruleCostMax: 500 });
    expect(errors).toEqual([expect.stringContaining('actual cost limit exceeded')]);
  });

  it('is not run any more once the object has cost too much', () => {
    const spec = { a: 1, l: Array.from({ length: 100 }, () => 'x') };
    const errors = check({ rule: "self.l.all(x, x == 'x')" }, spec, { objectCostMax: 50 });
    expect(errors).toEqual([expect.stringContaining('running out of cost budget')]);
  });

  it('that does not compile refuses every object', () => {
    expect(check({ rule: 'self.missing' }, { a: 1 })).toEqual([
      expect.stringContaining("undefined field 'missing'"),
    ]);
  });
});

describe('a rule about change', () => {
  const grows = { rule: 'self.a >= oldSelf.a' };

  it.each<[string, Schema, { readonly spec: Schema; readonly old?: Schema }, number]>([
    ['does not run on creation', grows, { spec: { a: 1 } }, 0],
    ['compares with what was', grows, { spec: { a: 1 }, old: { a: 2 } }, 1],
    [
      'with an optional oldSelf runs on creation too',
      { rule: 'oldSelf.hasValue() || self.a > 5', optionalOldSelf: true },
      { spec: { a: 1 } },
      1,
    ],
    [
      'with an optional oldSelf has its value on update',
      { rule: 'oldSelf.hasValue() && oldSelf.value().a == 3', optionalOldSelf: true },
      { spec: { a: 1 }, old: { a: 3 } },
      0,
    ],
    [
      'is not let through because nothing changed',
      { rule: 'oldSelf.a > 5' },
      { spec: { a: 1 }, old: { a: 1 } },
      1,
    ],
  ])('%s', (_, rule, { spec, old }, count) => {
    expect(check(rule, spec, old === undefined ? {} : { old })).toHaveLength(count);
  });

  it('lets through what failed before and did not change', () => {
    expect(check({ rule: 'self.a > 5' }, { a: 1 }, { old: { a: 1 } })).toEqual([]);
    expect(check({ rule: 'self.a > 5' }, { a: 2 }, { old: { a: 1 } })).toHaveLength(1);
  });

  it('pairs the items of a list map by their keys', () => {
    const items = {
      type: 'object',
      properties: { k: { type: 'string' }, v: { type: 'integer' } },
      'x-kubernetes-validations': [{ rule: 'self.v >= oldSelf.v' }],
    };
    const list = {
      type: 'array',
      items,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['k'],
    };
    const compiled = compileSchema({
      type: 'object',
      properties: { spec: { type: 'object', properties: { list } } },
    });
    const of = (...values: readonly [string, number][]) =>
      sample({ list: values.map(([k, v]) => ({ k, v })) });
    expect(compiled.validate(of(['b', 1], ['a', 1], ['c', 0]), of(['a', 2], ['b', 1]))).toMatchObject([
      { path: 'spec.list[1]' },
    ]);
  });
});
