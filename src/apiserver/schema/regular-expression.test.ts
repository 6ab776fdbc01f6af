import { describe, expect, it } from 'vitest';
import { compileRegExp, findAllMatches } from './regular-expression.ts';

const matches = (pattern: string, text: string) => {
  const compiled = compileRegExp(pattern);
  return compiled.kind === 'ok' ? compiled.value.test(text) : compiled.error;
};

describe('a pattern', () => {
  it.each<[string, string, string, boolean]>([
    ['ends where the text ends, not at a line', '^a$', 'a\n', false],
    ['has a dot for everything but a line feed', '^.$', '\r', true],
    ['has a dot for line feeds with the flag s', '(?s)^.$', '\n', true],
    ['has anchors at lines with the flag m', '(?m)^b$', 'a\nb\nc', true],
    ['ignores case from a flag on', 'a(?i)b', 'aB', true],
    ['ignores case in one group only', '(?i:a)b', 'AB', false],
    ['knows white space of ASCII only', '^\\s$', '\u00a0', false],
    ['knows named classes', '^[[:alpha:]_]+$', 'ab_', true],
    ['knows negated classes inside of a class', '^[\\D]+$', 'ab', true],
    ['knows scripts', '^\\p{Greek}+$', 'αβγ', true],
    ['takes a brace that repeats nothing as it is', '^a{x}$', 'a{x}', true],
    ['escapes any punctuation', '^\\-\\_\\:$', '-_:', true],
    ['quotes', '^\\Qa.b\\E$', 'a.b', true],
    ['names groups', '(?P<name>a)b', 'ab', true],
    ['takes a bracket that comes first as it is', '^[]a]+$', ']a', true],
    ['counts characters, not halves of them', '^.{1}$', '🙂', true],
    ['has the beginning and end of the text', '\\Aa\\z', 'a', true],
  ])('%s', (_, pattern, text, expected) => {
    expect(matches(pattern, text)).toBe(expected);
  });

  it.each([
    ['look-ahead', '(?=a)', 'invalid or unsupported Perl syntax: `(?=`'],
    ['look-behind', '(?<!a)', 'invalid or unsupported Perl syntax: `(?<`'],
    ['a back reference', '(a)\\1', 'invalid escape sequence: `\\1`'],
    ['an open group', '(a', 'missing closing )'],
    ['a repetition beyond 1000', 'a{1001}', 'invalid repeat count'],
    ['reluctance by flag', '(?U)a+', 'not supported here'],
  ])('with %s is refused', (_, pattern, words) => {
    expect(matches(pattern, '')).toContain(words);
  });
});

it('finds all matches, without an empty one right after another', () => {
  const compiled = compileRegExp('a*');
  expect(compiled.kind === 'ok' && findAllMatches(compiled.value, 'baac')).toEqual(['', 'aa', '']);
});
