// Whether a pod can go to a node, as the scheduler's filters see it: selector, affinity, taints, cordon, resources. Pure.
// Not here: preferences, pod affinity, topology spread, volumes, preemption.

import { systemTaintKeys } from '../api/keys.ts';
import { compareQuantities, parseQuantity } from '../objects/quantity.ts';
import { fieldsOf, ownValue, type RawObject, recordsIn, textOf } from '../objects/raw.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What is asked for or free, in thousandths by resource name. */
export type Amounts = ReadonlyMap<string, bigint>;

export type Fit =
  | { readonly kind: 'fits' }
  /** In the scheduler's words, for counting: `node(s) didn't match Pod's node affinity/selector`. */
  | { readonly kind: 'unfit'; readonly why: string };

export type NodeRoom = { readonly node: RawObject; readonly used: Amounts; readonly pods: number };

export function fit(pod: RawObject, { node, used, pods }: NodeRoom): Fit {
  if (!matchesAffinity(pod, node)) return unfit("node(s) didn't match Pod's node affinity/selector");
  if (fieldsOf(node.spec)['unschedulable'] === true && !tolerates(pod, cordon))
    return unfit('node(s) were unschedulable');
  if (untolerated(pod, node) !== null) return unfit('node(s) had untolerated taint(s)');
  const allocatable = amountsOf(fieldsOf(fieldsOf(node.status)['allocatable']));
  if (BigInt(pods + 1) * 1000n > (allocatable.get('pods') ?? 0n)) return unfit('Too many pods');
  const short = [...requestsOf(pod)].find(
    ([name, asked]) => asked > 0n && asked + (used.get(name) ?? 0n) > (allocatable.get(name) ?? 0n),
  );
  return short === undefined ? { kind: 'fits' } : unfit(`Insufficient ${short[0]}`);
}

const cordon: Fields = { key: systemTaintKeys.unschedulable, effect: 'NoSchedule' };

/** nodeName, nodeSelector and required node affinity, matchFields of metadata.name included. */
export function matchesAffinity(pod: RawObject, node: RawObject): boolean {
  const spec = fieldsOf(pod.spec);
  const labels = node.metadata?.labels ?? {};
  const wanted = Object.entries(fieldsOf(spec['nodeSelector']));
  if (!wanted.every(([key, value]) => ownValue(labels, key) === value)) return false;
  const required = fieldsOf(fieldsOf(spec['affinity'])['nodeAffinity'])[
    'requiredDuringSchedulingIgnoredDuringExecution'
  ];
  if (required === undefined || required === null) return true;
  return recordsIn(fieldsOf(required)['nodeSelectorTerms']).some((term) => matchesTerm(term, node));
}

/** The first taint that keeps the pod away; PreferNoSchedule never does. */
export function untolerated(pod: RawObject, node: RawObject): Fields | null {
  const taints = recordsIn(fieldsOf(node.spec)['taints']);
  return taints.find((taint) => taint['effect'] !== 'PreferNoSchedule' && !tolerates(pod, taint)) ?? null;
}

/** How long a pod may stay on a node with taints that evict: 0 when it has to leave now, null for ever. */
export function evictionMs(pod: RawObject, node: RawObject): number | null {
  const evicting = recordsIn(fieldsOf(node.spec)['taints']).filter(({ effect }) => effect === 'NoExecute');
  const waits = evicting.map((taint) => {
    const seconds = tolerationsOf(pod, taint).map(({ tolerationSeconds }) => tolerationSeconds);
    if (seconds.length === 0) return 0;
    const limits = seconds.filter((each) => typeof each === 'number');
    return limits.length === 0 ? null : Math.max(0, Math.min(...limits)) * 1000;
  });
  const bounded = waits.filter((each) => each !== null);
  return bounded.length === 0 ? null : Math.min(...bounded);
}

export function requestsOf(pod: RawObject): Amounts {
  const spec = fieldsOf(pod.spec);
  const sum = new Map<string, bigint>();
  for (const container of recordsIn(spec['containers']))
    for (const [name, milli] of asked(container)) sum.set(name, (sum.get(name) ?? 0n) + milli);
  // Init containers run one after the other, so the hungriest counts.
  for (const container of recordsIn(spec['initContainers']))
    for (const [name, milli] of asked(container)) if (milli > (sum.get(name) ?? 0n)) sum.set(name, milli);
  return sum;
}

/** `0/3 nodes are available: 1 Insufficient cpu, 2 node(s) had untolerated taint(s).` */
export function unschedulableMessage(nodes: number, reasons: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const parts = [...counts].map(([reason, count]) => `${count} ${reason}`).sort();
  return parts.length === 0
    ? `0/${nodes} nodes are available.`
    : `0/${nodes} nodes are available: ${parts.join(', ')}.`;
}

function matchesTerm(term: Fields, node: RawObject): boolean {
  const labels = recordsIn(term['matchExpressions']);
  const names = recordsIn(term['matchFields']);
  // A term that asks for nothing matches nothing.
  if (labels.length + names.length === 0) return false;
  return (
    labels.every((each) => holds(each, ownValue(node.metadata?.labels ?? {}, textOf(each['key'])))) &&
    names.every((each) => holds(each, each['key'] === 'metadata.name' ? node.metadata?.name : undefined))
  );
}

function holds(requirement: Fields, value: string | undefined): boolean {
  const listed = requirement['values'];
  const values: readonly unknown[] = Array.isArray(listed) ? listed : [];
  switch (requirement['operator']) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'Gt':
      return value !== undefined && Number(value) > Number(values[0]);
    case 'Lt':
      return value !== undefined && Number(value) < Number(values[0]);
    default:
      return false;
  }
}

function tolerates(pod: RawObject, taint: Fields): boolean {
  return tolerationsOf(pod, taint).length > 0;
}

function tolerationsOf(pod: RawObject, taint: Fields): readonly Fields[] {
  return recordsIn(fieldsOf(pod.spec)['tolerations']).filter((toleration) => {
    const { key, operator, value, effect } = toleration;
    if (textOf(effect) !== '' && effect !== taint['effect']) return false;
    if (textOf(key) === '') return operator === 'Exists';
    if (key !== taint['key']) return false;
    return operator === 'Exists' || textOf(value) === textOf(taint['value']);
  });
}

function asked(container: Fields): Amounts {
  const { requests, limits } = fieldsOf(container['resources']);
  return amountsOf({ ...fieldsOf(limits), ...fieldsOf(requests) });
}

function amountsOf(quantities: Fields): Amounts {
  const amounts = new Map<string, bigint>();
  for (const [name, value] of Object.entries(quantities)) {
    const parsed = parseQuantity(typeof value === 'number' ? String(value) : textOf(value));
    if (parsed.kind === 'ok' && compareQuantities(parsed.value, { milli: 0n }) > 0)
      amounts.set(name, parsed.value.milli);
  }
  return amounts;
}

function unfit(why: string): Fit {
  return { kind: 'unfit', why };
}
