import { describe, expect, it } from 'vitest';
import { fieldsMatch, parseFieldQuery } from './field-query.ts';
import { labelsMatch } from './label-query.ts';
import { parseLabelQuery } from './label-query-parse.ts';

describe('a label selector', () => {
  const labels = { app: 'x', tier: 'front', size: '5' };

  it.each([
    ['', true],
    ['app', true],
    ['!app', false],
    ['app=x', true],
    ['app==x,tier!=back', true],
    ['app in (x, y),tier notin (back)', true],
    ['app in (y)', false],
    ['other!=x', true],
    ['other notin (x)', true],
    ['size>4,size<6', true],
    ['size > 5', false],
    ['constructor', false],
    ['app=', false],
  ])('%s matches: %s', (text, isMatch) => {
    const query = parseLabelQuery(text);
    expect(query.kind === 'ok' && labelsMatch(query.value, labels)).toBe(isMatch);
  });

  it.each(['a b c', 'a in x', 'a=b c', '=a', 'a>b', '!a=b', 'bad_/key=a'])('%s is refused', (text) => {
    expect(parseLabelQuery(text).kind).toBe('error');
  });
});

describe('a field selector', () => {
  const labels = { 'metadata.name': () => 'a,b' };

  it.each([
    ['metadata.name=a\\,b', true],
    ['metadata.name==a\\,b', true],
    ['metadata.name!=a\\,b', false],
    ['metadata.name=c', false],
    ['', true],
  ])('%s matches: %s', (text, isMatch) => {
    const query = parseFieldQuery(text, labels);
    expect(query.kind === 'ok' && fieldsMatch(query.value, labels, {})).toBe(isMatch);
  });

  it.each([
    ['foo=bar', '"foo" is not a known field selector: only "metadata.name", "metadata.namespace"'],
    ['constructor=bar', '"constructor" is not a known field selector'],
    ['nothing', "can't understand 'nothing'"],
  ])('%s is refused', (text, words) => {
    expect(parseFieldQuery(text, labels)).toMatchObject({
      kind: 'error',
      error: expect.stringContaining(words),
    });
  });

  it('of a kind with fields of its own is refused in fewer words', () => {
    const own = { ...labels, 'status.phase': () => '' };
    expect(parseFieldQuery('foo=bar', own)).toEqual({
      kind: 'error',
      error: 'field label not supported: foo',
    });
  });
});
