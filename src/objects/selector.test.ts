import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matches, parseSelector } from './selector.ts';

const key = fc.constantFrom('a', 'b', 'constructor', 'toString');
const value = fc.constantFrom('', 'x', 'y');
const someValues = fc.array(value, { minLength: 1, maxLength: 2 });
const expression = fc.oneof(
  fc.record({ key, operator: fc.constantFrom('In', 'NotIn'), values: someValues }),
  fc.record({ key, operator: fc.constantFrom('Exists', 'DoesNotExist') }),
);
const labelSelector = fc.record(
  { matchLabels: fc.dictionary(key, value), matchExpressions: fc.array(expression, { maxLength: 3 }) },
  { requiredKeys: [] },
);
type LabelSelector = (typeof labelSelector extends fc.Arbitrary<infer S> ? S : never) & object;
type Expression = { readonly key: string; readonly operator: string; readonly values?: readonly string[] };

/** The sentences of the API reference, one for one. */
function naive({ matchLabels = {}, matchExpressions = [] }: LabelSelector, labels: Map<string, string>) {
  const all: readonly Expression[] = [
    ...Object.entries(matchLabels).map(([key, value]) => ({ key, operator: 'In', values: [value] })),
    ...matchExpressions,
  ];
  return all.every(({ key, operator, values = [] }) => {
    const has = labels.has(key);
    const isAmong = has && new Set(values).has(labels.get(key) ?? '');
    return { In: isAmong, NotIn: !isAmong, Exists: has, DoesNotExist: !has }[operator];
  });
}

const problemsOf = (raw: unknown) => {
  const parsed = parseSelector(raw, 'spec.selector');
  return parsed.kind === 'ok' ? [] : parsed.error.map(({ path, message }) => `${path}: ${message}`);
};

const matchesRaw = (raw: unknown, labels: Readonly<Record<string, string>>) => {
  const parsed = parseSelector(raw, 'spec.selector');
  if (parsed.kind === 'error') throw new Error(JSON.stringify(parsed.error));
  return matches(parsed.value, labels);
};

describe('a label selector', () => {
  it('matches as the API reference says', () => {
    fc.assert(
      fc.property(labelSelector, fc.dictionary(key, value), (selector, labels) => {
        expect(matchesRaw(selector, labels)).toBe(naive(selector, new Map(Object.entries(labels))));
      }),
      { numRuns: 1000 },
    );
  });

  it.each<[string, unknown, boolean]>([
    ['matches everything when it is empty', {}, true],
    ['matches everything when its parts are empty', { matchLabels: {}, matchExpressions: [] }, true],
    ['matches an empty value', { matchLabels: { empty: '' } }, true],
    ['does not take a missing label for an empty one', { matchLabels: { missing: '' } }, false],
    ['excludes a value where the label is missing', expr('missing', 'NotIn', ['x']), true],
    ['finds no label that every object inherits', expr('constructor', 'Exists'), false],
    ['wants all of its parts', { matchLabels: { zone: 'a', missing: 'x' } }, false],
  ])('%s', (_, selector, isMatch) => {
    expect(matchesRaw(selector, { zone: 'a', empty: '' })).toBe(isMatch);
  });
});

describe('a label selector is refused', () => {
  it.each<[string, unknown, string]>([
    ['when it is no object', [], 'spec.selector: must be a label selector'],
    ['when it is null', null, 'spec.selector: must be a label selector'],
    [
      'with a field that it does not have',
      { matchLabel: {} },
      'spec.selector.matchLabel: is not a field of a label selector',
    ],
    [
      'with labels that are no map',
      { matchLabels: [] },
      'spec.selector.matchLabels: must be a map of label values',
    ],
    [
      'with a value that is no text',
      { matchLabels: { a: 1 } },
      'spec.selector.matchLabels[a]: must be a string',
    ],
    [
      'with expressions that are no list',
      { matchExpressions: {} },
      'spec.selector.matchExpressions: must be a list',
    ],
    ['with an expression that is no object', { matchExpressions: ['a'] }, `${first('key')}: is missing`],
    [
      'with an operator that does not exist',
      expr('a', 'in', ['x']),
      `${first('operator')}: must be In, NotIn, Exists or DoesNotExist, not "in"`,
    ],
    [
      'without an operator',
      { matchExpressions: [{ key: 'a' }] },
      `${first('operator')}: must be In, NotIn, Exists or DoesNotExist, not undefined`,
    ],
    ['with In and no values', expr('a', 'In'), `${first('values')}: must not be empty for In`],
    ['with NotIn and no values', expr('a', 'NotIn', []), `${first('values')}: must not be empty for NotIn`],
    ['with Exists and values', expr('a', 'Exists', ['x']), `${first('values')}: must be empty for Exists`],
    ['with values that are no list', expr('a', 'Exists', 'x'), `${first('values')}: must be a list`],
    ['with a list of other things', expr('a', 'In', [null]), `${first('values[0]')}: must be a string`],
  ])('%s', (_, selector, problem) => {
    expect(problemsOf(selector)).toEqual([problem]);
  });

  it('with all of its problems at once', () => {
    const problems = problemsOf({
      matchLabels: { '-a': 'b c' },
      matchExpressions: [{ key: 'a/b/c', operator: 'Exists' }, { operator: 'In' }],
    });
    expect(problems.map((problem) => problem.split(': ')[0])).toEqual([
      'spec.selector.matchLabels[-a]',
      'spec.selector.matchLabels[-a]',
      'spec.selector.matchExpressions[0].key',
      'spec.selector.matchExpressions[1].key',
    ]);
  });
});

function expr(key: string, operator: string, values?: unknown) {
  return { matchExpressions: [{ key, operator, ...(values === undefined ? {} : { values }) }] };
}

function first(field: string) {
  return `spec.selector.matchExpressions[0].${field}`;
}
