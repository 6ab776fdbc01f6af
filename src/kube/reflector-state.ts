// The vocabulary of the reflector: the states it can be in, what can happen to it and what it can want done.
// What follows from what is in reflector-step.ts; nothing here acts.

import type { RawObject } from '../objects/raw.ts';
import type { ApiFailure, Page, WatchSpec, WatchStart } from '../runtime/ports.ts';
import type { ObjectChange } from './cache.ts';

export const phases = [
  /** Made and not yet started. */
  'idle',
  /** A stream with initial events is open or opening: objects are staged until its marked bookmark. */
  'syncing',
  /** The server would not stream the start, or twice did not finish it: pages are fetched and staged. */
  'listing',
  /** In step: a watch is open or opening after `resumeFrom`, and each event is applied as it comes. */
  'watching',
  /** Between two attempts. The cache keeps what it has. */
  'waiting',
  /** The kind is optional and not installed: the cache is empty, and now and then it is asked for again. */
  'absent',
  /** For good. */
  'stopped',
] as const;
export type Phase = (typeof phases)[number];

export type ReflectorState = {
  readonly phase: Phase;
  readonly presence: WatchSpec['presence'];
  /** Where a watch goes on; null when only a full sync can tell what is there. */
  readonly resumeFrom: string | null;
  /** How the next full sync is made. Streaming is tried first again after each success. */
  readonly syncBy: 'initialEvents' | 'pages';
  /** Streams in a row that ended before their marked bookmark. */
  readonly earlyEnds: number;
  /** Failures in a row, counted until an event of a watch proves that all is well. A list alone does not prove it. */
  readonly failures: number;
  /** Times in a row that the kind was not found. */
  readonly absences: number;
  readonly hasSynced: boolean;
};

export type ReflectorInput =
  /** The owner starts the reflector; once. */
  | { readonly kind: 'start' }
  /** The owner stops it. */
  | { readonly kind: 'stop' }
  /** The delay asked for is over. */
  | { readonly kind: 'elapsed' }
  | { readonly kind: 'object'; readonly change: ObjectChange; readonly object: RawObject }
  | { readonly kind: 'bookmark'; readonly resourceVersion: string; readonly endsInitialEvents: boolean }
  /** A page of the list arrived. */
  | { readonly kind: 'page'; readonly page: Page }
  /** The list was refused or lost; `isFirst` is false in the middle of it. */
  | { readonly kind: 'pageFailed'; readonly failure: ApiFailure; readonly isFirst: boolean }
  /** The watch is over: refused, broken, ended by an ERROR event, or (null) closed in good order. */
  | { readonly kind: 'ended'; readonly failure: ApiFailure | null }
  /** A line that nobody understands: what follows cannot be trusted either. */
  | { readonly kind: 'garbled' }
  /** Neither an event nor a bookmark for too long: the stream is dead though nobody said so. */
  | { readonly kind: 'silent' }
  /** The marked bookmark did not come in time, though other events may have. */
  | { readonly kind: 'overdue' };

export type Delay =
  /** At once, except that attempts do not follow each other faster than a steady pace. */
  | { readonly kind: 'pace' }
  /** The same, at a faster pace where the watch that ended had brought something. */
  | { readonly kind: 'resume' }
  | { readonly kind: 'backoff'; readonly failures: number; readonly atLeastMs: number }
  /** Until an optional kind is asked for again. */
  | { readonly kind: 'absence' };

export type ReflectorEffect =
  | { readonly kind: 'openWatch'; readonly start: WatchStart }
  /** Ends the watch if one is open; nothing more is heard of it. */
  | { readonly kind: 'closeWatch' }
  | { readonly kind: 'fetchPage'; readonly continueToken: string }
  | { readonly kind: 'wait'; readonly delay: Delay }
  | { readonly kind: 'apply'; readonly change: ObjectChange; readonly object: RawObject }
  | { readonly kind: 'stage' }
  | { readonly kind: 'stageObject'; readonly change: ObjectChange; readonly object: RawObject }
  | { readonly kind: 'stagePage'; readonly objects: readonly RawObject[] }
  | { readonly kind: 'commit'; readonly resourceVersion: string }
  | { readonly kind: 'abandon' }
  | { readonly kind: 'markAbsent' }
  /** For people: what ended, and why. */
  | {
      readonly kind: 'noteFailure';
      readonly of: 'watch' | 'list';
      readonly reason: string;
      readonly message: string;
    }
  /** For people: all of it is fetched again although it had been fetched before. */
  | { readonly kind: 'noteRelist' };

export function initialState(presence: WatchSpec['presence']): ReflectorState {
  return {
    phase: 'idle',
    presence,
    resumeFrom: null,
    syncBy: 'initialEvents',
    earlyEnds: 0,
    failures: 0,
    absences: 0,
    hasSynced: false,
  };
}
