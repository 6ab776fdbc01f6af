// What the processes of the bench say to each other over their IPC channels.

import type { WriteKind } from './writes.ts';

export type ServerCommand = { readonly kind: 'begin' } | { readonly kind: 'end' };

export type ServerReport =
  | { readonly kind: 'ready'; readonly port: number; readonly rssBytes: number }
  | { readonly kind: 'begun' }
  | ({ readonly kind: 'ended' } & ServerFigures);

export type ServerFigures = {
  readonly wallMs: number;
  readonly cpuMs: number;
  /** Ready to run while others had the core: noise. Null where the system does not tell. */
  readonly waitedMs: number | null;
  /** By the clock: from one turn of the event loop to the next, the time that others had the core included. */
  readonly longestBlockMs: number;
  /** By the processor: what the main thread itself did from one turn to the next. */
  readonly longestTurnMs: number;
  readonly longestCollectionMs: number;
  readonly collectionMs: number;
  readonly rssBytes: number;
};

export type LoadCommand =
  | { readonly kind: 'watch'; readonly watchers: number }
  | { readonly kind: 'read'; readonly path: string; readonly accept: string }
  | { readonly kind: 'write'; readonly mix: readonly WriteKind[]; readonly seconds: number };

export type LoadReport =
  | { readonly kind: 'watching'; readonly objects: number }
  | { readonly kind: 'read'; readonly bytes: number }
  | ({ readonly kind: 'written' } & LoadFigures);

export type LoadFigures = {
  readonly writes: number;
  readonly wallMs: number;
  readonly cpuMs: number;
  readonly latencyMsP50: number;
  readonly latencyMsP99: number;
  /** Answers that were no success. */
  readonly refused: number;
  /** Events of the watches that did not arrive. */
  readonly missing: number;
};

/** Microseconds; of one world, or of one write through the port. */
export type WorldReport = {
  readonly kind: 'worlds';
  readonly worlds: readonly TimedRow[];
  readonly writes: readonly TimedRow[];
};

export type TimedRow = { readonly what: string; readonly micros: readonly number[] };
