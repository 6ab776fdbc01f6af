import { expect, it } from 'vitest';
import { HeldNames } from './held-names.ts';

it('knows a name by one number for as long as anybody holds it', () => {
  const names = new HeldNames();
  const [first, other, again] = [names.hold('a'), names.hold('b'), names.hold('a')];
  expect([first === again, first === other]).toEqual([true, false]);
  names.release(first);
  expect([names.textOf(first), names.size]).toEqual(['a', 2]);
  names.release(again);
  expect([names.textOf(other), names.size]).toEqual(['b', 1]);
  expect(names.textOf(names.hold('c'))).toBe('c');
});

it('refuses to let go of what nobody holds', () => {
  const names = new HeldNames();
  const number = names.hold('a');
  names.release(number);
  expect(() => names.release(number)).toThrow('let go');
});
