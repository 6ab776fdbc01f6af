import { describe, expect, it } from 'vitest';
import { ruleView, type RuleSketch } from '../../test/support/rule-builder.ts';
import { ruleFacts, ruleLabel, ruleStates, toneOfState } from './rule-facts.ts';
import { formatRules } from './rule-list.ts';

const at = '2026-01-01T00:00:00Z';
const condition = (type: string, status: string, reason: string) => ({
  type,
  status,
  reason,
  message: '',
  observedGeneration: 1,
  lastTransitionTime: at,
});
const summary = {
  totalApplicableNodes: 3,
  nodesWithTaint: 1,
  nodesWithoutTaint: 2,
  nodesReady: 2,
  nodesNotReady: 1,
};
const states = (sketch: RuleSketch, peer = '') => ruleStates(ruleFacts(ruleView(sketch), peer));

describe('the states of a rule', () => {
  it.each<[string, RuleSketch, readonly string[]]>([
    ['nobody has reported on it', {}, ['Applying']],
    ['it is applied', { status: { conditions: [condition('Ready', 'True', 'Applied')] } }, ['Applied']],
    [
      'it was applied before it changed',
      { generation: 2, status: { conditions: [condition('Ready', 'True', 'Applied')] } },
      ['Applying'],
    ],
    [
      'it is suspended and a dry run',
      { spec: { suspend: true, dryRun: true } },
      ['RuleSuspended', 'RuleIsDryRun'],
    ],
    ['it is being deleted', { isDeleting: true }, ['RuleBeingDeleted']],
    ['it cannot be read', { spec: { nodeSelector: {} } }, ['InvalidRule']],
    ['nodes are held', { status: { summary: { ...summary, heldNodes: 4 } } }, ['GatingIsHeld']],
    [
      'it is degraded and in conflict',
      {
        status: {
          conditions: [
            condition('Degraded', 'True', 'UnknownPredecessor'),
            condition('Conflict', 'True', 'RuleConflict'),
          ],
        },
      },
      ['UnknownPredecessor', 'RuleConflict'],
    ],
  ])('when %s', (_sentence, sketch, expected) => expect(states(sketch)).toEqual(expected));

  it('begin with the other controller that serves the kind', () => {
    expect(states({ spec: { dryRun: true } }, 'nrc-7f')).toEqual(['PeerPresent', 'RuleIsDryRun']);
  });

  it('are painted by their weight', () => {
    expect(['Applied', 'GatingIsHeld', 'RuleConflict', 'NodesFailing'].map(toneOfState)).toEqual([
      'good',
      'busy',
      'bad',
      'bad',
    ]);
  });
});

describe('a line of a rule', () => {
  const line = (sketch: RuleSketch) => {
    const now = Date.parse(at) + 180_000;
    const [, text = ''] = formatRules([ruleFacts(ruleView(sketch), '')], now, {
      columns: 80,
      hasColour: false,
    });
    return text.split(/ {2,}/);
  };

  it('shows a dash for what nobody has reported', () => {
    expect(line({})).toEqual(['nrgr/cni', 'continuous', 'NetworkReady', '-', '-', '-', 'Applying', '3m']);
  });

  it('shows the effect of a taint where it is not the usual one', () => {
    expect(line({ spec: { taint: { key: 'readiness.k8s.io/gpu', effect: 'NoExecute' } } })[2]).toBe(
      'gpu:NoExecute',
    );
  });

  it('shows the weightiest state and how many more there are', () => {
    expect(line({ spec: { suspend: true, dryRun: true } }).at(-2)).toBe('RuleSuspended +1');
  });

  it('names a rule of the other kind so that kubectl understands it', () => {
    expect(ruleLabel(ruleView({ front: 'NodeReadinessRule', name: 'storage' }))).toBe('nrr/storage');
  });
});
