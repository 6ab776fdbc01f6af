import { describe, expect, it } from 'vitest';
import { rawNode, viewOfNode } from '../../test/support/node-builder.ts';
import { type RuleSketch, ruleView } from '../../test/support/rule-builder.ts';
import { type Evaluation, groupOf } from './evaluation.ts';
import { ruleFacts } from './rule-facts.ts';
import { needsAttention, ruleStory, type RuleStoryFacts } from './rule-story.ts';
import { formatStory } from './story.ts';

const cni = 'network.k8s.io/CalicoReady';
const now = Date.parse('2026-01-02T00:00:00Z');
const summary = (total: number, more: object = {}) => ({
  totalApplicableNodes: total,
  nodesWithTaint: 0,
  nodesWithoutTaint: total,
  nodesReady: total,
  nodesNotReady: 0,
  nodesUnknown: 0,
  lastUpdated: '2026-01-01T00:00:00Z',
  ...more,
});

function evaluation(sketch: Partial<Evaluation> = {}): Evaluation {
  const isMet = sketch.isMet ?? false;
  return {
    front: 'NodeReadinessGateRule',
    nodeName: 'a',
    generation: 1,
    results: [{ type: cni, current: isMet ? 'True' : 'False', required: 'True', isMet, isMissing: false }],
    isMet,
    hasTaint: false,
    reason: isMet ? 'ConditionsSatisfied' : 'ConditionUnsatisfied',
    since: now - 60_000,
    error: '',
    ...sketch,
  };
}

type Sketch = RuleSketch & { readonly more?: Partial<RuleStoryFacts> };

function factsOf({ more = {}, ...sketch }: Sketch): RuleStoryFacts {
  return {
    ...ruleFacts(ruleView(sketch), ''),
    evaluations: [],
    nodes: new Map(),
    rivals: [],
    brake: null,
    departure: null,
    blindSpots: [],
    now,
    ...more,
  };
}

const told = (sketch: Sketch) =>
  formatStory(ruleStory(factsOf(sketch)), { columns: 80, hasColour: false }).join('\n');
const oneLine = (sketch: Sketch) => told(sketch).replaceAll(/\s+/g, ' ');

describe('the group of a node', () => {
  const view = ruleView();
  it.each<[string, Partial<Evaluation>, string]>([
    ['failing when something went wrong', { error: 'refused', isMet: true }, 'failing'],
    ['outdated when the rule changed since', { generation: 0 }, 'outdated'],
    ['outdated when nothing was said yet', { reason: '' }, 'outdated'],
    ['waiting when it must be stable first', { reason: 'Stabilizing' }, 'waiting'],
    ['waiting when it is met and still tainted', { isMet: true, hasTaint: true }, 'waiting'],
    ['done after its bootstrap', { reason: 'BootstrapCompleted', isMet: false }, 'done'],
    ['free when it is met', { isMet: true }, 'free'],
    ['gated when it is not, with the taint', { hasTaint: true }, 'gated'],
    ['held when it is not, without the taint', {}, 'held'],
  ])('is %s', (_sentence, sketch, group) => expect(groupOf(evaluation(sketch), view)).toBe(group));

  it('is that of a dry run whatever was found', () => {
    expect(groupOf(evaluation(), ruleView({ spec: { dryRun: true } }))).toBe('dryRun');
  });
});

