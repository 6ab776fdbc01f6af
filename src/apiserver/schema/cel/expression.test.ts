import { describe, expect, it } from 'vitest';
import { readSchema } from '../schema-node.ts';
import { expressionSchema } from '../../../../test/support/schema-expressions.ts';
import { Budget } from './code.ts';
import { compileExpression } from './expression.ts';
import { readingOf } from './schema-type.ts';

const reading = readingOf(readSchema(expressionSchema));
const object = {
  s: 'Hällo 🙂',
  n: 7,
  l: ['b', 'a'],
  q: [3, 1, 2],
  m: { one: 1 },
  i: '25%',
  t: '2024-02-29T23:30:15.25Z',
  d: '1h30m',
  o: { x: 'ex' },
  set: ['p', 'q'],
  lm: [{ k: 'a', v: 1 }],
};

function evaluated(text: string): unknown {
  if (reading === null) throw new Error('the schema is visible');
  const types = { self: reading.type, oldSelf: reading.type };
  const compiled = compileExpression({ text, ...types, result: 'string' });
  if (compiled.kind === 'error') return compiled.error.split('\n')[0];
  try {
    return compiled.value.evaluate({ self: reading.read(object) }, new Budget(10_000));
  } catch (error) {
    return error;
  }
}

describe('the value of', () => {
  it.each([
    ['string(self.n / 2 * 2 - 1)', '5'],
    ['self.s.substring(1, 3) + string(self.s.size())', 'äl7'],
    ["self.l.map(x, x + '!').filter(x, x > 'a!').join(',')", 'b!'],
    ["string(self.set == ['q', 'p']) + string(self.l == ['a', 'b'])", 'truefalse'],
    ["self.?o.?x.orValue('none') + self.?e.x.orValue('none')", 'exnone'],
    ["type(self.i) == int ? 'int' : 'text'", 'text'],
    ["string(self.t.getHours()) + string(self.t.getHours('America/New_York'))", '2318'],
    ["string(self.d + duration('30m'))", '7200s'],
    ["string(quantity('1.5Gi').compareTo(quantity('1G')))", '1'],
    ["string(cidr('10.0.0.0/8').containsIP('10.1.2.3'))", 'true'],
    ["string(ip('2001:DB8::0:1'))", '2001:db8::1'],
    ['string(self.q.sum()) + string(self.q.max()) + string(self.q.isSorted())', '63false'],
    ["string(sets.contains(self.l, ['a']))", 'true'],
    ["string(true == ('a' in self.l)) + string(self.n > 1 == true)", 'truetrue'],
    ['string(true == ((self.n) > 1))', 'true'],
    ["'%s, %d, %b'.format(['a', 7, true])", 'a, 7, 1'],
    ['string(1610612736.0)', '1.610612736e+09'],
    [
      "'%s has %d, %x'.format([self.s, self.s, self.s])",
      expect.objectContaining({ message: expect.stringContaining('%d') }),
    ],
  ])('%s is %j', (text, expected) => {
    expect(evaluated(text)).toEqual(expected);
  });
});

describe('an expression fails with the words of CEL when it', () => {
  it.each([
    ['reads a key that is not there', 'string(self.m.two)', 'no such key: two'],
    ['reads behind the end of a list', 'self.l[7]', 'index out of bounds: 7'],
    ['overflows', 'string(9223372036854775807 + self.n)', 'integer overflow'],
    ['divides by zero', 'string(self.n / 0)', 'division by zero'],
    ['compares a text with a number', 'string(self.i < 6)', 'no such overload'],
    ['reads a number that is none', 'string(int(self.s))', "type conversion error from 'string' to 'int'"],
  ])('%s', (_, text, message) => {
    expect(evaluated(text)).toMatchObject({ message });
  });
});

describe('an expression is refused when it', () => {
  it.each([
    ['reads a field that the schema lacks', 'self.nope', "undefined field 'nope'"],
    [
      'adds a number to a text',
      'self.s + self.n',
      "found no matching overload for '_+_' applied to '(string, int)'",
    ],
    [
      'compares a number with a text',
      "string(self.n == 'a')",
      "found no matching overload for '_==_' applied to '(int, string)'",
    ],
    ['has another type than is asked for', 'self.n', 'messageExpression must evaluate to a string'],
    ['names nothing', 'other', "undeclared reference to 'other' (in container '')"],
    ['has a literal that is no duration', "string(duration('soon'))", 'invalid duration argument'],
    [
      'could be read in two ways',
      "string(self.o.x == 'a' in [true])",
      'the comparison on the right of == needs parentheses around it',
    ],
    ['mixes types in a list', "['a', 1][0]", "expected type 'string' but found 'int'"],
    ['loops over a text', 'string(self.s.all(c, true))', 'cannot be range of a comprehension'],
  ])('%s', (_, text, words) => {
    expect(evaluated(text)).toContain(words);
  });
});
