// I8 for control workers: one is made only on a node that was verified, while some node has been granted its place, never beside two of
// the same policy that need no successor, and never a fifth. Records and pods are too many to be read live: what watches bring late is
// known late, and who starts on an API server that is behind, leads without the Lease or was stopped for a while, knows them as they were.

import { workerAnnotations } from '../../../src/api/keys.ts';
import { textOf } from '../../../src/objects/raw.ts';
import type { WriteRecord } from '../../../src/sim/faults/records.ts';
import { isControlPod } from '../workers.ts';
import { at, isOwn, type Oracle, resources } from './oracle.ts';

const CONTROLS_MAX = 2;
/** Each of them, and its successor beside it. */
const PODS_MAX = 4;
/** One that is older has a successor, in these stories. */
const YOUNG_MS = 480_000;
/** Longer than any watch lags in these runs. */
const LAG_MS = 5_000;

export const trueControls: Oracle = {
  name: 'I8 true controls',
  judge({ writes, plan }) {
    const isBehind =
      plan.leaders !== undefined ||
      plan.rules.some(({ action }) => action.kind === 'serveAt' || action.kind === 'pause');
    const seen: Seen = {
      states: new Map(),
      verified: new Set(),
      living: new Map(),
      neededUntilMs: -Infinity,
    };
    return writes.flatMap((write) => {
      const problems = isOwn(write) ? judgeControl(write, seen, isBehind) : [];
      note(write, seen);
      return problems;
    });
  },
};

type Seen = {
  /** How far the verification of each node has come, by the name of the node. */
  readonly states: Map<string, string>;
  /** Nodes, by UID, that were at any time. */
  readonly verified: Set<string>;
  /** When the last node that was being checked was so no more. */
  neededUntilMs: number;
  /** Control workers of the one policy that these stories have, and since when they are; null of one that is being deleted. */
  readonly living: Map<string, number | null>;
};

function note({ resource, key, atMs, before, after }: WriteRecord, seen: Seen): void {
  const { states, verified, living } = seen;
  if (resource === resources.lifecycles) {
    const state = textOf(at(after, 'status', 'verification', 'state'));
    if (isNeeded(seen)) seen.neededUntilMs = atMs;
    states.set(key, state);
    if (state === 'verified') verified.add(textOf(at(after, 'spec', 'nodeUID')));
  }
  if (resource !== resources.pods || !isControlPod(after ?? before)) return;
  if (after === null) living.delete(key);
  else if (before === null) living.set(key, atMs);
  else if (at(after, 'metadata', 'deletionTimestamp') !== undefined) living.set(key, null);
}

function isNeeded({ states }: Seen): boolean {
  return [...states.values()].some((state) => state === 'pending' || state === 'in_progress');
}

function judgeControl(write: WriteRecord, seen: Seen, isBehind: boolean): readonly string[] {
  const { resource, key, by, revision, atMs, call, before, after } = write;
  if (resource !== resources.pods || before !== null || !isControlPod(after)) return [];
  const { living, verified, neededUntilMs } = seen;
  const who = `${by} @${revision}`;
  const nodeUID = textOf(at(after, 'metadata', 'annotations', workerAnnotations.nodeUID));
  // One that was asked for in time and came late is nobody's second thought.
  const sentAtMs = call?.sentAtMs ?? atMs;
  const isAsked = isNeeded(seen) || sentAtMs <= neededUntilMs + LAG_MS;
  const isKnownYoung = (sinceMs: number | null) =>
    sinceMs !== null && sinceMs + LAG_MS < sentAtMs && sentAtMs < sinceMs + YOUNG_MS - LAG_MS;
  const isThird = !isBehind && [...living.values()].filter(isKnownYoung).length >= CONTROLS_MAX;
  return [
    ...(isThird || living.size >= PODS_MAX
      ? [`${who} makes ${key} beside ${[...living.keys()].join(', ')}`]
      : []),
    ...(isBehind || verified.has(nodeUID) ? [] : [`${who} makes ${key} on a node that was never verified`]),
    ...(isBehind || isAsked ? [] : [`${who} makes ${key} though no node is being checked`]),
  ];
}