describe('the story of a rule', () => {
  it('names all that a rule asks for', () => {
    const words = oneLine({
      spec: {
        conditions: [
          { type: cni, requiredStatus: 'True' },
          { type: 'b', requiredStatus: 'False', defaultStatus: 'False' },
        ],
        conditionPolicy: 'anyOf',
        healthyFor: '30s',
        unhealthyFor: '1m',
        maxConditionAge: '10m',
        after: ['dns'],
        maxNewlyGated: '10%',
        nodeSelector: {
          matchLabels: { pool: 'blue' },
          matchExpressions: [
            { key: 'zone', operator: 'In', values: ['a', 'b'] },
            { key: 'arch', operator: 'NotIn', values: ['arm64'] },
            { key: 'gpu', operator: 'Exists' },
            { key: 'spot', operator: 'DoesNotExist' },
          ],
        },
      },
    });
    expect(words).toContain(
      'Nodes with pool=blue and zone in (a, b) and arch not in (arm64) and the label gpu and no label spot must have at least one of these conditions:',
    );
    expect(words).toContain('- b = False (counts as False while it is missing)');
    expect(words).toContain('The taint goes after 30 s of being so.');
    expect(words).toContain('gated again after 60 s of not being so.');
    expect(words).toContain('nobody confirmed for 600 s does not count.');
    expect(words).toContain('It leaves a node alone until it meets dns.');
    expect(words).toContain('It gates at most 10 % of the nodes in service of a pool.');
  });

  it('lists every problem of a rule that cannot be read', () => {
    const words = told({ spec: { nodeSelector: {}, enforcementMode: 'sometimes' } });
    expect(words).toContain('- spec.enforcementMode: "sometimes" is not a mode');
    expect(words).toContain('- spec.nodeSelector: is empty, which matches nothing');
  });

  it('says of a rule that is being deleted what is left of it, and nothing that was counted before', () => {
    const departure = { carriers: ['a'], isObserving: false, told: '' };
    const status = { summary: summary(12, { heldNodes: 3 }) };
    const said = oneLine({ isDeleting: true, status, more: { departure } });
    expect(said).toMatch(
      /^NodeReadinessGateRule cni: it is being deleted\..* 1 node still carries its taint: a\./,
    );
    expect(said).not.toMatch(/held|12/);
  });

  it('says so when no operator has reported', () => {
    expect(oneLine({})).toContain('No operator has reported on this rule yet.');
    expect(told({})).toMatch(/^NodeReadinessGateRule cni: nothing is known of its nodes yet\./);
  });

  it('says so when the rule selects no node', () => {
    expect(told({ status: { summary: summary(0) } })).toContain('The rule selects no node.');
  });

  it('counts from the summary where there are no evaluations', () => {
    const status = { summary: summary(40, { nodesReady: 30, nodesWithTaint: 10 }) };
    expect(oneLine({ status })).toContain(
      '40 without an evaluation (the operator keeps those that --evaluations asks for); of all its nodes 30 are ready, 10 carry the taint, 0 are held.',
    );
  });

  it('gives each cause of waiting its own line', () => {
    const evaluations = [
      evaluation({ nodeName: 'a', reason: 'Stabilizing' }),
      evaluation({ nodeName: 'b', reason: 'WaitingForRules' }),
      evaluation({ nodeName: 'c', reason: 'WaitingForRules' }),
    ];
    const words = oneLine({ status: { summary: summary(3) }, more: { evaluations } });
    expect(words).toContain(
      '1 waiting: The conditions changed too recently for the rule to act on it. (Stabilizing)',
    );
    expect(words).toMatch(/2 waiting: Rules that come before .* \(WaitingForRules\)/);
  });

  it('says since when a condition of the node itself has been so', () => {
    const condition = { status: 'False', since: '2026-01-01T18:00:00Z' };
    const node = viewOfNode(rawNode({ name: 'a', conditions: { [cni]: condition } }));
    const words = told({
      status: { summary: summary(1, { nodesWithTaint: 1 }) },
      more: { evaluations: [evaluation({ hasTaint: true })], nodes: new Map([['a', node]]) },
    });
    expect(words).toMatch(/a +6h +CalicoReady is False.*must be True/);
  });

  it('keeps full names where two conditions end alike', () => {
    const conditions = ['a.io/Up', 'b.io/Up'].map((type) => ({ type, requiredStatus: 'True' }));
    const results = conditions.map(({ type }) => ({
      type,
      current: 'Unknown',
      required: 'True',
      isMet: false,
      isMissing: true,
    }));
    const words = told({
      spec: { conditions },
      status: { summary: summary(1) },
      more: { evaluations: [evaluation({ results, hasTaint: true, reason: 'ConditionMissing' })] },
    });
    expect(words).toContain('a.io/Up is missing, and 1 more');
  });

  it('shows the longest sufferers first, five of each group', () => {
    const evaluations = Array.from({ length: 7 }, (_, index) =>
      evaluation({ nodeName: `n${index}`, hasTaint: true, since: now - index * 3_600_000 }),
    );
    const words = told({ status: { summary: summary(7) }, more: { evaluations } });
    expect(words).toContain('Gated nodes, 5 of 7');
    expect([...words.matchAll(/^ {2}(n\d)/gm)].map(([, name]) => name)).toEqual([
      'n6',
      'n5',
      'n4',
      'n3',
      'n2',
    ]);
  });

  it('names the other controller and what could not be seen', () => {
    const words = oneLine({ more: { peer: 'nrc-7f', blindSpots: ['The DisruptionPolicy: forbidden'] } });
    expect(words).toContain('It is nrc-7f that serves rules of this kind.');
    expect(words).toContain('Not seen The DisruptionPolicy: forbidden');
  });
});

