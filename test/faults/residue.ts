// What an operator that has been told to let go must not leave behind: keys of ours on nodes, and records of nodes that are gone.

import { annotationKeys } from '../../src/api/keys.ts';
import { isRecord, recordsIn } from '../../src/objects/raw.ts';
import type { EndState, SeenObject } from './end-state.ts';

export type OurKeys = { readonly labels: readonly string[]; readonly taints: readonly string[] };

export function residueOf(end: EndState, ours: OurKeys): readonly string[] {
  return Object.entries(end).flatMap(([name, object]) => {
    if (!name.startsWith('nodes/')) return [];
    const labels = ours.labels.filter((key) => object.labels[key] !== undefined);
    const taints = taintsOf(object)
      .map((taint) => `${String(taint['key'])}:${String(taint['effect'])}`)
      .filter((id) => ours.taints.includes(id));
    const record = object.annotations[annotationKeys.owned] === undefined ? [] : ['ownership record'];
    return [...labels, ...taints, ...record].map((key) => `${key} is left on ${name}`);
  });
}

export function taintsOf(object: SeenObject | undefined): readonly Readonly<Record<string, unknown>>[] {
  return isRecord(object?.spec) ? recordsIn(object.spec['taints']) : [];
}

/** Nodes that do not carry this taint although they should. */
export function untainted(end: EndState, names: readonly string[], id: string): readonly string[] {
  return names
    .filter((name) => !carries(end[`nodes/${name}`], id))
    .map((name) => `node ${name} does not carry ${id}`);
}

/** Nodes that carry this taint although they should not. */
export function tainted(end: EndState, names: readonly string[], id: string): readonly string[] {
  return names
    .filter((name) => carries(end[`nodes/${name}`], id))
    .map((name) => `node ${name} still carries ${id}`);
}

function carries(node: SeenObject | undefined, id: string): boolean {
  return taintsOf(node).some(({ key, effect }) => `${String(key)}:${String(effect)}` === id);
}

/** Records must be there for exactly these nodes. */
export function misrecorded(end: EndState, names: readonly string[]): readonly string[] {
  const recorded = Object.keys(end).filter((name) => name.startsWith('nodelifecycles/'));
  const wanted = names.map((name) => `nodelifecycles/${name}`);
  return [
    ...wanted.filter((name) => !recorded.includes(name)).map((name) => `${name} is missing`),
    ...recorded.filter((name) => !wanted.includes(name)).map((name) => `${name} should be gone`),
  ];
}
