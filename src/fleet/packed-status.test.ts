import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packStatus, unpackStatus } from './packed-status.ts';

const record = (uid: string, at: string) => ({
  bootID: uid,
  stage: 'Gated',
  stageSince: at,
  gates: [{ key: 'readiness.k8s.io/cni', message: `since "${at}" on 10`, since: at }],
  ownedAsOf: '4711',
});

describe('a packed status', () => {
  it('is what it was, whatever is in it', () => {
    const values = fc.oneof(
      fc.string(),
      fc.constantFrom('2026-11-01T00:00:00Z', '5f6c0f0e-0a44-4a52-9d6f-5f0b86f3a1c2', '12', '\u00010', '" "'),
    );
    fc.assert(
      fc.property(fc.dictionary(values, fc.oneof(values, fc.array(values), fc.integer())), (status) => {
        expect(unpackStatus(packStatus(status, (text) => text))).toEqual({ ...status });
      }),
    );
  });

  it('shares all but times, ids and versions', () => {
    const one = packStatus(
      record('5f6c0f0e-0a44-4a52-9d6f-5f0b86f3a1c2', '2026-11-01T00:00:00Z'),
      (text) => text,
    );
    const other = packStatus(
      record('0a446c0f-5f6c-4a52-9d6f-86f3a1c25f0b', '2026-11-01T00:00:00Z'),
      (text) => text,
    );
    expect(other.pattern).toBe(one.pattern);
    expect(other.own).not.toBe(one.own);
  });

  it('names a value once that occurs twice', () => {
    const at = '2026-11-01T00:00:00Z';
    expect(packStatus({ since: at, until: at }, (text) => text).own).toBe(`"${at}"`);
  });
});
