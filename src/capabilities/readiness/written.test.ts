import { describe, expect, it } from 'vitest';
import { shelfCaches } from '../../../test/support/capability-builder.ts';
import { nodeView } from '../../../test/support/node-builder.ts';
import { recordedMetrics } from '../../../test/support/recorded-metrics.ts';
import { ruleView } from '../../../test/support/rule-builder.ts';
import type { KeyChange } from '../../runtime/node-patch.ts';
import { lifecycleSpec, nodeSpec } from '../../runtime/specs.ts';
import { createReadinessMetrics } from './metrics.ts';
import { readinessSpecs } from './specs.ts';
import { createWritten } from './written.ts';

const specs = readinessSpecs({ nodes: nodeSpec, lifecycles: lifecycleSpec });

function scene() {
  const metrics = recordedMetrics();
  const rule = ruleView({ spec: { enforcementMode: 'bootstrap-only' } });
  const caches = shelfCaches();
  caches.sync(specs.rules.NodeReadinessGateRule, rule);
  const written = createWritten(specs, createReadinessMetrics(metrics));
  const taint = {
    kind: 'taints',
    key: rule.rule?.taint ?? '',
    capability: 'readiness',
    owner: rule.owner,
  } as const;
  const tell = (uid: string, change: Pick<KeyChange, 'from' | 'to' | 'isAdoption'>) =>
    written({ node: nodeView({ uid }), changes: [{ ...taint, ...change }], caches, now: 0 });
  return {
    caches,
    adopt: (uid: string, value = '') => tell(uid, { from: value, to: '', isAdoption: true }),
    release: (uid: string) => tell(uid, { from: '', to: undefined }),
    heldAs: (origin: string) =>
      metrics.value('node_readiness_bootstrap_hold_duration_seconds', { rule: 'cni', taint_origin: origin }),
  };
}

describe('nodes that came with the taint of a rule', () => {
  it('are known as such until they are let go', () => {
    const { adopt, release, heldAs } = scene();
    adopt('a');
    release('a');
    release('a');
    expect([heldAs('adopted'), heldAs('controller')]).toEqual([1, 1]);
  });

  it('are told of, whatever value the taint had', () => {
    const { adopt, release, heldAs } = scene();
    expect(adopt('a', 'by-kubelet').map(({ reason }) => reason)).toEqual(['TaintAdopted']);
    release('a');
    expect(heldAs('adopted')).toBe(1);
  });

  it('are remembered up to a bound, the latest ones: many go without being let go', () => {
    const { adopt, release, heldAs } = scene();
    for (let node = 0; node <= 20_000; node++) adopt(`node-${node}`);
    release('node-0');
    release('node-1');
    expect([heldAs('adopted'), heldAs('controller')]).toEqual([1, 1]);
  });
});

describe('what a patch did to a node', () => {
  const change = (rule: string, from: string | undefined, to: string | undefined): KeyChange => ({
    kind: 'taints',
    key: `readiness.k8s.io/${rule}:NoSchedule`,
    capability: 'readiness',
    owner: `readiness/NodeReadinessGateRule/${rule}`,
    from,
    to,
  });
  const told = (...changes: readonly KeyChange[]) =>
    createWritten(
      specs,
      createReadinessMetrics(recordedMetrics()),
    )({
      node: nodeView({ uid: 'a' }),
      changes,
      caches: scene().caches,
      now: 0,
    }).map(({ reason, note }) => [reason, note]);

  it('is one event of each kind, however many rules had their part in it', () => {
    expect(
      told(change('cni', '', undefined), change('gpu', undefined, ''), change('disk', '', undefined)),
    ).toEqual([
      ['TaintAdded', 'taint readiness.k8s.io/gpu:NoSchedule added by rule gpu'],
      [
        'TaintRemoved',
        'taint readiness.k8s.io/cni:NoSchedule removed by rule cni; taint readiness.k8s.io/disk:NoSchedule removed by rule disk',
      ],
    ]);
  });

  it.each([
    ['of the first boot', undefined, '{"boot-id":"2"}', ['BootstrapCompleted']],
    ['of another boot', '{"boot-id":"1"}', '{"boot-id":"2"}', ['BootstrapCompleted']],
    ['that merely comes to say of which boot it is', 'true', '{"boot-id":"2"}', []],
    ['that goes', '{"boot-id":"1"}', undefined, []],
  ])('is told of a marker %s', (_, from, to, reasons) => {
    const key = 'readiness.k8s.io/bootstrap-completed-uid-of-cni';
    const marker = { ...change('cni', from, to), kind: 'annotations', key } as const;
    expect(told(marker).map(([reason]) => reason)).toEqual(reasons);
  });

  it('is no event where only the value of a taint was put right', () => {
    expect(told(change('cni', 'x', ''))).toEqual([]);
  });
});
