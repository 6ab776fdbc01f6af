import { describe, expect, it } from 'vitest';
import { ruleView } from '../../../../test/support/rule-builder.ts';
import { disorderOf, pendingPredecessors, successorsOf } from './predecessors.ts';

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
    ruleView({ name: 'e' }),
    ruleView({ name: 'f', spec: after('e') }),
    ruleView({ name: 'g', spec: after('f') }),
  ];
  const find = (wanted: string) => rules.find((rule) => rule.name === wanted);
  const disorder = (name: string) => {
    const rule = find(name);
    return rule === undefined ? undefined : disorderOf(rule, find);
  };

  it('makes no sense when it does not exist', () =>
    expect(disorder('d')).toEqual({ reason: 'UnknownPredecessor', message: 'nobody' }));
  it('makes no sense when it comes after its successor, and the whole circle is named', () =>
    expect(disorder('a')).toEqual({ reason: 'CircularOrder', message: 'a comes after b, after c, after a' }));
  it('makes no sense when it is the rule itself', () => {
    const own = ruleView({ name: 'own', spec: after('own') });
    const message = 'own comes after own';
    expect(disorderOf(own, () => own)).toEqual({ reason: 'CircularOrder', message });
  });
  it('makes sense otherwise, though it be part of a circle that its successor is not', () => {
    const last = ruleView({ name: 'last', spec: after('a') });
    expect([disorder('e'), disorderOf(last, find)]).toEqual([null, null]);
  });
  it('concerns all who come after it, by way of others too', () => {
    expect(successorsOf('e', rules, find).map(({ name }) => name)).toEqual(['f', 'g']);
  });
});
