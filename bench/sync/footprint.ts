// What one node costs in each of the operator's stores: the memory that stays when nothing but that store is kept. Runs in a
// process of its own and without a network, so that nothing else is counted.

import { noAnswers } from '../../src/runtime/asked.ts';
import { defaultPoolLabels, nodeReadinessGateRuleType } from '../../src/api/keys.ts';
import { readinessSpecs } from '../../src/capabilities/readiness/specs.ts';
import { nextLifecycle } from '../../src/fleet/lifecycle.ts';
import type { NodeState } from '../../src/fleet/node-state.ts';
import { createPoolResolver, createPoolSelectorCache } from '../../src/fleet/pools.ts';
import { createNodeStateStore } from '../../src/fleet/store.ts';
import { createCache, type ObjectCache } from '../../src/kube/cache.ts';
import { createIntern } from '../../src/kube/intern.ts';
import type { NodeView } from '../../src/objects/node.ts';
import type { ObjectView, RawObject } from '../../src/objects/raw.ts';
import { type EvaluationFacts, evaluateNode } from '../../src/runtime/evaluate.ts';
import { lifecycleSpec, nodeSpec } from '../../src/runtime/specs.ts';
import { bytesKept } from '../heap.ts';
import { generateNode } from './nodes.ts';

const seed = 1;
const size = Number(process.argv[2]);
const now = Date.UTC(2026, 10, 16);
const pools = createPoolResolver(createPoolSelectorCache(), defaultPoolLabels);
const intern = createIntern();

/** No capability, as long as the product has none. */
const idle: Pick<EvaluationFacts, 'capabilities' | 'caches'> = {
  capabilities: [],
  caches: {
    of() {
      throw new Error('nobody asks');
    },
  },
};

const nodes = createCache(nodeSpec, options());
const states = createNodeStateStore();
const lifecycles = createCache(lifecycleSpec, options());
const { evaluations: evaluationSpec } = readinessSpecs({ nodes: nodeSpec, lifecycles: lifecycleSpec });
const evaluations = createCache(evaluationSpec, options());

const bytesOf = {
  Node: costOf(() => fill(nodes, (index) => generateNode({ seed, index }))),
  NodeState: costOf(() => {
    for (const node of nodes.values()) conclude(node);
  }),
  NodeLifecycle: costOf(() => {
    const views = [...nodes.values()];
    fill(lifecycles, (index) => recordOf(views[index] as NodeView));
  }),
  'NodeReadinessEvaluations of ten rules': costOf(() => {
    const views = [...nodes.values()];
    for (let rule = 0; rule < 10; rule += 1) {
      fill(evaluations, (index) => evaluationOf(`rule-${rule}`, views[index] as NodeView));
    }
  }),
};
const kept = [nodes.size, states.count(), lifecycles.size, evaluations.size];
process.send?.({ kind: 'footprint', bytesOf, kept });
process.disconnect?.();

function options() {
  const fail = (cause: unknown) => {
    throw new Error('the cache refused an object of the bench', { cause });
  };
  return { intern, onUnreadable: (_key: string, cause: unknown) => fail(cause), onListenerFault: fail };
}

function costOf(add: () => void): number {
  const before = bytesKept();
  add();
  return (bytesKept() - before) / size;
}

/** Through JSON, because strings that were put together in memory are kept in pieces. */
function fill<V extends ObjectView>(cache: ObjectCache<V>, make: (index: number) => RawObject): void {
  for (let index = 0; index < size; index += 1) {
    cache.apply('ADDED', JSON.parse(JSON.stringify(make(index))) as RawObject);
  }
}

function conclude(node: NodeView): void {
  const { conclusion } = evaluateNode({ ...idle, node, pools, previous: undefined, answers: noAnswers, now });
  states.set(conclusion, { at: now, triggerSource: 'Node', resourceVersion: node.resourceVersion });
}

/** The record of a node that joined, became ready and takes work. */
function recordOf(node: NodeView): RawObject {
  const state = states.get(node.name) as NodeState;
  const joined = { ...node, conditions: [], taints: [] };
  const birth = { node: joined, state, wishes: [], isSettled: false, previous: {}, now };
  const { status: previous } = nextLifecycle(birth);
  const { status } = nextLifecycle({ ...birth, node, isSettled: true, previous, now: now + 60_000 });
  return {
    metadata: { name: node.name, uid: node.uid, resourceVersion: node.resourceVersion },
    spec: { nodeName: node.name, nodeUID: node.uid },
    status,
  };
}

/** The evaluation of a node that is ready, as the operator leaves it. */
function evaluationOf(rule: string, { name, uid, resourceVersion }: NodeView): RawObject {
  const condition = { type: 'network.k8s.io/CalicoReady', requiredStatus: 'True', currentStatus: 'True' };
  return {
    metadata: {
      name: `${rule}-${name}`,
      uid,
      resourceVersion,
      labels: { rule, node: name },
      ownerReferences: [{ kind: nodeReadinessGateRuleType.kind, name: rule, uid }],
    },
    spec: { ruleName: rule, nodeName: name, ruleGeneration: 1 },
    status: {
      conditionResults: [{ ...condition, satisfied: true, missing: false }],
      allConditionsSatisfied: true,
      taintStatus: 'Absent',
    },
  };
}
