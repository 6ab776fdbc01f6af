import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Claim, resolveClaims } from './claims.ts';

const taint = 'gate:NoSchedule';

function claim(owner: string, want: Claim['want'], rest: Partial<Claim> = {}): Claim {
  return { taint, owner, want, value: `of ${owner}`, proof: 'object', basis: 'attested', ...rest };
}

const resolved = (...claims: readonly Claim[]) => resolveClaims(claims).get(taint);

describe('several rules with one taint', () => {
  it.each<[string, readonly Claim[], object | null]>([
    [
      'have it set while one wants it',
      [claim('old', 'release'), claim('new', 'gate')],
      { kind: 'present', owner: 'new' },
    ],
    [
      'have it with the value of the oldest',
      [claim('old', 'release'), claim('new', 'gate')],
      { value: 'of old' },
    ],
    ['have it kept while one keeps it', [claim('old', 'keep'), claim('new', 'release')], null],
    [
      'have it taken away when all agree',
      [claim('old', 'release'), claim('new', 'release')],
      { kind: 'absent', basis: 'named' },
    ],
    [
      'have it taken away as ours when none names it',
      [claim('old', 'withdraw')],
      { kind: 'absent', basis: 'attested' },
    ],
    [
      'believe the record on whose it was',
      [claim('done', 'withdraw'), claim('gone', 'withdraw', { basis: 'recorded' })],
      { owner: 'gone', basis: 'recorded' },
    ],
  ])('%s', (_, claims, wish) => {
    const found = resolved(...claims)?.wish ?? null;
    if (wish === null) expect(found).toBeNull();
    else expect(found).toMatchObject(wish);
  });

  it('leave out those that abstain', () => {
    expect(resolved(claim('dry', 'abstain'))).toBeUndefined();
    expect(resolved(claim('dry', 'abstain'), claim('new', 'gate'))?.losers).toEqual([]);
  });

  it('tell all but the oldest that they share it', () => {
    const { winner, losers } = resolved(claim('a', 'gate'), claim('b', 'keep'), claim('c', 'gate')) ?? {};
    expect([winner, losers]).toEqual(['a', ['b', 'c']]);
  });

  it('never gate less when one more rule speaks', () => {
    const wants = fc.constantFrom<Claim['want']>('gate', 'release', 'withdraw', 'keep', 'abstain');
    fc.assert(
      fc.property(fc.array(wants, { maxLength: 5 }), wants, (some, more) => {
        const claims = some.map((want, index) => claim(`rule-${index}`, want));
        const isGated = resolved(...claims)?.wish?.kind === 'present';
        const isStillGated = resolved(...claims, claim('more', more))?.wish?.kind === 'present';
        expect(isStillGated).toBe(isGated || more === 'gate');
      }),
    );
  });
});
