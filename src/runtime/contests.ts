// Notices a fight: the same change made to one node again and again, because somebody undoes it. After a few times in a
// minute we stand back and say so, as a verdict too, instead of writing as fast as the other side.

import type { Reason } from '../api/reasons.ts';
import type { Clock } from '../base/clock.ts';
import { hashNumber } from '../base/hash.ts';
import type { Verdict } from '../fleet/node-state.ts';
import type { MergedKeyWish } from '../objects/wish.ts';
import type { KeyChange } from './node-patch.ts';

export interface Contests {
  /** How long a change has to wait; 0 when it may be made now. */
  waitMs(node: string, change: KeyChange): number;
  made(node: string, changes: readonly KeyChange[]): void;
  /** Our last few changes of the key were all this one, and it is to be made again: that is somebody else's doing. */
  isUndone(node: string, change: KeyChange): boolean;
  /**
   * What we stand back from now, and what is still wished for. Who changes his own mind as often fights nobody. A fight is over when nobody wishes for the key any more, or when
   * the change was not made for as long as a fight is looked at. True when that is news.
   */
  standBack(node: string, changes: readonly KeyChange[], wishes: readonly MergedKeyWish[]): boolean;
  /** When a fight on the node may be over; null when there is none. */
  overInMs(node: string): number | null;
  verdictsOf(node: string): readonly Verdict[];
  forget(node: string): void;
}

/** The same change so often within the window is no coincidence. */
const TIMES_MAX = 3;
const WINDOW_MS = 60_000;

/** Of one node, oldest first: which key, which change of it, when. Numbers, for a burst makes one for every rule and node. */
type Made = readonly number[];
const WIDTH = 3;

export function createContests(clock: Clock): Contests {
  /** Who was changed last stands last: so who can be forgotten stands first. */
  const byNode = new Map<string, Made>();
  /** By node: the changes that somebody undoes. */
  const fights = new Map<string, readonly KeyChange[]>();
  /** By node: the gates that wait because we changed our own mind too often. */
  const flaps = new Map<string, readonly KeyChange[]>();
  const isRecent = (atMs: number) => clock.monotonicMs() - atMs < WINDOW_MS;
  const recentOf = (node: string) => rowsOf(byNode.get(node) ?? []).filter(({ atMs }) => isRecent(atMs));
  const timesOf = (node: string, change: KeyChange) => {
    const id = identityOf(change);
    return recentOf(node).flatMap((row) => (row.change === id ? [row.atMs] : []));
  };
  const lastMadeMs = (node: string, change: KeyChange) => timesOf(node, change).at(-1) ?? null;
  const isUndone = (node: string, change: KeyChange) => {
    const key = keyIdOf(change);
    const id = identityOf(change);
    const last = recentOf(node)
      .filter((row) => row.key === key)
      .slice(-TIMES_MAX);
    return last.length === TIMES_MAX && last.every((row) => row.change === id);
  };
  const going = (node: string) =>
    (fights.get(node) ?? []).filter((change) => lastMadeMs(node, change) !== null);
  const forgetOld = () => {
    for (const [node, made] of byNode) {
      if (isRecent(made.at(-1) ?? 0)) return;
      byNode.delete(node);
    }
  };
  return {
    isUndone,
    waitMs(node, change) {
      const times = timesOf(node, change);
      return times.length < TIMES_MAX ? 0 : (times.at(-TIMES_MAX) ?? 0) + WINDOW_MS - clock.monotonicMs();
    },
    made(node, changes) {
      const nowMs = clock.monotonicMs();
      const rows = [...recentOf(node), ...changes.map((each) => ({ ...idsOf(each), atMs: nowMs }))];
      byNode.delete(node);
      if (rows.length > 0)
        byNode.set(
          node,
          rows.flatMap(({ key, change, atMs }) => [key, change, atMs]),
        );
      forgetOld();
    },
    standBack(node, changes, wishes) {
      const standing = going(node).filter((change) => isWished(change, wishes));
      const undone = changes.filter((change) => isUndone(node, change));
      const flapping = changes.filter((change) => isGate(change) && !undone.includes(change));
      const isFlapNews = replace(flaps, node, flapping);
      const now = new Map([...standing, ...undone].map((each) => [identityOf(each), each]));
      const isFightNews = replace(fights, node, [...now.values()]);
      return isFightNews || isFlapNews;
    },
    overInMs(node) {
      const ends = going(node).map((change) => (lastMadeMs(node, change) ?? 0) + WINDOW_MS);
      return ends.length === 0 ? null : Math.min(...ends) - clock.monotonicMs();
    },
    verdictsOf: (node) => [...going(node).map(verdictOf), ...(flaps.get(node) ?? []).map(flapVerdictOf)],
    forget(node) {
      byNode.delete(node);
      fights.delete(node);
      flaps.delete(node);
    },
  };
}

type Row = { readonly key: number; readonly change: number; readonly atMs: number };

function rowsOf(made: Made): readonly Row[] {
  return Array.from({ length: made.length / WIDTH }, (_, index) => {
    const [key = 0, change = 0, atMs = 0] = made.slice(index * WIDTH, (index + 1) * WIDTH);
    return { key, change, atMs };
  });
}

function isWished({ kind, key, to }: KeyChange, wishes: readonly MergedKeyWish[]): boolean {
  const wish = wishes.find((each) => each.kind === kind && each.key === key)?.wish;
  return wish !== undefined && (wish.kind === 'present' ? wish.value : undefined) === to;
}

function verdictOf({ capability, owner, key }: KeyChange): Verdict {
  const reason: Reason = 'Contested';
  const message = `somebody keeps undoing our change of ${key}`;
  return { capability, parent: owner, outcome: 'unknown', reason, message };
}

/** Until then the node is as it is, and everybody is to be told so. */
function flapVerdictOf({ capability, owner, key }: KeyChange): Verdict {
  const reason: Reason = 'Stabilizing';
  const message = `${key} is not set: it was changed to and fro too often and waits for a minute`;
  return { capability, parent: owner, outcome: 'unknown', reason, message, isKeptOff: true };
}

function isGate({ kind, to }: KeyChange): boolean {
  return kind === 'taints' && to !== undefined;
}

/** True when others stand there now. */
function replace(
  lists: Map<string, readonly KeyChange[]>,
  node: string,
  changes: readonly KeyChange[],
): boolean {
  const before = new Set((lists.get(node) ?? []).map(identityOf));
  if (changes.length === 0) lists.delete(node);
  else lists.set(node, changes);
  return before.size !== changes.length || changes.some((change) => !before.has(identityOf(change)));
}

function idsOf(change: KeyChange): Omit<Row, 'atMs'> {
  return { key: keyIdOf(change), change: identityOf(change) };
}

/** A taint may have an empty value: to set it and to take it away are two changes, and neither undoes anybody else's. */
function identityOf({ kind, key, to }: KeyChange): number {
  return hashNumber([kind, key, to === undefined ? 'absent' : `=${to}`]);
}

function keyIdOf({ kind, key }: KeyChange): number {
  return hashNumber([kind, key]);
}
