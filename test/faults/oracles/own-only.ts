// I1: no operator changes a label, annotation, taint or any other field of a node that is not ours, and foreign taints keep their
// order and all that they say.

import { canonical } from '../../../src/base/hash.ts';
import { annotationKeys, bootstrapMarkerPrefix, ruleFinalizers } from '../../../src/api/keys.ts';
import { isRecord, recordsIn, textOf } from '../../../src/objects/raw.ts';
import type { WriteRecord } from '../../../src/sim/faults/records.ts';
import type { Run } from '../run.ts';
import { at, changedKeys, isAsking, isOwn, type Oracle, resources, stringMap, taintMap } from './oracle.ts';

const owned: readonly string[] = [
  resources.nodes,
  resources.lifecycles,
  resources.stamps,
  resources.gateRules,
  resources.rules,
  resources.evaluations,
  resources.verifications,
  resources.pods,
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
  if (isAsking(resource)) return strangeToAsker(before, after);
  if (resource !== resources.nodes) return [];
  if (before === null || after === null) return ['a node is created or deleted'];
  const labels = changedKeys(stringMap(before.metadata?.labels), stringMap(after.metadata?.labels));
  const annotations = changedKeys(
    stringMap(before.metadata?.annotations),
    stringMap(after.metadata?.annotations),
  );
  const taints = changedKeys(taintMap(before), taintMap(after));
  const [had, has] = [before, after].map((node) => foreignTaints(node, ours.taints));
  return [
    ...labels.filter((key) => !ours.labels.includes(key)).map((key) => `label ${key}`),
    ...annotations.filter((key) => !isOurAnnotation(key)).map((key) => `annotation ${key}`),
    ...taints.filter((id) => !ours.taints.includes(id)).map((id) => `taint ${id}`),
    ...(canonical(had) === canonical(has) ? [] : ['the order of foreign taints, or what one of them says']),
    ...(restOf(before) === restOf(after) ? [] : ['another field of the node']),
  ];
}

/** Of what people wrote the operator changes nothing but its own finalizer and note; the status is its answer. */
function strangeToAsker(before: unknown, after: unknown): readonly string[] {
  if (before === null) return ['an object of people is created'];
  // The last finalizer takes the object with it.
  if (after === null)
    return at(before, 'metadata', 'deletionTimestamp') ? [] : ['an object of people is deleted'];
  const [was, is] = [before, after].map((object) => ({
    spec: at(object, 'spec'),
    labels: at(object, 'metadata', 'labels'),
    annotations: [...stringMap(at(object, 'metadata', 'annotations'))].filter(
      ([key]) => key !== annotationKeys.ruleTaints,
    ),
    finalizers: finalizersOf(object).filter((name) => !ourFinalizers.includes(name)),
  }));
  return canonical(was) === canonical(is) ? [] : ['the spec or the metadata of another'];
}

const ourFinalizers: readonly string[] = Object.values(ruleFinalizers);

function finalizersOf(object: unknown): readonly string[] {
  const names = at(object, 'metadata', 'finalizers');
  return Array.isArray(names) ? names.map(textOf) : [];
}

function isOurAnnotation(key: string): boolean {
  const own: readonly string[] = [annotationKeys.owned, annotationKeys.verify];
  return own.includes(key) || key.startsWith(bootstrapMarkerPrefix);
}

/** Whole, in their order. */
function foreignTaints(node: unknown, ours: readonly string[]): readonly unknown[] {
  return recordsIn(at(node, 'spec', 'taints')).filter(
    (taint) => !ours.includes(`${textOf(taint['key'])}:${textOf(taint['effect'])}`),
  );
}

/** All but what is judged above, and what the server writes itself. */
function restOf(node: unknown): string {
  const { spec, metadata, ...rest } = recordOf(node);
  const { taints: _taints, ...specified } = recordOf(spec);
  const {
    labels: _labels,
    annotations: _annotations,
    resourceVersion: _resourceVersion,
    generation: _generation,
    managedFields: _managedFields,
    ...described
  } = recordOf(metadata);
  return canonical({ ...rest, specified, described });
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}
