// Notices a fight: the same change made to one node again and again, because somebody undoes it. After a few times in a
// minute we stand back and say so, as a verdict too, instead of writing as fast as the other side.

import type { Reason } from '../api/reasons.ts';
import type { Clock } from '../base/clock.ts';
import type { Verdict } from '../fleet/node-state.ts';
import type { MergedKeyWish } from '../objects/wish.ts';
import type { KeyChange } from './node-patch.ts';

export interface Contests {
  /** How long a change has to wait; 0 when it may be made now. */
  waitMs(node: string, change: KeyChange): number;
  made(node: string, changes: readonly KeyChange[]): void;
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

export function createContests(clock: Clock): Contests {
  /** By node: when each change was made, oldest first. Only changes of the last window are kept. */
  const byNode = new Map<string, Map<string, readonly number[]>>();
  const recent = (times: readonly number[] = []) =>
    times.filter((atMs) => clock.monotonicMs() - atMs < WINDOW_MS);
  /** By node: the changes that somebody undoes. */
  const fights = new Map<string, readonly KeyChange[]>();
  const lastMadeMs = (node: string, change: KeyChange) =>
    recent(byNode.get(node)?.get(identity(change))).at(-1) ?? null;
  /** It was the last that we did to the key: that it is to be made again is somebody else's doing. */
  const isUndone = (node: string, change: KeyChange) =>
    [...(byNode.get(node)?.keys() ?? [])].findLast((id) => id.startsWith(prefix(change))) ===
    identity(change);
  const going = (node: string) =>
    (fights.get(node) ?? []).filter((change) => lastMadeMs(node, change) !== null);
  return {
    isUndone,
    waitMs(node, change) {
      const times = recent(byNode.get(node)?.get(identity(change)));
      return times.length < TIMES_MAX ? 0 : (times.at(-TIMES_MAX) ?? 0) + WINDOW_MS - clock.monotonicMs();
    },
    made(node, changes) {
      const kept = [...(byNode.get(node) ?? [])].map(([change, times]) => [change, recent(times)] as const);
      const made = new Map(kept.filter(([, times]) => times.length > 0));
      for (const change of changes) {
        const id = identity(change);
        const times = made.get(id) ?? [];
        // What was made last stands last.
        made.delete(id);
        made.set(id, [...times, clock.monotonicMs()]);
      }
      byNode.set(node, made);
    },
    standBack(node, changes, wishes) {
      const before = fights.get(node) ?? [];
      const standing = going(node).filter((change) => isWished(change, wishes));
      const undone = changes.filter((change) => isUndone(node, change));
      const now = new Map([...standing, ...undone].map((each) => [identity(each), each]));
      if (now.size === 0) fights.delete(node);
      else fights.set(node, [...now.values()]);
      return now.size !== before.length || before.some((change) => !now.has(identity(change)));
    },
    overInMs(node) {
      const ends = going(node).map((change) => (lastMadeMs(node, change) ?? 0) + WINDOW_MS);
      return ends.length === 0 ? null : Math.min(...ends) - clock.monotonicMs();
    },
    verdictsOf: (node) => going(node).map(verdictOf),
    forget(node) {
      byNode.delete(node);
      fights.delete(node);
    },
  };
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

/** A taint may have an empty value: to set it and to take it away are two changes, and neither undoes anybody else's. */
function identity(change: KeyChange): string {
  return prefix(change) + (change.to === undefined ? 'absent' : `=${change.to}`);
}

function prefix({ kind, key }: KeyChange): string {
  return `${kind} ${key} `;
}
