import { describe, expect, it } from 'vitest';
import { loopbackAllowed } from '../../test/support/worker-scene.ts';
import { domainName, targetAddress } from './params.ts';

const at = { path: 'a', targets: loopbackAllowed };

describe('a DNS name', () => {
  it.each(['a', 'kubernetes.default', 'example.com.', 'a-b.c_d.E', `${'a'.repeat(63)}.b`])(
    'is %s',
    (name) => {
      expect(domainName.read(name, at)).toEqual({ kind: 'ok', value: name });
    },
  );

  it.each([
    '',
    '.',
    'a..b',
    '-a.b',
    'a-.b',
    `${'a'.repeat(64)}.b`,
    `${'a.'.repeat(127)}a`,
    'a b',
    'ü.de',
    '10.0.0.1',
    '10.0.0.1.',
    '0x7f.1',
    '2130706433',
    '::1',
    'localhost',
    'a.LOCALHOST.',
    7,
    null,
  ])('is not %s', (name) => expect(domainName.read(name, at).kind).toBe('error'));
});

describe('an address', () => {
  it.each([
    ['fd00:0:0:0:0:0:0:A', 'fd00::a'],
    ['FD00::0001', 'fd00::1'],
    ['10.0.0.1', '10.0.0.1'],
  ])('%s is compared as %s', (written, compared) => {
    expect(targetAddress.read(written, at)).toEqual({ kind: 'ok', value: compared });
  });
});
