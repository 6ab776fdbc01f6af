// Keeps the counters that arbitrate reads, and wakes what they held, the oldest first. A free place is never left unused
// while somebody waits for it: a key that was woken and did not need its turn hands it on.

import type { Clock } from '../base/clock.ts';
import {
  arbitrate,
  BURST_PATCHES,
  BURST_PATCHES_PER_SECOND,
  limitOf,
  type Ruling,
  STIR_PATCHES_PER_SECOND,
  type WriteKind,
  writeKinds,
  type WriteLimits,
} from './arbitrate.ts';

export interface Turnstile {
  /** Granted: the write is counted until `leave`. Held: the key is woken when its turn comes. */
  enter(kind: WriteKind, key: string): Ruling;
  leave(kind: WriteKind): void;
  /** Nobody of this kind is let in or woken until it resumes. */
  rest(kind: WriteKind): void;
  resume(kind: WriteKind): void;
  /** The visit of this key is over: a turn that it was woken for and did not use goes to the next. */
  pass(key: string): void;
  heldCount(): number;
  /** Many nodes are being patched: what is merely told about them can wait. */
  isBurst(): boolean;
  /** Some nodes are being patched each second: what is merely told about them is to be no burden. */
  isStirring(): boolean;
}

export function createTurnstile(
  limits: WriteLimits,
  wake: (key: string) => void,
  clock: Pick<Clock, 'monotonicMs' | 'after'>,
): Turnstile {
  const writesInFlight = byKind(() => 0);
  const resting = new Set<WriteKind>();
  const held = byKind(() => new Set<string>());
  /** Woken, and not yet back at the turnstile: each has a free place in view. */
  const woken = byKind(() => new Set<string>());
  const { notePatch, isBurst, isStirring } = createPatches(writesInFlight, clock);
  const recordsHeld = createRecent(1, clock);
  const patchesSince = byKind(() => Infinity);
  const counts = { writesInFlight, resting, patchesSince };
  const counters = () => ({ ...counts, isBurst: isBurst(), areRecordsHeld: recordsHeld.areFresh() });

  const wakeNext = (kind: WriteKind) => {
    for (const key of held[kind]) {
      const limit = limitOf(kind, limits, counters());
      if (resting.has(kind) || writesInFlight[kind] + woken[kind].size >= limit) return;
      held[kind].delete(key);
      woken[kind].add(key);
      wake(key);
    }
  };
  let isEndAwaited = false;
  /** Nothing tells but time that a burst is over or records are no longer held, and the one write that is under way may take long. */
  const awaitEnd = () => {
    if (isEndAwaited || !(isBurst() || recordsHeld.areFresh())) return;
    isEndAwaited = true;
    clock.after(SECOND_MS, () => {
      isEndAwaited = false;
      for (const kind of writeKinds) wakeNext(kind);
      if (heldCount() > 0) awaitEnd();
    });
  };
  const heldCount = () => writeKinds.reduce((sum, kind) => sum + held[kind].size, 0);
  return {
    enter(kind, key) {
      held[kind].delete(key);
      woken[kind].delete(key);
      const ruling = arbitrate(counters(), limits, kind);
      if (ruling.kind === 'held') {
        held[ruling.wokenBy].add(key);
        if (kind === 'RecordWrite') recordsHeld.note();
        awaitEnd();
        return ruling;
      }
      countGranted(kind, { writesInFlight, patchesSince });
      if (kind === 'NodePatch') notePatch();
      return ruling;
    },
    leave(kind) {
      writesInFlight[kind]--;
      // A patch that is over may be the last of a burst, or the one that another kind has waited for.
      for (const each of kind === 'NodePatch' ? writeKinds : [kind]) wakeNext(each);
    },
    rest: (kind) => void resting.add(kind),
    resume(kind) {
      resting.delete(kind);
      wakeNext(kind);
    },
    pass(key) {
      for (const kind of writeKinds) if (woken[kind].delete(key)) wakeNext(kind);
    },
    isBurst,
    isStirring,
    heldCount,
  };
}

const SECOND_MS = 1_000;

type Granted = Record<'writesInFlight' | 'patchesSince', Record<WriteKind, number>>;

function countGranted(kind: WriteKind, { writesInFlight, patchesSince }: Granted): void {
  writesInFlight[kind]++;
  patchesSince[kind] = 0;
  if (kind === 'NodePatch') for (const each of writeKinds) patchesSince[each]++;
}

/** How many nodes are being patched, now and in the last second. */
function createPatches(inFlight: Readonly<Record<WriteKind, number>>, clock: Pick<Clock, 'monotonicMs'>) {
  const many = createRecent(BURST_PATCHES_PER_SECOND, clock);
  const some = createRecent(STIR_PATCHES_PER_SECOND, clock);
  return {
    notePatch: () => {
      for (const recent of [many, some]) recent.note();
    },
    isBurst: () => inFlight.NodePatch >= BURST_PATCHES || many.areFresh(),
    isStirring: () => some.areFresh(),
  };
}

/** The moments of the last so many, in a ring. */
function createRecent(count: number, clock: Pick<Clock, 'monotonicMs'>) {
  const atMs = Array.from({ length: count }, () => -Infinity);
  let next = 0;
  return {
    note() {
      atMs[next] = clock.monotonicMs();
      next = (next + 1) % count;
    },
    /** All of them were within the last second, the oldest included. */
    areFresh: () => clock.monotonicMs() - (atMs[next] ?? -Infinity) < SECOND_MS,
  };
}

function byKind<T>(make: () => T): Record<WriteKind, T> {
  return { NodePatch: make(), RecordWrite: make(), LifecycleWrite: make() };
}
