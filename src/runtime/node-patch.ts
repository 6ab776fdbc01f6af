// From wishes to one Node patch: what changes, why, and the ownership record that goes with it. Pure. Keys that no wish names
// stay as they are, in the node and in the record; foreign taints keep their place.

import type { Instant } from '../base/clock.ts';
import { formatTime } from '../base/timestamp.ts';
import { annotationKeys } from '../api/keys.ts';
import { isListed, type OwnedKey, recordFrom } from '../fleet/owned-keys.ts';
import { isReservedKey } from '../objects/label-key.ts';
import type { NodeView } from '../objects/node.ts';
import { formatOwned, type OwnedEntry, type OwnedRecord, parseOwned } from '../objects/owned.ts';
import { mergePatch } from '../objects/patch.ts';
import { fieldsOf, isRecord, recordsIn, textOf } from '../objects/raw.ts';
import {
  findTaint,
  keepsPodsAway,
  parseTaintId,
  type Taint,
  taintId,
  withoutTaint,
  withTaint,
} from '../objects/taint.ts';
import type { KeyKind, KeyWish, MergedKeyWish } from '../objects/wish.ts';

export type KeyChange = {
  readonly kind: KeyKind;
  readonly key: string;
  readonly capability: string;
  readonly owner: string;
  /** Undefined: not there. */
  readonly from: string | undefined;
  readonly to: string | undefined;
  /** It was there before us, with this value or another, and is ours from now on. */
  readonly isAdoption?: true;
};

export type NodePatchPlan = {
  /** The guarded merge patch, or null when the node is as wished. */
  readonly patch: unknown;
  readonly changes: readonly KeyChange[];
  /** release: it only lets pods in. gate: it keeps some away. */
  readonly direction: 'release' | 'gate' | 'neither';
  readonly isRecordUnreadable: boolean;
};

export function planNodePatch(
  node: NodeView,
  wishes: readonly MergedKeyWish[],
  listed: readonly OwnedKey[],
): NodePatchPlan {
  const parsed = parseOwned(node.annotations[annotationKeys.owned]);
  const isRecordUnreadable = parsed.kind === 'unreadable';
  const draft = draftOf(node, parsed.kind === 'record' ? parsed.record : recordFrom(listed, node));
  const changes: KeyChange[] = [];
  for (const merged of wishes) {
    const current = valueAt(draft, merged);
    const entry = own(draft.record[merged.kind], merged.key);
    const step = stepFor(merged, {
      current,
      entry,
      listed,
      isRecordUnreadable,
    });
    write(draft, merged, step);
    const isAdopted = isAdoption(merged.wish, { current, before: entry, after: step.entry });
    if (step.value !== current || isAdopted) {
      const { kind, key, capability, wish } = merged;
      const change = { kind, key, capability, owner: wish.owner, from: current, to: step.value };
      changes.push(isAdopted ? { ...change, isAdoption: true } : change);
    }
  }
  return { patch: patchOf(node, draft), changes, direction: directionOf(changes), isRecordUnreadable };
}

type Handover = {
  readonly current: string | undefined;
  readonly before: OwnedEntry | undefined;
  readonly after: OwnedEntry | undefined;
};

function isAdoption(wish: KeyWish, { current, before, after }: Handover): boolean {
  const isAdopting = wish.kind === 'present' && wish.prior === 'adopt';
  return isAdopting && current !== undefined && before === undefined && after !== undefined;
}

/** The plan with the time on taints that evict: since when is what their tolerations count from. */
export function withTimeAdded(plan: NodePatchPlan, node: NodeView, now: Instant): NodePatchPlan {
  const { patch } = plan;
  const spec = fieldsOf(fieldsOf(patch)['spec']);
  if (!isRecord(patch) || !Array.isArray(spec['taints'])) return plan;
  const taints = recordsIn(spec['taints']).map((taint) => {
    const id = taintId({ key: textOf(taint['key']), effect: textOf(taint['effect']) });
    const isNew = taint['effect'] === 'NoExecute' && findTaint(node.taints, id) === undefined;
    return isNew ? { ...taint, timeAdded: formatTime(now) } : taint;
  });
  return { ...plan, patch: { ...patch, spec: { ...spec, taints } } };
}

type Draft = {
  readonly labels: Record<string, string>;
  readonly annotations: Record<string, string>;
  taints: readonly Taint[];
  readonly record: Record<KeyKind, Record<string, OwnedEntry>>;
};

