// What an operator leaves behind at an API server for one rule whose nodes are half gated and half held: the rule with its
// status, and for each node the Node, its record and its evaluation.

import { crdManifest } from '../../src/api/crd.ts';
import {
  nodeLifecycleType,
  nodeReadinessEvaluationType,
  nodeReadinessGateRuleType,
} from '../../src/api/keys.ts';
import { kinds } from '../../src/api/kinds.ts';
import {
  apiVersionOf,
  customResourceDefinitionType,
  nodeType,
  type ResourceType,
} from '../../src/objects/ref.ts';

const AT_ONCE = 32;
const at = '2026-11-01T00:00:00Z';
const calico = 'network.k8s.io/CalicoReady';
const taint = { key: 'readiness.k8s.io/NetworkReady', effect: 'NoSchedule' };

export async function fillFleet(url: string, nodes: number): Promise<void> {
  const { create, setStatus } = clientOf(url);
  for (const kind of kinds) await create(customResourceDefinitionType, { ...crdManifest(kind) });
  const rule = await create(nodeReadinessGateRuleType, {
    metadata: { name: 'network' },
    spec: {
      conditions: [{ type: calico, requiredStatus: 'True' }],
      enforcementMode: 'continuous',
      taint,
      nodeSelector: { matchLabels: { pool: 'blue' } },
    },
  });
  const gated = Math.floor(nodes / 2);
  await setStatus(nodeReadinessGateRuleType, 'network', ruleStatus(nodes, gated));
  const waiting = Array.from({ length: nodes }, (_, index) => ({
    name: `node-${String(index).padStart(5, '0')}`,
    isGated: index < gated,
  }));
  const worker = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { name, isGated } = next;
      await create(nodeType, { metadata: { name, labels: { pool: 'blue' } } });
      await setStatus(nodeType, name, {
        conditions: [condition('Ready', 'True'), condition(calico, 'False')],
      });
      await create(nodeLifecycleType, { metadata: { name }, spec: { nodeName: name, nodeUID: name } });
      await setStatus(nodeLifecycleType, name, record(isGated));
      const evaluation = `network-${name}`;
      const owner = {
        apiVersion: apiVersionOf(nodeReadinessGateRuleType),
        kind: nodeReadinessGateRuleType.kind,
      };
      await create(nodeReadinessEvaluationType, {
        metadata: { name: evaluation, ownerReferences: [{ ...owner, name: 'network', uid: uidOf(rule) }] },
        spec: { ruleName: 'network', nodeName: name, ruleGeneration: 1 },
      });
      await setStatus(nodeReadinessEvaluationType, evaluation, found(isGated));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

function clientOf(url: string) {
  const send = async (method: string, route: string, body: object): Promise<unknown> => {
    const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
    const reply = await fetch(`${url}${route}`, {
      method,
      headers: { 'content-type': type },
      body: JSON.stringify(body),
    });
    if (!reply.ok) throw new Error(`${method} ${route}: ${reply.status} ${await reply.text()}`);
    return reply.json();
  };
  const routeOf = (type: ResourceType) =>
    `${type.group === '' ? '/api' : '/apis'}/${apiVersionOf(type)}/${type.plural}`;
  return {
    create: (type: ResourceType, body: object) =>
      send('POST', routeOf(type), { apiVersion: apiVersionOf(type), kind: type.kind, ...body }),
    setStatus: (type: ResourceType, name: string, status: object) =>
      send('PATCH', `${routeOf(type)}/${name}/status`, { status }),
  };
}

function uidOf(object: unknown): string {
  return (object as { metadata: { uid: string } }).metadata.uid;
}

function condition(type: string, status: string) {
  return { type, status, reason: 'Measured', message: '', lastTransitionTime: at, lastHeartbeatTime: at };
}

function ruleStatus(nodes: number, gated: number) {
  const counts = { nodesReady: 0, nodesNotReady: nodes, nodesUnknown: 0, heldNodes: nodes - gated };
  const taints = { totalApplicableNodes: nodes, nodesWithTaint: gated, nodesWithoutTaint: nodes - gated };
  return {
    summary: { ...taints, ...counts, lastUpdated: at },
    conditions: [
      {
        type: 'Ready',
        status: 'False',
        reason: 'GatingIsHeld',
        message: 'node-00500 and others',
        observedGeneration: 1,
        lastTransitionTime: at,
      },
    ],
  };
}

/** As large as such a record is in a cluster: with a timeline and the gate, about 1.5 KB. */
function record(isGated: boolean) {
  const entry = (stage: string) => ({
    at,
    stage,
    reason: 'NoOpenGate',
    message: 'a change of stage in words',
  });
  const gate = {
    kind: 'Own',
    ...taint,
    reason: 'ConditionUnsatisfied',
    message: `${calico} is False`,
    since: at,
  };
  return {
    stage: isGated ? 'Gated' : 'InService',
    stageSince: at,
    pool: 'blue',
    firstReleasedAt: at,
    gates: isGated ? [gate] : [],
    owned: isGated
      ? [{ kind: 'Taint', ...taint, value: '', owner: 'readiness/NodeReadinessGateRule/network' }]
      : [],
    timeline: Array.from({ length: 8 }, (_, index) => entry(index % 2 === 0 ? 'InService' : 'Gated')),
  };
}

function found(isGated: boolean) {
  return {
    conditionResults: [
      { type: calico, currentStatus: 'False', requiredStatus: 'True', satisfied: false, missing: false },
    ],
    allConditionsSatisfied: false,
    taintStatus: isGated ? 'Present' : 'Absent',
    reason: 'ConditionUnsatisfied',
    lastEvaluated: at,
    evaluationCount: 3,
  };
}
