// What a pass leaves out because somebody keeps undoing it, or because it was changed to and fro too often. Other changes of the node
// go on, and so does every release of a gate that we set ourselves.

import { soonest } from '../base/clock.ts';
import type { NodeView } from '../objects/node.ts';
import { keepsPodsAway, parseTaintId } from '../objects/taint.ts';
import type { MergedWish } from '../objects/wish.ts';
import type { Contests } from './contests.ts';
import type { KeyChange } from './node-patch.ts';
import type { Pass } from './pass.ts';
import type { EventRecorder } from './ports.ts';

type StandBackPorts = { readonly contests: Contests; readonly events: EventRecorder };

type StandBackOrder = { readonly node: NodeView; readonly merged: MergedWish; readonly pass: Pass };

export type StoodBack = {
  /** When the first of them may be made again; null when none is contested. */
  readonly contestMs: number | null;
  readonly uncontested: MergedWish;
  /** The state of the node has yet to say so. */
  readonly isNews: boolean;
};

/** Leaves out what somebody keeps undoing, for a while: its record would be in vain too. Other changes of the node go on. */
export function standBack(
  { contests, events }: StandBackPorts,
  { node, merged, pass }: StandBackOrder,
): StoodBack {
  const isPatching = pass.steps.some(({ kind }) => kind === 'PatchNode');
  const waits = (isPatching ? (pass.nodePatch?.changes ?? []) : [])
    .map((change) => ({ ...change, waitMs: contests.waitMs(node.name, change) }))
    .filter(({ waitMs }) => waitMs > 0)
    // Who set the gate himself may always open it: the next time it is the gate that waits.
    .filter((change) => !isRelease(change) || contests.isUndone(node.name, change));
  const contestMs = soonest(...waits.map(({ waitMs }) => waitMs));
  const isNews = contests.standBack(node.name, waits, merged.keys);
  if (contestMs === null) return { contestMs, uncontested: merged, isNews };
  const keys = waits.map(({ key }) => key).join(', ');
  const why = waits.some((change) => contests.isUndone(node.name, change))
    ? `somebody keeps undoing our change of ${keys}`
    : `${keys} was changed to and fro too often`;
  const note = `${why}; it is made again in ${Math.ceil(contestMs / 1000)} s`;
  events.record({ node, type: 'Warning', reason: 'Contested', action: 'PatchNode', note });
  const isContested = (kind: string, key: string) =>
    waits.some((each) => each.kind === kind && each.key === key);
  return {
    contestMs,
    isNews,
    uncontested: { ...merged, keys: merged.keys.filter(({ kind, key }) => !isContested(kind, key)) },
  };
}

function isRelease({ kind, key, to }: KeyChange): boolean {
  return kind === 'taints' && to === undefined && keepsPodsAway({ ...parseTaintId(key), value: '' });
}