function draftOf(node: NodeView, record: OwnedRecord): Draft {
  return {
    labels: { ...node.labels },
    annotations: { ...node.annotations },
    taints: node.taints,
    record: {
      labels: { ...record.labels },
      annotations: { ...record.annotations },
      taints: { ...record.taints },
    },
  };
}

type Standing = {
  readonly current: string | undefined;
  readonly entry: OwnedEntry | undefined;
  readonly listed: readonly OwnedKey[];
  readonly isRecordUnreadable: boolean;
};

type Step = { readonly value: string | undefined; readonly entry: OwnedEntry | undefined };

function stepFor(merged: MergedKeyWish, standing: Standing): Step {
  return merged.wish.kind === 'present'
    ? stepToPresent(merged.wish, standing)
    : stepToAbsent(merged, standing);
}

function stepToPresent(wish: Extract<KeyWish, { kind: 'present' }>, { current, entry }: Standing): Step {
  const found = entry === undefined ? (wish.prior === 'restore' ? current : undefined) : entry.found;
  return {
    value: wish.value,
    entry: { owner: wish.owner, wrote: wish.value, ...(found === undefined ? {} : { found }) },
  };
}

/**
 * With an unreadable record nothing is removed: this pass rebuilds the record, the next one can decide. What its owner
 * names goes for good: a value that came back would be removed by the next pass. What is recorded gives back what was
 * there, unless a stranger has taken the key over meanwhile.
 */
function stepToAbsent(
  { kind, key, wish }: MergedKeyWish,
  { current, entry, listed, isRecordUnreadable }: Standing,
): Step {
  if (isRecordUnreadable) return { value: current, entry };
  if (wish.kind === 'absent' && wish.basis === 'named') return { value: undefined, entry: undefined };
  if (entry === undefined || current !== entry.wrote) return { value: current, entry: undefined };
  const givenBack: Step = { value: isReservedKey(key) ? undefined : entry.found, entry: undefined };
  if (isAttested(wish, entry)) return givenBack;
  if (!isListed(listed, { kind, key, value: entry.wrote })) return { value: current, entry };
  return givenBack;
}

function isAttested(wish: KeyWish, { owner }: OwnedEntry): boolean {
  return wish.kind === 'absent' && wish.basis === 'attested' && wish.owner === owner;
}

function valueAt(draft: Draft, { kind, key }: MergedKeyWish): string | undefined {
  return kind === 'taints' ? findTaint(draft.taints, key)?.value : own(draft[kind], key);
}

/** `constructor` is a valid label: what every object inherits is not what this one carries. */
function own<T>(map: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(map, key) ? map[key] : undefined;
}

function write(draft: Draft, { kind, key }: MergedKeyWish, { value, entry }: Step): void {
  if (entry === undefined) delete draft.record[kind][key];
  else draft.record[kind][key] = entry;
  if (kind === 'taints') {
    draft.taints =
      value === undefined
        ? withoutTaint(draft.taints, key)
        : withTaint(draft.taints, { ...parseTaintId(key), value });
  } else if (value === undefined) delete draft[kind][key];
  else draft[kind][key] = value;
}

function patchOf(node: NodeView, draft: Draft): unknown {
  const owned = formatOwned(draft.record);
  const annotations = { ...draft.annotations };
  if (owned === null) delete annotations[annotationKeys.owned];
  else annotations[annotationKeys.owned] = owned;
  const before = {
    metadata: { labels: node.labels, annotations: node.annotations },
    spec: { taints: node.taints },
  };
  const after = { metadata: { labels: draft.labels, annotations }, spec: { taints: draft.taints } };
  const patch = mergePatch(before, after);
  if (!isRecord(patch)) return null;
  const metadata = fieldsOf(patch['metadata']);
  return { ...patch, metadata: { ...metadata, uid: node.uid, resourceVersion: node.resourceVersion } };
}

function directionOf(changes: readonly KeyChange[]): NodePatchPlan['direction'] {
  const taints = changes.filter(
    ({ kind, key, from, to }) =>
      kind === 'taints' && isGate(key) && (from === undefined) !== (to === undefined),
  );
  if (taints.some(({ to }) => to !== undefined)) return 'gate';
  return taints.length === 0 ? 'neither' : 'release';
}

function isGate(key: string): boolean {
  return keepsPodsAway({ ...parseTaintId(key), value: '' });
}
