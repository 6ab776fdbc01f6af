import { describe, expect, it } from 'vitest';
import { isReservedKey, labelKeyProblem, labelValueProblem } from './label-key.ts';

const long = (length: number) => 'a'.repeat(length);

describe('a label key', () => {
  it.each([
    ['a bare name', 'team'],
    ['a single character', 'a'],
    ['capitals, dots, dashes and underscores', 'My_team.name-2'],
    ['a prefix', 'example.com/team'],
    ['a prefix of one label', 'example/team'],
    ['a name of 63 characters', long(63)],
    ['a prefix of 253 characters', `${long(253)}/a`],
    ['a name that every object inherits', 'constructor'],
  ])('may be %s', (_, key) => {
    expect(labelKeyProblem(key)).toBeNull();
  });

  it.each([
    ['empty', ''],
    ['a name of 64 characters', long(64)],
    ['a name that starts with a dash', '-team'],
    ['a name that ends in a dot', 'team.'],
    ['a name with a space', 'my team'],
    ['a name with a newline at its end', 'team\n'],
    ['a name that starts with an underscore', '__proto__'],
  ])('is refused for its name when it is %s', (_, key) => {
    expect(labelKeyProblem(key)).toMatch(/^name ".*" is not 1 to 63 letters/);
  });

  it.each([
    ['empty', '/team'],
    ['254 characters long', `${long(254)}/a`],
    ['in capitals', 'Example.com/team'],
    ['with an empty part', 'example..com/team'],
    ['with a part that ends in a dash', 'example-.com/team'],
  ])('is refused when its prefix is %s', (_, key) => {
    expect(labelKeyProblem(key)).toMatch(/^prefix ".*" is not a DNS name/);
  });

  it('is refused with two slashes', () => {
    expect(labelKeyProblem('a/b/c')).toContain('name "b/c"');
  });
});

describe('a label value', () => {
  it.each([
    ['empty', ''],
    ['a word', 'gpu'],
    ['63 characters long', long(63)],
  ])('may be %s', (_, value) => {
    expect(labelValueProblem(value)).toBeNull();
  });

  it.each([
    ['64 characters long', long(64)],
    ['with a slash', 'a/b'],
    ['with a dash at its end', 'a-'],
    ['a space', ' '],
  ])('is refused when it is %s', (_, value) => {
    expect(labelValueProblem(value)).toContain(JSON.stringify(value));
  });
});

describe('a reserved key', () => {
  it.each<[string, string, boolean]>([
    ['is one under kubernetes.io', 'kubernetes.io/hostname', true],
    ['is one under k8s.io', 'k8s.io/a', true],
    ['is one under a subdomain', 'node.kubernetes.io/not-ready', true],
    ['is a taint under such a prefix', 'node.kubernetes.io/not-ready:NoExecute', true],
    ['is not one under a name that only ends alike', 'notkubernetes.io/a', false],
    ['is not one that merely contains it', 'kubernetes.io.example.com/a', false],
    ['is not one without a prefix', 'kubernetes.io', false],
  ])('%s', (_, key, isReserved) => {
    expect(isReservedKey(key)).toBe(isReserved);
  });
});
