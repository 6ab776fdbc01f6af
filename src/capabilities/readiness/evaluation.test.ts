import { describe, expect, it } from 'vitest';
import { ruleView } from '../../../test/support/rule-builder.ts';
import {
  hashedName,
  labelsOf,
  parsePairKey,
  pairKey,
  plainName,
  projectEvaluation,
  wantedEvaluation,
} from './evaluation.ts';

const front = 'NodeReadinessGateRule' as const;
const pair = (ruleName: string, nodeName: string) => ({ front, ruleName, nodeName });

describe('the name of an evaluation', () => {
  it('is the rule and the node', () => expect(plainName(pair('cni', 'worker-1'))).toBe('cni-worker-1'));

  it('with a hash differs where the plain ones are the same', () => {
    const [one, other] = [pair('a-b', 'c'), pair('a', 'b-c')];
    expect(plainName(one)).toBe(plainName(other));
    expect(hashedName(one)).not.toBe(hashedName(other));
  });

  it('with a hash differs between the kinds of rules', () => {
    const upstream = { ...pair('cni', 'a'), front: 'NodeReadinessRule' as const };
    expect(hashedName(pair('cni', 'a'))).not.toBe(hashedName(upstream));
  });

  it('with a hash is a valid name however long both are', () => {
    const name = hashedName(pair('r'.repeat(253), `${'n'.repeat(252)}-`));
    expect(name.length).toBeLessThanOrEqual(253);
    expect(name).toMatch(/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/);
  });
});

describe('the labels of an evaluation', () => {
  it('are the names', () => expect(labelsOf(pair('cni', 'a'))).toEqual({ rule: 'cni', node: 'a' }));

  it('are shortened where a label could not hold the name, and differ still', () => {
    const [one, other] = ['a', 'b'].map((end) => labelsOf(pair('cni', `${'n'.repeat(70)}${end}`)).node ?? '');
    expect([one?.length, other?.length]).toEqual([63, 63]);
    expect(one).not.toBe(other);
  });
});

describe('the key of a pair', () => {
  it('is read back', () => expect(parsePairKey(pairKey(pair('cni', 'a')))).toEqual(pair('cni', 'a')));
});

describe('what is kept of an evaluation', () => {
  const status = {
    allConditionsSatisfied: true,
    taintStatus: 'Absent',
    conditionResults: [],
    reason: 'x',
  } as const;
  const wanted = wantedEvaluation('cni-a', ruleView(), { nodeName: 'a', status });
  const stored = (change: object = {}) =>
    projectEvaluation({ ...wanted.body, status: { ...status, ...change } });

  it('agrees with what was wanted of it', () => {
    expect(stored()).toMatchObject({ front, ruleName: 'cni', nodeName: 'a', isTracked: false });
    expect([stored().specHash, stored().statusHash]).toEqual([wanted.specHash, wanted.statusHash]);
  });

  it('does not differ by times and counts', () =>
    expect(stored({ lastEvaluated: '2026-01-01T00:00:00Z', evaluationCount: 7 }).statusHash).toBe(
      wanted.statusHash,
    ));

  it('differs by what people act upon', () =>
    expect(stored({ taintStatus: 'Present' }).statusHash).not.toBe(wanted.statusHash));

  it('says whether it still carries managedFields', () => {
    const metadata = { ...wanted.body.metadata, managedFields: [{ manager: 'muster' }] };
    expect(projectEvaluation({ ...wanted.body, metadata }).isTracked).toBe(true);
  });

  it.each(['foo', 'cni-b'])('is nobody of ours under a name that says something else: %s', (name) => {
    const metadata = { ...wanted.body.metadata, name };
    expect(projectEvaluation({ ...wanted.body, metadata }).front).toBeNull();
  });

  it('is nobody of ours without a rule as its owner', () =>
    expect(projectEvaluation({ ...wanted.body, metadata: {} }).front).toBeNull());
});
