// A policy names the parameters of checks in its schema; the checks read them. Neither side may know one more, or other bounds.

import { describe, expect, it } from 'vitest';
import { checkParams } from '../api/check-params.ts';
import { checkNames, checkParamNames } from '../api/verification-vocabulary.ts';
import { nodeVerificationKind } from '../api/node-verification.ts';
import { checks } from './list.ts';
import { createTargetRules } from './targets.ts';
import { usualChecks } from './usual.ts';

type Schema = {
  readonly type?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly description?: string;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
};

// Plain data of a JSON schema: what the API server gets of it.
const schemas = (JSON.parse(JSON.stringify(checkParams)) as Schema).properties ?? {};
const params = checks.flatMap(({ name: check, params: own }) =>
  Object.entries(own).map(([name, param]) => ({ check, name, param })),
);
const wordsOf = (name: string) =>
  params.filter((each) => each.name === name).map(({ param }) => param.kind.words);

/** `integer from 0 to 99` or `list of names, 1 to 16`: the bounds that a check says it has. */
function boundsIn(words: string): readonly number[] {
  return [...words.matchAll(/\d+/g)].map(([digits]) => Number(digits));
}

describe('the parameters of checks in a policy', () => {
  it('are those that some check takes, and all of them', () => {
    expect(Object.keys(schemas).sort()).toEqual([...new Set(params.map(({ name }) => name))].sort());
  });

  it.each(Object.entries(schemas).filter(([, { type }]) => type === 'integer'))(
    '%s has the bounds that the checks have',
    (name, { minimum, maximum }) => {
      const words = wordsOf(name);
      expect(words.length).toBeGreaterThan(0);
      expect(words.map(boundsIn)).toEqual(words.map(() => [minimum, maximum]));
    },
  );

  it.each(Object.entries(schemas).filter(([, { type }]) => type === 'array'))(
    '%s has as many entries, of the same fields, as the checks take',
    (name, { minItems, maxItems, items }) => {
      const words = wordsOf(name);
      expect(words.length).toBeGreaterThan(0);
      for (const each of words) {
        const bounds = minItems === undefined ? `up to ${maxItems}` : `${minItems} to ${maxItems}`;
        expect(each.endsWith(`, ${bounds}`)).toBe(true);
        const fields = [...each.matchAll(/[{,] ?(\w+): /g)].map(([, field]) => field);
        expect(fields).toEqual(Object.keys(items?.properties ?? {}));
      }
    },
  );

  it('are refused by a check that does not take them, and taken by the one that does', () => {
    const targets = createTargetRules({ allowed: [], denied: [] });
    for (const { check, name } of params) {
      const others = checks.filter((each) => !Object.hasOwn(each.params, name));
      for (const other of others) {
        const read = other.prepare({ [name]: 0 }, { path: 'params', targets });
        expect({ other: other.name, read: read.kind }).toEqual({ other: other.name, read: 'error' });
      }
      expect(others.map((each) => each.name)).not.toContain(check);
    }
  });
});

describe('the names of checks that a policy may use', () => {
  it('are those that the worker knows', () => {
    expect(checkNames).toEqual(checks.map(({ name }) => name));
  });

  it('come with the parameters that the worker takes', () => {
    const taken = Object.fromEntries(checks.map(({ name, params }) => [name, Object.keys(params)]));
    expect(checkParamNames).toEqual(taken);
  });
});

describe('the usual checks', () => {
  it('are known to the worker', () => {
    expect(usualChecks.filter((name) => !checks.some((check) => check.name === name))).toEqual([]);
  });

  it('are those that the kind of a policy promises', () => {
    const kind = JSON.parse(JSON.stringify(nodeVerificationKind)) as { spec: Schema };
    const { description = '' } = kind.spec.properties?.['checks'] ?? {};
    expect(description).toContain(`${usualChecks.join(', ').replace(/, ([^,]*)$/, ' and $1')} when absent`);
  });
});
