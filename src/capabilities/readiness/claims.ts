// Several rules may have one taint. It is there while one of them wants it; else it stays while one keeps it; only else does
// it go. The oldest rule has the say over its value, the others are told. Pure, and independent of who changed last.

import type { TaintId } from '../../objects/taint.ts';
import type { KeyWish, Owner, Proof } from '../../objects/wish.ts';
import type { Want } from './policies/stance.ts';

export type Claim = {
  readonly taint: TaintId;
  readonly owner: Owner;
  readonly want: Want;
  readonly value: string;
  /** What shows that the taint is ours while it stands: the rule, where its finalizer keeps it, else the record of the node. */
  readonly proof: Proof;
  /** On what ground a taint is withdrawn. */
  readonly basis: 'named' | 'attested' | 'recorded';
  /** It is withdrawn while it may still be on its way to the node. */
  readonly mayArrive?: true;
};

export type Resolution = {
  /** Null: the taint stays as it is. */
  readonly wish: KeyWish | null;
  readonly winner: Owner;
  /** Rules that share the taint with an older one. */
  readonly losers: readonly Owner[];
};

export type Resolved = ReadonlyMap<TaintId, Resolution>;

/** Claims come oldest rule first. */
export function resolveClaims(claims: readonly Claim[]): Resolved {
  const byTaint = new Map<TaintId, Claim[]>();
  for (const claim of claims) {
    if (claim.want === 'abstain') continue;
    const others = byTaint.get(claim.taint);
    if (others === undefined) byTaint.set(claim.taint, [claim]);
    else others.push(claim);
  }
  return new Map([...byTaint].map(([taint, some]) => [taint, resolve(some)]));
}

function resolve(claims: readonly Claim[]): Resolution {
  // What only the record on the node knows of has nobody who could be told.
  const rivals = claims.filter(({ want, basis }) => want !== 'withdraw' && basis !== 'recorded');
  const [first, ...others] = rivals;
  return {
    wish: wishFor(claims),
    winner: first?.owner ?? '',
    losers: others.map(({ owner }) => owner),
  };
}

function wishFor(claims: readonly Claim[]): KeyWish | null {
  const [oldest] = claims.filter(({ want }) => want !== 'withdraw');
  const wanting = (want: Want) => claims.find((claim) => claim.want === want);
  const gate = wanting('gate');
  if (gate !== undefined) {
    const value = (oldest ?? gate).value;
    return { kind: 'present', owner: gate.owner, value, prior: 'adopt', proof: gate.proof };
  }
  if (wanting('keep') !== undefined) return null;
  const release = wanting('release');
  if (release !== undefined) return { kind: 'absent', owner: release.owner, basis: 'named' };
  // What the record on the node names comes last, and knows best whose the taint is.
  const withdraw = claims.findLast(({ want }) => want === 'withdraw');
  if (withdraw === undefined) return null;
  const { owner, basis, value, mayArrive } = withdraw;
  return { kind: 'absent', owner, basis, ...(mayArrive ? { mayArrive: value } : {}) };
}
