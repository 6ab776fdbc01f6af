import { noAnswers } from './asked.ts';
import { describe, expect, it } from 'vitest';
import { capability, shelfCaches } from '../../test/support/capability-builder.ts';
import { type NodeSketch, nodeView } from '../../test/support/node-builder.ts';
import { labelWish, present } from '../../test/support/wish-builder.ts';
import { controlPlaneRole } from '../api/keys.ts';
import type { NodeState, UpdateAssessment, Verdict } from '../fleet/node-state.ts';
import { createPoolResolver, createPoolSelectorCache } from '../fleet/pools.ts';
import { createNodeStateStore } from '../fleet/store.ts';
import type { NodeCapability } from './capability.ts';
import { evaluateNode } from './evaluate.ts';

const now = Date.UTC(2026, 0, 1);
const pools = createPoolResolver(createPoolSelectorCache(), ['pool']);
const verdict = (over: Partial<Verdict> = {}): Verdict => ({
  capability: 'stamp',
  parent: 'stamp/Stamp/one',
  outcome: 'satisfied',
  reason: 'Stamped',
  message: '',
  ...over,
});

type Given = {
  readonly node?: NodeSketch;
  readonly capabilities?: readonly NodeCapability[];
  readonly previous?: NodeState;
  readonly at?: number;
};
const evaluate = ({ node = {}, capabilities = [], previous, at = now }: Given = {}) =>
  evaluateNode({
    capabilities,
    answers: noAnswers,
    caches: shelfCaches(),
    node: nodeView(node),
    pools,
    previous,
    now: at,
  });

/** The state of a first evaluation, as the store keeps it. */
function stateAfter(given: Given): NodeState {
  const store = createNodeStateStore();
  store.set(evaluate(given).conclusion, { at: now, triggerSource: 'Node', resourceVersion: '1' });
  const state = store.get('a');
  if (state === undefined) throw new Error('the state was stored');
  return state;
}

describe('an evaluation', () => {
  it('concludes who the node is, where it belongs and what each capability found, in their order', () => {
    const capabilities = [
      capability({ name: 'first', decides: { verdicts: [verdict({ parent: '1' })] } }),
      capability({
        name: 'second',
        decides: { verdicts: [verdict({ parent: '2' }), verdict({ parent: '3' })] },
      }),
    ];
    const { conclusion } = evaluate({
      node: { name: 'n', uid: 'u', labels: { pool: 'blue' } },
      capabilities,
    });
    expect(conclusion).toMatchObject({ name: 'n', uid: 'u', poolRef: { name: 'blue' }, scope: 'WorkerPool' });
    expect(conclusion.verdicts.map(({ parent }) => parent)).toEqual(['1', '2', '3']);
  });

  it('knows a node of the control plane by its role', () => {
    expect(evaluate({ node: { labels: { [controlPlaneRole]: '' } } }).conclusion.scope).toBe('ControlPlane');
  });

  it('hands to decide what gather found, and the time', () => {
    const seen: unknown[] = [];
    const asking = capability({
      gather: (_, node) => node.name,
    });
    const capabilities: readonly NodeCapability[] = [
      { ...asking, decide: (facts, at) => (seen.push(facts, at), asking.decide(facts, at)) },
    ];
    evaluate({ node: { name: 'n' }, capabilities });
    expect(seen).toEqual(['n', now]);
  });

  it.each<[string, readonly (number | null)[], number | null]>([
    ['never when nobody asks', [null, null], null],
    ['at the soonest time anybody asks for', [now + 9, null, now + 5], now + 5],
  ])('is to be repeated %s', (_, asked, expected) => {
    const capabilities = asked.map((recheckAt) => capability({ decides: { recheckAt } }));
    expect(evaluate({ capabilities }).recheckAt).toBe(expected);
  });
});

describe('a capability that throws', () => {
  const failing = (throws: unknown) => capability({ name: 'broken', throws });

  it.each<[string, NodeCapability]>([
    ['in decide', failing(new Error('no such rule'))],
    [
      'in gather',
      capability({
        name: 'broken',
        gather() {
          throw new Error('no such rule');
        },
      }),
    ],
    ['what is not an error', failing('no such rule')],
  ])('%s is unknown on this node and wishes nothing', (_, broken) => {
    const { conclusion, decisions } = evaluate({ capabilities: [broken] });
    expect(conclusion.verdicts).toEqual([
      {
        capability: 'broken',
        parent: 'broken',
        outcome: 'unknown',
        reason: 'InternalError',
        message: 'no such rule',
      },
    ]);
    expect(decisions).toMatchObject([
      { decision: { wish: {}, requests: [], recheckAt: null }, failure: { message: 'no such rule' } },
    ]);
  });

  it('does not keep the others from deciding', () => {
    const wish = { labels: { team: labelWish('team', present()).wish } };
    const capabilities = [failing(new Error('x')), capability({ decides: { wish, verdicts: [verdict()] } })];
    const { decisions, conclusion } = evaluate({ capabilities });
    expect(decisions[1]).toMatchObject({ decision: { wish }, failure: null });
    expect(conclusion.verdicts.map(({ outcome }) => outcome)).toEqual(['unknown', 'satisfied']);
  });
});

describe('the update of a node', () => {
  const conditionsOf = (given: Given) =>
    Object.fromEntries(evaluate(given).conclusion.conditions.map(({ type, status }) => [type, status]));

  it('is over when nobody watches updates', () => {
    expect(evaluate().conclusion).toMatchObject({
      phase: 'Completed',
      version: 'v1.36.3',
      desiredVersion: '',
    });
    expect(conditionsOf({})).toEqual({ Updating: 'False', Available: 'True', Degraded: 'False' });
  });

  it.each<[string, NodeSketch]>([
    ['its kubelet is not ready', { ready: 'False' }],
    ['its kubelet is silent', { ready: 'Unknown' }],
    ['it is cordoned', { isCordoned: true }],
  ])('leaves the node unavailable while %s', (_, node) => {
    expect(conditionsOf({ node })['Available']).toBe('False');
  });

  it('keeps the time of a condition whose status is the same', () => {
    const later = now + 60_000;
    const { conditions } = evaluate({
      node: { ready: 'False' },
      previous: stateAfter({}),
      at: later,
    }).conclusion;
    expect(conditions.map(({ type, lastTransitionTime }) => [type, lastTransitionTime])).toEqual([
      ['Updating', '2026-01-01T00:00:00Z'],
      ['Available', '2026-01-01T00:01:00Z'],
      ['Degraded', '2026-01-01T00:00:00Z'],
    ]);
  });

  it('is what a capability says that watches updates', () => {
    const update: UpdateAssessment = {
      version: 'v1',
      desiredVersion: 'v2',
      currentConfig: 'old',
      desiredConfig: 'new',
      conditions: [],
      phase: 'Draining',
      message: 'draining',
    };
    const capabilities = [capability(), capability({ decides: { update } })];
    expect(evaluate({ capabilities }).conclusion).toMatchObject(update);
  });
});
