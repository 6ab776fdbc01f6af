import { expect, it } from 'vitest';
import { ruleView } from '../../../test/support/rule-builder.ts';
import { createNodeStateStore } from '../../fleet/store.ts';
import { ruleConditions } from './rule-conditions.ts';
import { type NodeVerdict, tallyOf } from './tally.ts';

const held = (nodeName: string, message: string): NodeVerdict => ({
  nodeName,
  verdict: { capability: 'readiness', parent: 'r', outcome: 'unknown', reason: 'GatingBudgetSpent', message },
});

it.each<[string, readonly NodeVerdict[], string]>([
  ['one node', [held('a', 'full')], 'a: full'],
  ['nodes that are held alike', [held('b', 'full'), held('a', 'full')], 'a and 1 more: full'],
  [
    'nodes that are held for several reasons',
    [held('a', 'full'), held('b', 'full'), held('c', 'paused'), held('d', 'paused')],
    'a and 1 more: full; 2 nodes for another reason',
  ],
])('Ready names %s', (_, nodes, words) => {
  expect(readyWith({ held: nodes })).toMatchObject({ reason: 'GatingIsHeld', message: words });
});

it('Ready says beside nodes that fail how many are held', () => {
  const failed = [held('x', 'no answer')];
  expect(readyWith({ failed, held: [held('a', 'full'), held('b', 'full')] })).toMatchObject({
    reason: 'NodesFailing',
    message: '1 node; gating of 2 nodes is held',
  });
});

type Lists = { readonly held: readonly NodeVerdict[]; readonly failed?: readonly NodeVerdict[] };

function readyWith({ held: some, failed = [] }: Lists) {
  const view = ruleView();
  const tally = tallyOf(view, { store: createNodeStateStore(), nodes: new Map() });
  const facts = { view, tally: { ...tally, total: 9, unapplied: 4, held: [...some], failed: [...failed] } };
  const conditions = ruleConditions({ ...facts, selectedCount: 9, disorder: null, now: 0 }, []);
  return conditions.find(({ type }) => type === 'Ready');
}
