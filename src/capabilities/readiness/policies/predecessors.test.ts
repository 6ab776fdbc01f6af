import { describe, expect, it } from 'vitest';
import { ruleView } from '../../../../test/support/rule-builder.ts';
import { pendingPredecessors, senselessPredecessors } from './predecessors.ts';

const after = (...names: readonly string[]) => ({ after: names });

function pending(isMetHere: readonly (readonly [string, boolean])[], missing: readonly string[] = []) {
  const { rule } = ruleView({ spec: after('cni') });
  if (rule === null) throw new Error('the rule is good');
  return pendingPredecessors(rule, { missing, isMetHere: new Map(isMetHere) });
}

describe('a rule that comes after another', () => {
  it('waits while that one is not met', () => expect(pending([['cni', false]])).toEqual(['cni']));
  it('does not wait once it is met', () => expect(pending([['cni', true]])).toEqual([]));
  it('does not wait where that one does not select the node', () => expect(pending([])).toEqual([]));
  it('waits for one that does not exist', () => expect(pending([], ['cni'])).toEqual(['cni']));
});

describe('a predecessor', () => {
  const rules = [
    ruleView({ name: 'a', spec: after('b') }),
    ruleView({ name: 'b', spec: after('c') }),
    ruleView({ name: 'c', spec: after('a') }),
    ruleView({ name: 'd', spec: after('a', 'nobody') }),
  ];
  const senseless = (name: string) => {
    const find = (wanted: string) => rules.find((rule) => rule.name === wanted);
    const rule = find(name);
    return rule === undefined ? null : senselessPredecessors(rule, find);
  };

  it('makes no sense when it does not exist', () => expect(senseless('d')).toEqual(['nobody']));
  it('makes no sense when it comes after its successor', () => expect(senseless('a')).toEqual(['b']));
});
