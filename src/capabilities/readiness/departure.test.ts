import { describe, expect, it } from 'vitest';
import { ruleView } from '../../../test/support/rule-builder.ts';
import { departureStatus } from './departure.ts';
import type { GateRuleStatus } from './report-facts.ts';

const now = Date.UTC(2026, 0, 1, 12, 0, 5);
const conflict = {
  type: 'Conflict',
  status: 'False' as const,
  reason: 'AsExpected',
  message: '',
  lastTransitionTime: '2026-01-01T12:00:00Z',
};
const applied: GateRuleStatus = {
  observedGeneration: 1,
  summary: {
    totalApplicableNodes: 4,
    nodesWithTaint: 4,
    nodesWithoutTaint: 0,
    nodesReady: 0,
    nodesNotReady: 4,
    nodesUnknown: 0,
    conditionSummaries: [],
    lastUpdated: '2026-01-01T12:00:00Z',
  },
  conditions: [
    { ...conflict, type: 'Ready', status: 'True', reason: 'Applied', message: 'on 4 nodes' },
    conflict,
  ],
};

type Left = { readonly nodeNames?: readonly string[]; readonly hasEvaluations?: boolean };

function departure({ nodeNames = [], hasEvaluations = false }: Left, status: object = applied, at = now) {
  const view = ruleView({ isDeleting: true, generation: 2, status });
  return departureStatus({ view, nodeNames, hasEvaluations, now: at });
}

describe('the status of a rule that is being deleted', () => {
  it('says what it waits for, and keeps all else that was said but its counts', () => {
    expect(departure({ nodeNames: ['a', 'b', 'c', 'd'], hasEvaluations: true })).toEqual({
      observedGeneration: 1,
      conditions: [
        {
          type: 'Ready',
          status: 'False',
          reason: 'RuleBeingDeleted',
          message: 'waits for what is its own to go from a, b, c and others, and for its evaluations to go',
          lastTransitionTime: '2026-01-01T12:00:05Z',
          observedGeneration: 2,
        },
        conflict,
      ],
    });
  });

  it('names no node where none has anything of it', () => {
    const { conditions = [] } = departure({ hasEvaluations: true }, {});
    expect(conditions.map(({ message }) => message)).toEqual(['waits for its evaluations to go']);
  });

  it('says the same when nothing has changed', () => {
    const first = departure({ nodeNames: ['a'] });
    expect(departure({ nodeNames: ['a'] }, first, now + 60_000)).toEqual(first);
  });
});
