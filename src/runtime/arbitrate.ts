// The one place for limits that are not about one node. Pure: counters and what is asked for in, granted or held out. What is
// held is a verdict people can see, and is woken when the counter that held it falls.

import type { Reason } from '../api/reasons.ts';

/** Writes are limited by kind, so that ten thousand births of records never stand before one release of a node. */
export const writeKinds = ['NodePatch', 'LifecycleWrite', 'StatusWrite'] as const;
export type WriteKind = (typeof writeKinds)[number];

export type WriteLimits = Readonly<Record<WriteKind, number>>;

export const defaultWriteLimits: WriteLimits = { NodePatch: 32, LifecycleWrite: 16, StatusWrite: 4 };

export type FleetCounters = {
  readonly writesInFlight: Readonly<Record<WriteKind, number>>;
  /** Kinds of writes that fail for a cause that is not about one object. */
  readonly resting: ReadonlySet<WriteKind>;
};

export type Ruling =
  | { readonly kind: 'granted' }
  | { readonly kind: 'held'; readonly reason: Reason; readonly wokenBy: WriteKind };

export function arbitrate(counters: FleetCounters, limits: WriteLimits, asked: WriteKind): Ruling {
  if (counters.resting.has(asked)) return { kind: 'held', reason: 'WritesFailing', wokenBy: asked };
  if (counters.writesInFlight[asked] < limits[asked]) return { kind: 'granted' };
  return { kind: 'held', reason: 'WritesInFlight', wokenBy: asked };
}
