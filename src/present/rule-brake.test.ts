import { describe, expect, it } from 'vitest';
import { type RuleSketch, ruleView } from '../../test/support/rule-builder.ts';
import { brakeBlocks, type BrakeFacts } from './rule-brake.ts';
import { ruleFacts } from './rule-facts.ts';
import { formatStory } from './story.ts';

describe('what lifts the brake', () => {
  const brake: BrakeFacts = {
    pools: null,
    wantedNodes: 12,
    isWithinOwnBudget: true,
    isWithoutPolicy: false,
    isObserving: false,
    pauses: [],
    leftAlone: [],
    areOthersHeld: true,
  };
  const refused = { type: 'NoExecuteNotAllowed', status: 'True', reason: 'NoExecuteNotAllowed', message: '' };
  const advice = (more: Partial<BrakeFacts>, sketch: RuleSketch = {}) => {
    const view = ruleView(sketch);
    const { status } = ruleFacts(view, '');
    const blocks = brakeBlocks({ view, status, brake: { ...brake, ...more } });
    const story = { answer: '', sections: [{ title: 'The brake', blocks }] };
    return formatStory(story, { columns: 80, hasColour: false }).join('\n').replaceAll(/\s+/g, ' ');
  };

  it('is consent to this generation and this many nodes', () => {
    expect(advice({}, { generation: 4 })).toContain(
      'kubectl annotate nrgr cni --overwrite muster.dev/confirm-impact=4/12',
    );
  });

  it('is the authority of the policy where that is to observe', () => {
    expect(advice({ isObserving: true })).toContain('To let it gate: kubectl edit dp default');
  });

  it('is a longer list of keys where NoExecute is not allowed', () => {
    expect(advice({}, { status: { conditions: [refused] } })).toContain(
      'set spec.authority to act and add readiness.k8s.io/NetworkReady to spec.noExecute.allowedTaintKeys: kubectl edit dp default',
    );
  });

  it('is a policy to begin with where there is none to edit', () => {
    const words = advice({ isWithoutPolicy: true }, { status: { conditions: [refused] } });
    const [, policy = ''] = /echo '(.*)' \| kubectl create/.exec(words) ?? [];
    expect(JSON.parse(policy)).toEqual({
      apiVersion: 'muster.dev/v1alpha1',
      kind: 'DisruptionPolicy',
      metadata: { name: 'default' },
      spec: { authority: 'act', noExecute: { allowedTaintKeys: ['readiness.k8s.io/NetworkReady'] } },
    });
  });

  it('is the policy where pods would be evicted, because no consent lifts that', () => {
    const taint = { key: 'readiness.k8s.io/NetworkReady', effect: 'NoExecute' };
    const words = advice({}, { spec: { taint } });
    expect(words).toContain('spec.noExecute.percent and spec.noExecute.nodes of the policy');
    expect(words).not.toContain('confirm-impact');
  });

  it('is no consent and no budget where the policy says to leave every one of them alone', () => {
    const words = advice({ leftAlone: ['a (debugging)'], areOthersHeld: false });
    expect(words).toContain('The policy says to leave alone: a (debugging)');
    expect(words).not.toContain('confirm-impact');
  });

  it("is the rule's own budget first, which no consent lifts", () => {
    const words = advice({}, { spec: { maxNewlyGated: 3 } });
    expect(words.indexOf('kubectl edit nrgr cni')).toBeLessThan(words.indexOf('confirm-impact'));
    expect(words).toContain('kubectl edit nrgr cni');
  });

  it("is the rule's own budget alone while that is spent", () => {
    const words = advice({ isWithinOwnBudget: false }, { spec: { maxNewlyGated: 3 } });
    expect(words).toContain('kubectl edit nrgr cni');
    expect(words).not.toContain('confirm-impact');
  });

  it.each([
    ['4/9', 'muster.dev/confirm-impact=4/9 lets this generation gate up to 9 nodes in service.'],
    ['3/9', 'counts for nothing: it is for generation 3, and this is generation 4.'],
    ['9', 'counts for nothing: it must be <generation>/<nodes>.'],
    ['4/many', 'counts for nothing: it must be <generation>/<nodes>.'],
    ['4/9 ', 'muster.dev/confirm-impact="4/9 " counts for nothing: it must be <generation>/<nodes>.'],
    ['9'.repeat(3_000), `muster.dev/confirm-impact="${'9'.repeat(39)}…" counts for nothing`],
  ])('is not forgotten where somebody has consented by %s already', (given, words) => {
    const annotations = { 'muster.dev/confirm-impact': given };
    expect(advice({}, { generation: 4, annotations })).toContain(words);
  });

  it('leaves out what the policy says to leave alone', () => {
    expect(advice({ leftAlone: ['a', 'b'] })).toContain('The policy says to leave alone: a, b.');
  });
});
