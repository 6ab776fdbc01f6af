// Values for a schema, made from a seed: most fit, some are wrong in one of the ways that people get them wrong.

import type { Random } from '../../src/base/random.ts';
import { isRecord } from '../../src/objects/raw.ts';

type Schema = Readonly<Record<string, unknown>>;

const texts = [
  'a',
  'abc',
  'low',
  'high',
  'TCP',
  'web',
  'bad',
  'x',
  'xX',
  'Ab',
  '7',
  '10',
  '25%',
  'a-b',
  'hello world',
  'word 12',
  'ünïcödé',
  '🙂🙂🙂',
  'a long text of many characters',
  '',
  '"quoted" <&>',
];
const typedTexts: Readonly<Record<string, readonly string[]>> = {
  'date-time': [
    '2024-02-29T12:00:00Z',
    '2024-02-29T14:30:00.5+02:00',
    '1999-12-31T23:59:59Z',
    '2023-02-29T00:00:00Z',
    'noon',
  ],
  date: ['2024-02-29', '2023-02-29', '2024-2-9'],
  duration: ['5s', '1h30m', '90', '2 days', '-1s'],
  ipv4: ['10.0.0.1', '256.1.1.1', '::1'],
  cidr: ['10.0.0.0/8', '10.0.0.0/33', 'fe80::/10'],
  uuid: ['0b3b1cf0-6c1a-4d2e-9a53-2f1f0c1b2a3d', '0b3b1cf0'],
  hostname: ['example.com', 'a', '-a', 'a_b.com'],
  byte: ['aGVsbG8=', 'aGVsbG8', '!!'],
};
const special: Readonly<Record<string, readonly string[]>> = {
  memory: ['1Gi', '500M', '3Gi', '1.5', 'lots', '2048Mi'],
  address: ['10.0.0.1', '127.0.0.1', '::1', '300.0.0.1'],
  network: ['10.0.0.0/8', '192.168.0.0/16', '10.0.0.0/99'],
  link: ['https://example.com/a', 'http://example.com', '/path', 'not a url'],
};

/** `wrong` is the share of values that may be of a wrong type, missing or too many. */
export class ObjectMaker {
  readonly #random: Random;
  readonly #wrong: number;

  constructor(random: Random, wrong: number) {
    this.#random = random;
    this.#wrong = wrong;
  }

  valueOf(schema: Schema, name = ''): unknown {
    if (this.#chance(this.#wrong)) return this.#pick([null, 'text', 5, 2.5, true, {}, [], ['a']]);
    const allowed = schema['enum'];
    if (Array.isArray(allowed) && this.#chance(0.8)) return this.#pick(allowed);
    if (schema['x-kubernetes-int-or-string'] === true) return this.#pick([1, 7, '5%', 'x', '10%']);
    switch (schema['type']) {
      case 'object':
        return this.#objectOf(schema);
      case 'array':
        return this.#listOf(schema);
      case 'string':
        return this.#pick(special[name] ?? typedTexts[String(schema['format'])] ?? texts);
      case 'integer':
        return this.#pick([0, 1, 2, 3, 4, 5, 8, 9, -1, -3, 3_000_000_000]);
      case 'number':
        return this.#pick([0.25, 0.5, 1, 2, 2.5, 3, 1e-7]);
      case 'boolean':
        return this.#chance(0.5);
      default:
        return this.#pick([1, 'free', { any: { thing: 1 } }, [1, 'a']]);
    }
  }

  /** Most of the old value stays, so that an update has something to compare. */
  changeOf(old: unknown, schema: Schema): unknown {
    const properties = isRecord(schema['properties']) ? schema['properties'] : {};
    if (!isRecord(old) || this.#chance(0.1)) return this.valueOf(schema);
    const entries = Object.entries(properties).flatMap(([name, inner]): readonly [string, unknown][] => {
      if (this.#chance(0.5)) return name in old ? [[name, old[name]]] : [];
      if (this.#chance(0.2) || !isRecord(inner)) return [];
      return [[name, name in old ? this.#nudged(old[name], inner, name) : this.valueOf(inner, name)]];
    });
    return Object.fromEntries(entries);
  }

  #nudged(old: unknown, schema: Schema, name: string): unknown {
    if (typeof old === 'number') return old + this.#pick([-1, 1, 0]);
    if (Array.isArray(old)) return this.#chance(0.5) ? old.toReversed() : old.slice(1);
    return isRecord(old) ? this.changeOf(old, schema) : this.valueOf(schema, name);
  }

  #objectOf(schema: Schema): unknown {
    const properties = isRecord(schema['properties']) ? schema['properties'] : {};
    const entries = Object.entries(properties).flatMap(([name, inner]): readonly [string, unknown][] =>
      this.#chance(0.65) && isRecord(inner) ? [[name, this.valueOf(inner, name)]] : [],
    );
    if (this.#chance(0.15)) entries.push(['stray', this.#pick([1, { deep: true }, [{ x: 1 }]])]);
    if (schema['x-kubernetes-embedded-resource'] === true) entries.push(...this.#resource());
    const values = schema['additionalProperties'];
    if (values === undefined) return Object.fromEntries(entries);
    const keys = ['a', 'bb', 'ccc', 'dddd', 'e.f'].filter(() => this.#chance(0.4));
    return Object.fromEntries(
      keys.map((key) => [key, isRecord(values) ? this.valueOf(values) : this.#pick([1, { a: { b: 1 } }])]),
    );
  }

  #resource(): readonly [string, unknown][] {
    const parts: readonly [string, unknown][] = [
      ['apiVersion', this.#pick(['v1', 'apps/v1', 'a/b/c', ''])],
      ['kind', this.#pick(['Pod', 'Bad Kind', 'Deployment'])],
      ['metadata', this.#pick([{ name: 'x', labels: {} }, { name: 'y', stray: 1 }, { labels: { a: 'b' } }])],
      ['spec', { anything: true }],
    ];
    return parts.filter(() => this.#chance(0.8));
  }

  #listOf(schema: Schema): unknown {
    const { items } = schema;
    const count = Math.floor(this.#random.next() * 4);
    return Array.from({ length: count }, () => (isRecord(items) ? this.valueOf(items) : 1));
  }

  #chance(share: number): boolean {
    return this.#random.next() < share;
  }

  #pick<T>(choices: readonly T[]): T {
    const choice = choices[Math.floor(this.#random.next() * choices.length)];
    return choice as T;
  }
}
