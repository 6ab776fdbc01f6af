// Notices a fight: the same change made to one node again and again, because somebody undoes it. After a few times in a
// minute we stand back and say so, instead of writing as fast as the other side.

import type { Clock } from '../base/clock.ts';
import type { KeyChange } from './node-patch.ts';

export interface Contests {
  /** How long a change has to wait; 0 when it may be made now. */
  waitMs(node: string, change: KeyChange): number;
  made(node: string, changes: readonly KeyChange[]): void;
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
  return {
    waitMs(node, change) {
      const times = recent(byNode.get(node)?.get(identity(change)));
      return times.length < TIMES_MAX ? 0 : (times.at(-TIMES_MAX) ?? 0) + WINDOW_MS - clock.monotonicMs();
    },
    made(node, changes) {
      const kept = [...(byNode.get(node) ?? [])].map(([change, times]) => [change, recent(times)] as const);
      const made = new Map(kept.filter(([, times]) => times.length > 0));
      for (const change of changes) {
        const id = identity(change);
        made.set(id, [...(made.get(id) ?? []), clock.monotonicMs()]);
      }
      byNode.set(node, made);
    },
    forget: (node) => void byNode.delete(node),
  };
}

/** A taint may have an empty value: to set it and to take it away are two changes, and neither undoes anybody else's. */
function identity({ kind, key, to }: KeyChange): string {
  return to === undefined ? `${kind} ${key} absent` : `${kind} ${key} =${to}`;
}
