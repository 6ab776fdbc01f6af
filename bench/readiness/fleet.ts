// The fleet of the bench on a real API server: nodes of the usual size, rules that gate all of them, and the writes by which
// their agents report. Every write is checked; one that is refused ends the run.

import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { formatTime } from '../../src/base/timestamp.ts';
import { fieldsOf, type RawObject } from '../../src/objects/raw.ts';
import { apiVersionOf, nodeType, type ObjectRef, type ResourceType } from '../../src/objects/ref.ts';
import type { Answer, KubeApi } from '../../src/runtime/ports.ts';
import { generateNode } from '../sync/nodes.ts';
import { conditionTypeOf, numbersBelow, ruleName, taintKeyOf } from './gates.ts';

const seed = 1;
export type Verdict = 'True' | 'False';

export function ruleOf(type: ResourceType, rule: number): RawObject {
  return {
    apiVersion: apiVersionOf(type),
    kind: type.kind,
    metadata: { name: ruleName(rule) },
    spec: {
      conditions: [{ type: conditionTypeOf(rule), requiredStatus: 'True' }],
      enforcementMode: 'continuous',
      taint: { key: taintKeyOf(rule), effect: 'NoSchedule' },
      nodeSelector: { matchLabels: { 'kubernetes.io/os': 'linux' } },
    },
  };
}

export class Fleet {
  readonly names: readonly string[];
  readonly #api: KubeApi;
  readonly #nodes: ReadonlyMap<string, RawObject>;
  readonly #rules: number;

  constructor(api: KubeApi, { nodes, rules }: { readonly nodes: number; readonly rules: number }) {
    const made = numbersBelow(nodes).map((index) => bodyOf(generateNode({ seed, index })));
    this.#api = api;
    this.#rules = rules;
    this.#nodes = new Map(made.map((node) => [node.metadata?.name ?? '', node]));
    this.names = [...this.#nodes.keys()];
  }

  /** As a kubelet does: registered, and freed of the taint that the API server gives every new Node. */
  async create(name: string): Promise<void> {
    const node = this.#nodes.get(name) ?? {};
    expectDone(await this.#api.create(refOf(name), node));
    const taints = fieldsOf(node.spec)['taints'] ?? [];
    expectDone(await this.#api.patch(refOf(name), { kind: 'merge', body: { spec: { taints } } }));
  }

  /** All conditions that the rules ask for, in one write. */
  async report(name: string, status: Verdict): Promise<void> {
    const at = formatTime(Date.now());
    const conditions = numbersBelow(this.#rules).map((rule) => ({
      type: conditionTypeOf(rule),
      status,
      reason: 'Bench',
      message: 'said by the bench',
      lastHeartbeatTime: at,
      lastTransitionTime: at,
    }));
    const patch = { kind: 'strategic', body: { status: { conditions } } } as const;
    expectDone(await this.#api.patch(refOf(name), patch, { subresource: 'status' }));
  }
}

/** Without what only a server sets. */
function bodyOf({ metadata, spec, status }: RawObject): RawObject {
  const { name = '', labels = {}, annotations = {} } = metadata ?? {};
  return { apiVersion: 'v1', kind: 'Node', metadata: { name, labels, annotations }, spec, status };
}

function refOf(name: string): ObjectRef {
  return { type: nodeType, namespace: '', name };
}

export function expectDone<T>(answer: Answer<T>): T {
  if (answer.kind === 'ok') return answer.value;
  throw new Error(`a write of the bench was refused: ${answer.error.reason} ${answer.error.message}`);
}

/** So many at a time; the first failure ends it. */
export async function eachOf<T>(
  items: readonly T[],
  inFlight: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = items.toReversed();
  const lane = async () => {
    for (let item = waiting.pop(); item !== undefined; item = waiting.pop()) await work(item);
  };
  await Promise.all(Array.from({ length: inFlight }, lane));
}

/** Started at an even rate, whether the ones before have been answered or not. */
export async function atRate(
  names: readonly string[],
  perSecond: number,
  work: (name: string) => Promise<void>,
): Promise<void> {
  const startedMs = performance.now();
  const under = names.map(async (name, index) => {
    await pause(Math.max(0, startedMs + (index * 1_000) / perSecond - performance.now()));
    await work(name);
  });
  await Promise.all(under);
}
