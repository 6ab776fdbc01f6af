import { describe, expect, it } from 'vitest';
import { rawNode } from '../../../test/support/node-builder.ts';
import { carriedOut, decided, taintsOf } from '../../../test/support/readiness-decision.ts';
import { cni, gate } from '../../../test/support/readiness-scene.ts';
import type { RuleSketch } from '../../../test/support/rule-builder.ts';
import type { RawObject } from '../../objects/raw.ts';

const blue = { labels: { pool: 'blue' } };

describe('rules', () => {
  it.each<[string, RuleSketch, number]>([
    ['were suspended meanwhile', { generation: 3, spec: { suspend: true } }, 1],
    ['became a dry run meanwhile', { generation: 3, spec: { dryRun: true } }, 1],
    ['waited for other rules by now', { generation: 2, spec: { after: ['other'] } }, 1],
    ['never were more than a dry run', { generation: 2, spec: { dryRun: true } }, 0],
    ['were suspended from the beginning', { generation: 2, spec: { suspend: true } }, 0],
  ])('that are deleted and %s have what may be under way recorded, or nothing', (_, sketch, count) => {
    const { wish, verdicts } = decided(rawNode(blue), [{ ...sketch, isDeleting: true }]);
    expect([Object.keys(wish.taints ?? {}).length, verdicts.length]).toEqual([count, count]);
  });

  describe('that are deleted wait', () => {
    const left = (node: RawObject, rules: readonly RuleSketch[]) =>
      decided(node, rules).verdicts.filter(({ reason }) => reason === 'RuleLeft');
    const gated = () => carriedOut(rawNode(blue), [{}]);
    const deleted: RuleSketch = { isDeleting: true };

    it('for their taint', () => expect(left(gated(), [deleted])).toHaveLength(1));

    it.each<[string, object]>([
      ['suspended', { suspend: true }],
      ['not met', {}],
    ])('for none that another rule has the say over, which is %s', (_, spec) =>
      expect(left(gated(), [deleted, { name: 'other', spec }])).toEqual([]),
    );

    it('for one that another rule is about to let go of', () => {
      const { status } = rawNode({ conditions: { [cni]: 'True' } });
      expect(left({ ...gated(), status }, [deleted, { name: 'other' }])).toHaveLength(1);
    });

    it('for none that merely the node says is theirs', () => {
      const forged = carriedOut(rawNode({ ...blue, taints: [{ key: 'x', effect: 'NoSchedule' }] }), [{}]);
      const record = JSON.stringify({
        taints: { 'x:NoSchedule': { owner: 'readiness/NodeReadinessGateRule/cni', wrote: '' } },
      });
      const annotations = { ...forged.metadata?.annotations, 'muster.dev/owned': record };
      const node = { ...forged, spec: { taints: [{ key: 'x', effect: 'NoSchedule' }] } };
      const ready = { ...node, status: rawNode({ conditions: { [cni]: 'True' } }).status };
      expect(left({ ...ready, metadata: { ...node.metadata, annotations } }, [deleted])).toEqual([]);
    });
  });

  describe('of mode bootstrap-only', () => {
    const bootstrap = (spec: object = {}) => ({ spec: { enforcementMode: 'bootstrap-only', ...spec } });
    const key = 'readiness.k8s.io/bootstrap-completed-uid-of-cni';
    const done = (value = '{}') => ({ ...blue, annotations: { [key]: value } });
    const healthy = { conditions: { [cni]: 'True' } };

    it('free a node that was marked and left with the taint by another controller, once it is ready', () => {
      const marked = { ...done(), taints: [gate] };
      expect(taintsOf(carriedOut(rawNode(marked), [bootstrap()]))).toEqual([gate]);
      expect(taintsOf(carriedOut(rawNode({ ...marked, ...healthy }), [bootstrap()]))).toEqual([]);
    });

    it('leave the taint of another rule on a node that is marked', () => {
      const both = [bootstrap(), { name: 'other' }];
      const gated = carriedOut(rawNode(done()), both);
      expect(taintsOf(gated)).toEqual([gate]);
      expect(decided(gated, both).verdicts.filter(({ reason }) => reason === 'RuleConflict')).toEqual([]);
    });

    it('take the marker of an earlier boot away when they gate anew', () => {
      const rebooted = rawNode({ ...done('{"boot-id":"boot-0"}'), bootID: 'boot-1' });
      const again = carriedOut(rebooted, [bootstrap({ bootstrap: { perBoot: true } })]);
      expect(taintsOf(again)).toEqual([gate]);
      expect(again.metadata?.annotations).not.toHaveProperty([key]);
    });
  });
});
