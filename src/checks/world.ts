// What a check may do to the world, as ports: ask, connect, exchange, request, read the disk. An answer that did not come is
// already an outcome, so that a check can hand it on as it is. Nothing here writes to the cluster.

import type { Clock, Instant } from '../base/clock.ts';
import type { Result } from '../base/result.ts';
import type { Outcome } from './outcome.ts';

/** Where a check may send something: an address, never a name. */
export type Endpoint = { readonly address: string; readonly port: number };

export type Probed<T> = Promise<Result<T, Outcome>>;

export interface Dns {
  /** The servers of the pod's resolver, or the one given in the configuration. */
  nameservers(): Probed<readonly Endpoint[]>;
  /** The addresses of a name through the pod's resolver; at least one. */
  resolve(name: string, limits: Limits): Probed<readonly string[]>;
  /** The same from one server. */
  ask(server: Endpoint, name: string, limits: Limits): Probed<readonly string[]>;
}

export interface Wire {
  /** A TCP connection that is accepted, and closed again. */
  connect(target: Endpoint, limits: Limits): Probed<void>;
  /** One datagram there and one back that starts with the same two bytes. */
  bounce(target: Endpoint, limits: Limits): Probed<void>;
}

export type Echoed = { readonly sent: number; readonly received: number };

export interface Echo {
  /** Datagrams of the given size to a peer that runs the echo of a worker. */
  datagrams(target: Endpoint, burst: Burst, limits: Limits): Probed<Echoed>;
  /** Bytes over TCP to the same peer and back, all of them. */
  stream(target: Endpoint, bytes: number, limits: Limits): Probed<void>;
  /** The largest packet that leaves towards the target in one piece, its headers included. */
  interfaceMtu(target: Endpoint): Probed<number>;
}

export type Burst = { readonly count: number; readonly payloadBytes: number };

export type ApiRequest = {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
};

export type ApiAnswer = {
  readonly status: number;
  readonly body: string;
  readonly date: string | undefined;
  readonly sentAt: Instant;
  readonly receivedAt: Instant;
};

export interface Api {
  /** The API server as pods reach it. */
  readonly endpoint: Endpoint;
  /** Where the worker's own account lives; empty when not known. */
  readonly namespace: string;
  /** With the token and the authority that are mounted in the pod. Follows no redirect. */
  request(request: ApiRequest, limits: Limits): Probed<ApiAnswer>;
}

export type DiskSpace = {
  readonly bytes: number;
  readonly freeBytes: number;
  readonly inodes: number;
  readonly freeInodes: number;
};

export interface Disk {
  space(): Probed<DiskSpace>;
  /** How long each of the synchronous writes took, in milliseconds. */
  syncWrites(count: number, limits: Limits): Probed<readonly number[]>;
}

export type Limits = { readonly signal: AbortSignal; readonly timeoutMs: number };

export type World = {
  readonly clock: Clock;
  readonly dns: Dns;
  readonly wire: Wire;
  readonly echo: Echo;
  readonly api: Api;
  readonly disk: Disk;
};

export type CheckContext = World & { readonly limits: Limits };
