// An oracle judges one run by what the server stored and was asked, never by what the operator says of itself. The reference is
// the same scenario on a calm schedule without faults.

import {
  nodeLifecycleType,
  nodeReadinessEvaluationType,
  nodeReadinessGateRuleType,
  nodeReadinessRuleType,
  nodeVerificationType,
} from '../../../src/api/keys.ts';
import { isRecord, recordsIn, textOf } from '../../../src/objects/raw.ts';
import { eventType, leaseType, nodeType, podType, resourceName } from '../../../src/objects/ref.ts';
import type { CallRecord, WriteRecord } from '../../../src/sim/faults/records.ts';
import { stampType } from '../../support/stamp-type.ts';
import type { Run } from '../run.ts';

export type Oracle = {
  readonly name: string;
  /** What is wrong, in sentences; nothing when the invariant holds. */
  judge(run: Run, reference: Run): readonly string[];
};

export type Breach = { readonly oracle: string; readonly message: string };

export const resources = {
  nodes: resourceName(nodeType),
  lifecycles: resourceName(nodeLifecycleType),
  stamps: resourceName(stampType),
  gateRules: resourceName(nodeReadinessGateRuleType),
  rules: resourceName(nodeReadinessRuleType),
  evaluations: resourceName(nodeReadinessEvaluationType),
  verifications: resourceName(nodeVerificationType),
  pods: resourceName(podType),
  leases: resourceName(leaseType),
  events: resourceName(eventType),
  /** As the server stores them: both APIs of Events are fronts of one bucket. */
  storedEvents: eventType.plural,
} as const;

/** Objects of people that ask something of nodes, and in whose status the operator answers. */
const asking: readonly string[] = [
  resources.stamps,
  resources.gateRules,
  resources.rules,
  resources.verifications,
];

export function isAsking(resource: string): boolean {
  return asking.includes(resource);
}

/** By an operator, not by the story, the server's controllers or a stranger. */
export function isOwn({ by }: WriteRecord): boolean {
  return /^[a-i]#\d+$/.test(by);
}

export function isWriteCall({ verb }: CallRecord): boolean {
  return verb === 'create' || verb === 'replace' || verb === 'patch' || verb === 'delete';
}

export function callWords({ instance, verb, resource, ref }: CallRecord): string {
  return `${instance} ${verb} ${resource}/${ref.name}`;
}

export function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((each, field) => (isRecord(each) ? each[field] : undefined), value);
}

/** `key:effect` to value. */
export function taintMap(node: unknown): ReadonlyMap<string, string> {
  return new Map(
    recordsIn(at(node, 'spec', 'taints')).map((taint) => [
      `${textOf(taint['key'])}:${textOf(taint['effect'])}`,
      textOf(taint['value']),
    ]),
  );
}

export function stringMap(value: unknown): ReadonlyMap<string, string> {
  return new Map(Object.entries(isRecord(value) ? value : {}).map(([key, text]) => [key, textOf(text)]));
}

export function changedKeys(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): readonly string[] {
  const keys = new Set([...before.keys(), ...after.keys()]);
  return [...keys].filter((key) => before.get(key) !== after.get(key));
}
