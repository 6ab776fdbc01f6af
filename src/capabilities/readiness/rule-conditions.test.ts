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
  const view = ruleView();
  const tally = tallyOf(view, { store: createNodeStateStore(), nodes: new Map() });
  const facts = { view, tally: { ...tally, total: 9, unapplied: 4, held: [...nodes] } };
  const conditions = ruleConditions({ ...facts, selectedCount: 9, disorder: null, now: 0 }, []);
  expect(conditions.find(({ type }) => type === 'Ready')).toMatchObject({
    reason: 'GatingIsHeld',
    message: words,
  });
});
