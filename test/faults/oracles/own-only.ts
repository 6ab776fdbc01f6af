// I1: no operator changes a label, annotation, taint or field that is not ours, and foreign taints keep their order.

import { canonical } from '../../../src/base/hash.ts';
import { annotationKeys } from '../../../src/api/keys.ts';
import type { WriteRecord } from '../../../src/sim/faults/records.ts';
import type { Run } from '../run.ts';
import { at, changedKeys, isOwn, type Oracle, resources, stringMap, taintMap } from './oracle.ts';

const owned: readonly string[] = [
  resources.nodes,
  resources.lifecycles,
  resources.stamps,
  resources.leases,
  resources.storedEvents,
];

export const ownOnly: Oracle = {
  name: 'I1 own only',
  judge: (run) =>
    run.writes.filter(isOwn).flatMap((write) => {
      const where = `${write.by} @${write.revision} ${write.resource}/${write.key}`;
      return strange(write, run).map((what) => `${where}: ${what}`);
    }),
};

function strange(write: WriteRecord, { scenario: { ours } }: Run): readonly string[] {
  const { resource, before, after } = write;
  if (!owned.includes(resource)) return ['a kind that is none of ours'];
  if (resource === resources.stamps)
    return canonical(at(before, 'spec')) === canonical(at(after, 'spec')) ? [] : ['the spec of another'];
  if (resource !== resources.nodes) return [];
  if (before === null || after === null) return ['a node is created or deleted'];
  const labels = changedKeys(stringMap(before.metadata?.labels), stringMap(after.metadata?.labels));
  const annotations = changedKeys(
    stringMap(before.metadata?.annotations),
    stringMap(after.metadata?.annotations),
  );
  const taints = changedKeys(taintMap(before), taintMap(after));
  const order = [before, after].map((node) =>
    [...taintMap(node).keys()].filter((id) => !ours.taints.includes(id)),
  );
  return [
    ...labels.filter((key) => !ours.labels.includes(key)).map((key) => `label ${key}`),
    ...annotations.filter((key) => key !== annotationKeys.owned).map((key) => `annotation ${key}`),
    ...taints.filter((id) => !ours.taints.includes(id)).map((id) => `taint ${id}`),
    ...(canonical(order[0]) === canonical(order[1]) ? [] : ['the order of foreign taints']),
    ...(restOf(before) === restOf(after) ? [] : ['another field of the node']),
  ];
}

function restOf(node: unknown): string {
  const { taints: _taints, ...spec } = (at(node, 'spec') ?? {}) as Record<string, unknown>;
  return canonical({ spec, status: at(node, 'status') });
}
