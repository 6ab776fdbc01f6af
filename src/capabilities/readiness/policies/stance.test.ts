import { describe, expect, it } from 'vitest';
import { nodeView, type NodeSketch } from '../../../../test/support/node-builder.ts';
import { cni } from '../../../../test/support/readiness-scene.ts';
import { ruleView } from '../../../../test/support/rule-builder.ts';
import { assessConditions } from './conditions.ts';
import { markerOf } from './marker.ts';
import { type StanceFacts, stanceOf, wouldBeStanceOf } from './stance.ts';

const noon = Date.UTC(2026, 0, 1, 12);

type Sketch = Partial<StanceFacts> & { readonly spec?: object; readonly on?: NodeSketch };

function facts({ spec = {}, on = {}, ...rest }: Sketch): StanceFacts {
  const view = ruleView({ spec });
  const node = nodeView(on);
  if (view.rule === null) throw new Error('the rule is good');
  return {
    view,
    rule: view.rule,
    node,
    hasTaint: false,
    wasReleased: true,
    isTaintRecorded: false,
    assessment: assessConditions(view.rule, node, noon),
    marker: markerOf(view, view.rule, node),
    pendingPredecessors: [],
    isPeerPresent: false,
    now: noon,
    ...rest,
  };
}

const met = { conditions: { [cni]: 'True' } };
const unmet = { conditions: { [cni]: 'False' } };
const metAt = (since: string) => ({ conditions: { [cni]: { status: 'True', since } } });
const unmetAt = (since: string) => ({ conditions: { [cni]: { status: 'False', since } } });
const done = { annotations: { 'readiness.k8s.io/bootstrap-completed-uid-of-cni': 'true' } };
const bootstrap = { enforcementMode: 'bootstrap-only' };

describe('a rule', () => {
  it.each<[string, Sketch, string, string]>([
    ['gates a node that lacks the condition', {}, 'gate', 'ConditionMissing'],
    ['gates a node whose condition is not met', { on: unmet }, 'gate', 'ConditionUnsatisfied'],
    ['releases a node whose condition is met', { on: met, hasTaint: true }, 'release', 'ConditionsSatisfied'],
    [
      'leaves a node alone while it is suspended',
      { spec: { suspend: true }, on: unmet },
      'keep',
      'RuleSuspended',
    ],
    ['does not speak in a dry run', { spec: { dryRun: true }, on: unmet }, 'abstain', 'RuleIsDryRun'],
    ['leaves a node to a peer', { isPeerPresent: true, on: unmet }, 'keep', 'PeerPresent'],
    [
      'waits for the rules before it',
      { pendingPredecessors: ['first'], on: unmet },
      'keep',
      'WaitingForRules',
    ],
    [
      'is done with a node after bootstrap',
      { spec: bootstrap, on: { ...unmet, ...done } },
      'withdraw',
      'BootstrapCompleted',
    ],
    [
      'goes on after bootstrap in mode continuous',
      { on: { ...unmet, ...done } },
      'gate',
      'ConditionUnsatisfied',
    ],
    [
      'waits until a gated node has been healthy for long enough',
      { spec: { healthyFor: '1m' }, on: metAt('2026-01-01T11:59:30Z'), hasTaint: true },
      'keep',
      'Stabilizing',
    ],
    [
      'releases a node that has been healthy for long enough',
      { spec: { healthyFor: '1m' }, on: metAt('2026-01-01T11:59:00Z'), hasTaint: true },
      'release',
      'ConditionsSatisfied',
    ],
    [
      'waits until a released node has been unhealthy for long enough',
      { spec: { unhealthyFor: '1m' }, on: unmetAt('2026-01-01T11:59:30Z') },
      'keep',
      'Stabilizing',
    ],
    [
      'gates a node that was never released at once',
      { spec: { unhealthyFor: '1m' }, on: unmetAt('2026-01-01T11:59:30Z'), wasReleased: false },
      'gate',
      'ConditionUnsatisfied',
    ],
    [
      'gates a node that has been unhealthy for long enough',
      { spec: { unhealthyFor: '1m' }, on: unmetAt('2026-01-01T11:59:00Z') },
      'gate',
      'ConditionUnsatisfied',
    ],
  ])('%s', (_, sketch, want, reason) => {
    expect(stanceOf(facts(sketch))).toMatchObject({ want, reason });
  });

  it('looks again when the wait is over', () => {
    const waiting = { spec: { healthyFor: '1m' }, on: metAt('2026-01-01T11:59:30Z'), hasTaint: true };
    expect(stanceOf(facts(waiting)).recheckAt).toBe(noon + 30_000);
  });

  it('takes a time of the future for now', () => {
    const early = { spec: { healthyFor: '1m' }, on: metAt('2026-01-01T12:00:30Z'), hasTaint: true };
    expect(stanceOf(facts(early)).recheckAt).toBe(noon + 60_000);
  });

  it('does not wait for a time that is further off than clocks differ', () => {
    const skewed = { spec: { healthyFor: '1m' }, on: metAt('2026-01-02T00:00:00Z'), hasTaint: true };
    expect(stanceOf(facts(skewed))).toMatchObject({ want: 'release', recheckAt: null });
  });

  it('marks a node when bootstrap completes, and only then', () => {
    expect(stanceOf(facts({ spec: bootstrap, on: met })).isMarking).toBe(true);
    expect(stanceOf(facts({ on: met })).isMarking).toBe(false);
    expect(stanceOf(facts({ spec: bootstrap, on: { ...met, ...done } })).isMarking).toBe(false);
  });

  it('says in a dry run what it would want', () => {
    expect(wouldBeStanceOf(facts({ spec: { dryRun: true }, on: unmet })).want).toBe('gate');
  });
});
