import { expect, it } from 'vitest';
import { duplicateFields } from './duplicate-fields.ts';

it.each([
  ['{"a":1,"b":{"a":1}}', []],
  ['{"a":1,"a":2,"a":3}', ['a']],
  ['{"a":{"b":1,"b":2},"c":[{"d":1},{"d":1,"d":2}]}', ['a.b', 'c[1].d']],
  ['{"a":"{\\"b\\":1,\\"b\\":2}"}', []],
  ['{"\\u0061":1,"a":2}', ['a']],
  ['[{"a":[1,"x",{}],"a":1}]', ['[0].a']],
])('finds what %s says twice', (text, paths) => {
  expect(duplicateFields(text)).toEqual(paths);
});

it.each([
  ['{ "a" : "x\\\\", "a" : [ 1 , { "b" : "\\"}" , "b" : 2 } ] }', ['a', 'a[1].b']],
  ['"a"', []],
])('reads escapes and blanks in %s', (text, paths) => {
  expect(duplicateFields(text)).toEqual(paths);
});