describe('a conflict of a rule', () => {
  it('with somebody who undoes its changes is told in the words of the operator, and names no other rule', () => {
    const message = 'a: somebody keeps undoing our change of gate:NoSchedule';
    const conditions = [{ type: 'Conflict', status: 'True', reason: 'Contested', message }];
    const text = oneLine({ status: { summary: summary(1), conditions } });
    expect(text).toContain('Conflict The operator says: a: somebody keeps undoing our change of gate');
    expect(text).toContain('(Contested)');
    expect(text).not.toMatch(/belongs to|RuleConflict/);
  });

  describe('with another rule over one taint', () => {
    const conditions = [
      { type: 'Conflict', status: 'True', reason: 'RuleConflict', message: 'a: belongs to old too' },
    ];
    const storyWith = (heldNodes: { own: number; older: number }, evaluations = [evaluation()]) => {
      const status = { summary: summary(2, { heldNodes: heldNodes.own }), conditions };
      const older = { summary: summary(2, { heldNodes: heldNodes.older }) };
      const rivals = [
        ruleFacts(ruleView({ name: 'old', createdAt: '2026-01-01T00:00:00Z', status: older }), ''),
      ];
      return oneLine({
        name: 'young',
        createdAt: '2026-01-01T00:00:02Z',
        status,
        more: { rivals, evaluations },
      });
    };

    it('that is held itself speaks of nobody else, though the other one is older', () => {
      expect(storyWith({ own: 1, older: 0 })).not.toMatch(/on behalf of|explain rule/);
    });

    it('leads to the one on whose behalf its nodes are held', () => {
      expect(storyWith({ own: 0, older: 1 })).toContain(
        'The brake holds these nodes on behalf of nrgr/old: muster explain rule nrgr/old',
      );
    });

    it('leads to the other one for those nodes alone that it does not answer for itself', () => {
      const two = [evaluation(), evaluation({ nodeName: 'b' })];
      expect(storyWith({ own: 1, older: 1 }, two)).toContain(
        'The brake holds 1 of these nodes on behalf of nrgr/old: muster explain rule nrgr/old',
      );
    });
  });
});

describe('a rule that is a moment old', () => {
  it('is not said to select no node where some are evaluated already', () => {
    const words = oneLine({ status: { summary: summary(0) }, more: { evaluations: [evaluation()] } });
    expect(words).toContain('1 node is evaluated and not counted yet');
    expect(words).not.toContain('selects no node');
  });
});

describe('a rule that waits', () => {
  it('names the nodes that carry its taint meanwhile', () => {
    const waiting = { reason: 'WaitingForRules', isMet: false };
    const evaluations = [
      evaluation({ ...waiting, nodeName: 'a', hasTaint: true }),
      evaluation({ ...waiting, nodeName: 'b' }),
    ];
    expect(oneLine({ status: { summary: summary(2) }, more: { evaluations } })).toContain(
      'With the taint: a',
    );
  });
});

describe('a rule that needs attention', () => {
  it.each<[string, Sketch, boolean]>([
    ['is none that is applied everywhere', { status: { summary: summary(3) } }, false],
    ['is one with its taint on a node', { status: { summary: summary(3, { nodesWithTaint: 1 }) } }, true],
    ['is one that the brake holds', { status: { summary: summary(3, { heldNodes: 1 }) } }, true],
    ['is one that cannot be read', { spec: { nodeSelector: {} } }, true],
    [
      'is none that is a dry run, whatever taints are there',
      { spec: { dryRun: true }, status: { summary: summary(3, { nodesWithTaint: 1 }) } },
      false,
    ],
    ['is one with a failing node', { more: { evaluations: [evaluation({ error: 'refused' })] } }, true],
  ])('%s', (_sentence, sketch, expected) => expect(needsAttention(factsOf(sketch))).toBe(expected));
});
