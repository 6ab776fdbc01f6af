import { describe, expect, it } from 'vitest';
import { err, formatProblem, ok } from './result.ts';

describe('a result', () => {
  it('is a value or an error, told apart by its kind', () => {
    expect([ok(1), err('too late')]).toEqual([
      { kind: 'ok', value: 1 },
      { kind: 'error', error: 'too late' },
    ]);
  });
});

describe('a problem', () => {
  it.each([
    ['with the path of the field', 'spec.selector', 'spec.selector: must be a map'],
    ['without a path when it is about the whole', '', 'must be a map'],
  ])('is told %s', (_, path, sentence) => {
    expect(formatProblem({ path, message: 'must be a map' })).toBe(sentence);
  });
});
