// Who asks for which key on which node, read from the objects of people and from the node as the server stores them. A second,
// smaller telling of what the capabilities decide, so that an oracle never believes the code that it judges: it knows the selectors
// and conditions that scenarios use, and refuses others.

import { bootstrapMarkerPrefix } from '../../../src/api/keys.ts';
import { isRecord, recordsIn, textOf } from '../../../src/objects/raw.ts';
import { at, resources, stringMap } from './oracle.ts';

/** `Label team`, `Taint gate:NoSchedule`. */
export function keysAskedOn(resource: string, asker: unknown, node: unknown): readonly string[] {
  if (resource === resources.stamps) return isStamped(asker, node) ? keysNamed(asker) : [];
  return isGating(asker, node) ? [taintAsked(asker)] : [];
}

/** The keys that a Stamp names, wherever it wants them. */
export function keysNamed(stamp: unknown): readonly string[] {
  const labels = stringMap(at(stamp, 'spec', 'labels')).keys();
  const taints = stringMap(at(stamp, 'spec', 'taints')).keys();
  return [...[...labels].map((key) => `Label ${key}`), ...[...taints].map((id) => `Taint ${id}`)];
}

function isStamped(stamp: unknown, node: unknown): boolean {
  const on = at(stamp, 'spec', 'on');
  return on === undefined || at(node, 'metadata', 'labels', textOf(at(on, 'label'))) === at(on, 'value');
}

/** The taint that a rule names. */
export function taintAsked(rule: unknown): string {
  return `Taint ${textOf(at(rule, 'spec', 'taint', 'key'))}:${textOf(at(rule, 'spec', 'taint', 'effect'))}`;
}

/** A rule that selects the node, is not through with it, and finds a condition that is not as it requires. */
function isGating(rule: unknown, node: unknown): boolean {
  const spec = at(rule, 'spec');
  if (!isRecord(spec)) return false;
  for (const field of ['conditionPolicy', 'suspend', 'after', 'maxConditionAge'])
    if (spec[field] !== undefined) throw new Error(`the model of a rule does not know ${field}`);
  if (spec['dryRun'] === true) return false;
  return (
    isSelecting(rule, node) &&
    !isMarked(rule, node) &&
    recordsIn(spec['conditions']).some((each) => isUnmet(each, node))
  );
}

/** A rule that is not being deleted selects the node. */
export function isSelecting(rule: unknown, node: unknown): boolean {
  if (!isRecord(node) || at(rule, 'metadata', 'deletionTimestamp') !== undefined) return false;
  return [...stringMap(at(rule, 'spec', 'nodeSelector', 'matchLabels'))].every(
    ([key, value]) => at(node, 'metadata', 'labels', key) === value,
  );
}

/** The node says that a rule of mode bootstrap-only is done with it. */
export function isMarked(rule: unknown, node: unknown): boolean {
  const marker = `${bootstrapMarkerPrefix}${textOf(at(rule, 'metadata', 'uid'))}`;
  return (
    at(rule, 'spec', 'enforcementMode') === 'bootstrap-only' &&
    at(node, 'metadata', 'annotations', marker) !== undefined
  );
}

function isUnmet(required: Readonly<Record<string, unknown>>, node: unknown): boolean {
  const found = recordsIn(at(node, 'status', 'conditions')).find(({ type }) => type === required['type']);
  const status = found?.['status'] ?? required['defaultStatus'] ?? 'Unknown';
  return status !== required['requiredStatus'];
}
