import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { compileSchema } from './compile-schema.ts';
import type { FieldError } from './field-error.ts';

type Schema = Readonly<Record<string, unknown>>;

const whole = (more: Schema = {}) => ({ type: 'integer', ...more });
const text = (more: Schema = {}) => ({ type: 'string', ...more });
const object = (properties: Schema, more: Schema = {}) => ({ type: 'object', properties, ...more });
const list = (items: Schema, more: Schema = {}) => ({ type: 'array', items, ...more });
const map = (...keys: readonly string[]) => ({
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': keys,
});

const compiled = (spec: Schema) => compileSchema(object({ spec }));
const sample = (spec: unknown) => ({ apiVersion: 'a.io/v1', kind: 'A', metadata: { name: 'a' }, spec });
const lines = (errors: readonly FieldError[]) => errors.map(({ path, message }) => `${path}: ${message}`);

describe('pruning', () => {
  const pruned = (spec: Schema, value: unknown) => compiled(spec).prune(sample(value));

  it('drops what is unknown and names it in order', () => {
    const schema = object({ a: text(), l: list(object({ b: text() })) });
    const { value, unknownPaths } = pruned(schema, { z: 1, a: 'x', l: [{ b: 'y', c: 2 }] });
    expect(value).toMatchObject({ spec: { a: 'x', l: [{ b: 'y' }] } });
    expect(unknownPaths).toEqual(['spec.l[0].c', 'spec.z']);
  });

  it.each<[string, Schema, unknown, unknown]>([
    [
      'keeps unknown fields where it is told to, and prunes below known ones',
      object({ a: object({}) }, { 'x-kubernetes-preserve-unknown-fields': true }),
      { a: { b: 1 }, c: { d: 1 } },
      { a: {}, c: { d: 1 } },
    ],
    [
      'keeps keys of a map and prunes its values',
      { type: 'object', additionalProperties: object({ a: text() }) },
      { k: { a: 'x', b: 1 } },
      { k: { a: 'x' } },
    ],
    [
      'keeps keys of a map of anything but nothing below',
      { type: 'object', additionalProperties: true },
      { k: { a: 1 }, l: 2 },
      { k: {}, l: 2 },
    ],
  ])('%s', (_, schema, value, expected) => {
    expect(pruned(schema, value).value).toMatchObject({ spec: expected });
    expect((pruned(schema, value).value as { spec: unknown }).spec).toEqual(expected);
  });

  it('keeps the type and metadata of embedded resources, without unknown or empty fields', () => {
    const schema = object(
      {},
      { 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
    );
    const value = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x', labels: {}, odd: 1 }, any: 1 };
    const result = pruned(schema, value);
    expect(result.value).toMatchObject({
      spec: { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x' }, any: 1 },
    });
    expect(result.unknownPaths).toEqual(['spec.metadata.odd']);
  });

  it('names metadata of a wrong type', () => {
    const { malformed } = compiled(object({})).prune({ ...sample({}), metadata: { labels: { a: 1 } } });
    expect(malformed).toMatchObject([{ path: 'metadata.labels' }]);
  });

  it('leaves what it was given as it is', () => {
    const given = sample({ a: 1 });
    compiled(object({})).prune(given);
    expect(given.spec).toEqual({ a: 1 });
  });
});

describe('defaulting', () => {
  const schema = object({
    a: text({ default: 'x' }),
    b: object({ c: whole({ default: 2 }) }, { default: {} }),
    d: object({ e: whole({ default: 3 }) }),
    f: text(),
    g: text({ nullable: true, default: 'y' }),
    l: list(object({ h: whole({ default: 4 }) })),
  });

  it.each<[string, unknown, unknown]>([
    ['fills nested defaults only where there is an object', {}, { a: 'x', b: { c: 2 }, g: 'y' }],
    [
      'goes into objects and items that are given',
      { d: {}, l: [{}] },
      { a: 'x', b: { c: 2 }, d: { e: 3 }, g: 'y', l: [{ h: 4 }] },
    ],
    ['treats a null that is not allowed as absent', { a: null, f: null }, { a: 'x', b: { c: 2 }, g: 'y' }],
    ['keeps a null that is allowed', { g: null }, { a: 'x', b: { c: 2 }, g: null }],
  ])('%s', (_, spec, expected) => {
    expect(compiled(schema).applyDefaults(sample(spec))).toEqual(sample(expected));
  });

  it('hands out copies', () => {
    const first = compiled(schema).applyDefaults(sample({})) as { spec: { b: object } };
    const second = compiled(schema).applyDefaults(sample({})) as { spec: { b: object } };
    expect(first.spec.b).not.toBe(second.spec.b);
  });
});

describe('an update', () => {
  const schema = object({
    n: whole({ maximum: 3 }),
    l: list(whole({ maximum: 3 })),
    m: list(object({ k: text(), v: whole({ maximum: 3 }) }), map('k')),
    s: list(text(), { 'x-kubernetes-list-type': 'set' }),
  });
  const wrong = {
    n: 9,
    l: [9, 1],
    m: [
      { k: 'a', v: 9 },
      { k: 'b', v: 1 },
    ],
    s: ['a', 'a'],
  };
  const update = (spec: unknown) =>
    compiled(schema)
      .validate(sample(spec), sample(wrong))
      .map(({ path }) => path);

  it.each<[string, unknown, readonly string[]]>([
    ['lets through what was wrong before', wrong, []],
    ['refuses a new wrong value', { ...wrong, n: 8 }, ['spec.n']],
    ['looks at a list that is no map as a whole', { ...wrong, l: [9, 2] }, ['spec.l[0]']],
    [
      'looks at a list map item by item',
      {
        ...wrong,
        m: [
          { k: 'b', v: 2 },
          { k: 'a', v: 9 },
        ],
      },
      [],
    ],
    ['lets a set repeat what it repeated', { ...wrong, s: ['a', 'a', 'b', 'b'] }, []],
  ])('%s', (_, spec, expected) => {
    expect(update(spec)).toEqual(expected);
  });
});

describe('a write to status', () => {
  const schema = compileSchema(
    object({ spec: object({ a: whole({ maximum: 1 }) }), status: object({ b: whole({ maximum: 1 }) }) }),
  );
  const of = (a: number, b: number) => ({ ...sample({ a }), status: { b } });

  it('looks at status alone and names fields from there', () => {
    expect(lines(schema.validateStatus(of(5, 5), of(5, 1)))).toEqual([
      'status.b: Invalid value: 5: b in body should be less than or equal to 1',
    ]);
  });
});

describe('our own kinds', () => {
  const schemaOf = (plural: string) => {
    const file = new URL(`../../../config/crds/${plural}.muster.dev.yaml`, import.meta.url);
    const crd = load(readFileSync(file, 'utf8')) as {
      spec: { versions: { schema: { openAPIV3Schema: unknown } }[] };
    };
    return compileSchema(crd.spec.versions[0]?.schema.openAPIV3Schema);
  };

  it('give a NodeLifecycle the name of its node and keep it', () => {
    const record = (name: string, uid = 'u') => ({
      metadata: { name },
      spec: { nodeName: 'a', nodeUID: uid },
    });
    const schema = schemaOf('nodelifecycles');
    expect(schema.validate(record('a'))).toEqual([]);
    expect(lines(schema.validate(record('b')))).toEqual([
      '<nil>: Invalid value: metadata.name must be spec.nodeName',
    ]);
    expect(schema.validate(record('a', 'v'), record('a'))).toMatchObject([{ path: 'spec.nodeUID' }]);
  });

  it('fill a DisruptionPolicy and check its windows', () => {
    const schema = schemaOf('disruptionpolicies');
    const policy = (spec: unknown) => schema.applyDefaults({ metadata: { name: 'default' }, spec });
    expect(policy({})).toMatchObject({
      spec: { authority: 'gate', deletion: { perPool: { period: '10m' } } },
    });
    expect(schema.validate(policy({ deletion: { perPool: { period: '200h' } } }))).toMatchObject([
      {
        path: 'spec.deletion.perPool.period',
        message: 'Invalid value: "200h": must be more than 0s and at most 168h',
      },
    ]);
  });
});
