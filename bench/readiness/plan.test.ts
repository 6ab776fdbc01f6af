import { describe, expect, it } from 'vitest';
import { planOf } from './plan.ts';

describe('the plan of a run', () => {
  it('is 1,000 nodes, one rule and a quiet minute when nothing is said', () => {
    expect(planOf({})).toMatchObject({
      nodes: 1_000,
      rules: 1,
      isEmbedded: false,
      quietSeconds: 60,
      relists: 5,
      compareWith: null,
      peerCommand: null,
      ruleKind: 'NodeReadinessGateRule',
      areBudgetsChecked: true,
    });
  });

  it('is small and without budgets for a toy', () => {
    expect(planOf({ toy: true })).toMatchObject({ nodes: 20, quietSeconds: 2, areBudgetsChecked: false });
  });

  it('gives the control plane no core of its own where that is not wanted, or where there is none', () => {
    expect(planOf({ 'shared-cores': true }).isApart).toBe(false);
    expect(planOf({ embedded: true }).isApart).toBe(false);
  });

  it('flips no more single nodes than there are', () => {
    expect(planOf({ nodes: '10' }).singles).toBe(10);
  });

  it('writes the rules in the kind of the peer where there is one, and in any that is asked for', () => {
    expect(planOf({ 'peer-cmd': 'peer' }).ruleKind).toBe('NodeReadinessRule');
    expect(planOf({ 'rule-kind': 'NodeReadinessRule' }).ruleKind).toBe('NodeReadinessRule');
  });

  it.each([
    [{ 'rule-kind': 'Rule' }, '--rule-kind must be NodeReadinessGateRule or NodeReadinessRule, not Rule.'],
    [{ nodes: '0' }, '--nodes must be a whole number from 1 to 50000, not 0.'],
    [{ rules: '21' }, '--rules must be a whole number from 1 to 20, not 21.'],
    [{ 'compare-with': 'less' }, '--compare-with must be a whole number from 1 to 50000, not less.'],
  ])('refuses %j with one sentence', (values, sentence) => {
    expect(() => planOf(values)).toThrow(sentence);
  });
});
