// What the processes of the bench say to each other over their IPC channels.

import type { Spent } from '../spent.ts';

/** How the clients are to reach the server, and how they are to learn what is there. */
export type Target = {
  readonly server: string;
  /** PEM. */
  readonly ca: string;
  readonly protocol: 'auto' | 'http1';
  readonly start: 'stream' | 'pages';
};

export type ServerCommand =
  /** Ends the open watch with 410, so that everything has to be fetched again. */
  | { readonly kind: 'expire' }
  | { readonly kind: 'churn'; readonly seconds: number; readonly perSecond: number };

export type ServerReport =
  | { readonly kind: 'ready'; readonly port: number; readonly ca: string; readonly bytes: number }
  | { readonly kind: 'churned'; readonly sent: number };

export type ClientCommand =
  | { readonly kind: 'sync'; readonly target: Target }
  | { readonly kind: 'churnBegins' }
  | { readonly kind: 'churnEnds'; readonly sent: number }
  | { readonly kind: 'finish' };

export type ClientReport =
  | ({ readonly kind: 'synced' } & SyncFigures)
  | ({ readonly kind: 'relisted' } & FullSync)
  | ({ readonly kind: 'churned' } & ChurnFigures)
  | { readonly kind: 'finished'; readonly heapBytes: number };

export type SyncFigures = FullSync & Spent & { readonly longestBlockMs: number };

export type FullSync = {
  /** How many objects the client then knows; null when it does not count them. */
  readonly known: number | null;
  readonly peakRssBytes: number;
};

export type ChurnFigures = {
  readonly cpuShare: number;
  readonly waitedMs: number | null;
  /** From the server's write to the listener of the cache. */
  readonly latencyMsP50: number;
  readonly latencyMsP99: number;
  readonly longestBlockMs: number;
  readonly rssBytes: number;
  /** Events that never arrived. */
  readonly missing: number;
};
