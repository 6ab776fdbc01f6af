import { describe, expect, it } from 'vitest';
import { assert, BrokenInvariant, unreachable } from './assert.ts';

describe('an assertion', () => {
  it('lets pass what holds', () => {
    expect(() => assert(true, 'the ledger has an epoch')).not.toThrow();
  });

  it('throws the invariant that is broken', () => {
    expect(() => assert(false, 'the ledger has an epoch')).toThrow(
      new BrokenInvariant('the ledger has an epoch'),
    );
  });

  it('names the value at the end of a switch that was meant to be exhaustive', () => {
    expect(() => unreachable({ kind: 'new' } as never)).toThrow(
      new BrokenInvariant('unexpected value {"kind":"new"}'),
    );
  });
});
