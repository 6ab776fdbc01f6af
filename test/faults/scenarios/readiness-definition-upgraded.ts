// The definitions of our kinds are upgraded while we run: a version more, which is stored from now on, and a field more, which a newer
// version of us fills. All watches end, every object is migrated to another resourceVersion, and nodes change meanwhile. Nothing is
// gated or released for it, and what we do not know is never written by turns.

import { crdManifest, type KindDefinition } from '../../../src/api/crd.ts';
import { nodeLifecycleType, nodeReadinessGateRuleType } from '../../../src/api/keys.ts';
import { nodeLifecycleKind } from '../../../src/api/node-lifecycle.ts';
import { nodeReadinessEvaluationKind } from '../../../src/api/node-readiness-evaluation.ts';
import { nodeReadinessGateRuleKind } from '../../../src/api/node-readiness-gate-rule.ts';
import { fieldsOf, type RawObject } from '../../../src/objects/raw.ts';
import { at } from '../oracles/oracle.ts';
import { untainted } from '../residue.ts';
import { blue, gate, misevaluated, network, ruleSpec } from '../rules.ts';
import type { Scenario } from '../scenario.ts';

const outlook = { type: 'string', maxLength: 20 };

/** The version that was stored is served as before; all have one schema. */
function upgraded(kind: KindDefinition): RawObject {
  const properties = { ...fieldsOf(at(kind.status, 'properties')), outlook };
  return crdManifest({
    ...kind,
    type: { ...kind.type, version: 'v1' },
    olderVersions: [{ name: kind.type.version, deprecationWarning: 'use v1' }, ...(kind.olderVersions ?? [])],
    status: { ...kind.status, properties },
  });
}

const kinds = [nodeLifecycleKind, nodeReadinessGateRuleKind, nodeReadinessEvaluationKind];
const definitions = kinds.map(upgraded);

export const readinessDefinitionUpgraded: Scenario = {
  name: 'readiness-definition-upgraded',
  folders: ['src/capabilities/readiness', 'src/runtime', 'src/kube'],
  capability: 'readiness',
  replicas: 1,
  leadership: 'alone',
  ours: { labels: [], taints: [gate] },
  world(cluster) {
    cluster.joinNode('a', blue('False'));
    cluster.joinNode('b', blue('True'));
    cluster.put(nodeReadinessGateRuleType, 'cni', ruleSpec());
  },
  story: [
    {
      atMs: 8_000,
      by: 'person',
      does(cluster) {
        for (const definition of definitions) cluster.putDefinition(definition);
      },
    },
    { atMs: 8_001, by: 'kubelet', does: (cluster) => cluster.report('a', network, 'True') },
    { atMs: 12_000, by: 'person', does: (cluster) => kinds.forEach(({ type }) => cluster.migrate(type)) },
    { atMs: 12_001, by: 'kubelet', does: (cluster) => cluster.report('b', network, 'False') },
    {
      atMs: 20_000,
      by: 'controller',
      does(cluster) {
        cluster.tell(nodeLifecycleType, 'a', { outlook: 'fair' });
        cluster.tell(nodeReadinessGateRuleType, 'cni', { outlook: 'fair' });
      },
    },
    { atMs: 75_000, by: 'kubelet', does: (cluster) => cluster.report('a', network, 'False') },
  ],
  expect: (end) => [...untainted(end, ['a', 'b'], gate), ...misevaluated(end, ['cni-a', 'cni-b'])],
};
