// What a run leaves behind for those who judge it: every call, every write as the server stored it, every event as it was
// delivered. Kept by the world itself, never by the operator.

import type { RawObject } from '../../objects/raw.ts';
import type { ObjectRef } from '../../objects/ref.ts';
import type { FaultRule, Verb } from './rule.ts';

export type CallRecord = {
  readonly instance: string;
  readonly slot: string;
  readonly verb: Exclude<Verb, 'write' | 'any' | 'event'>;
  /** With its subresource: `nodelifecycles.muster.dev/status`. */
  readonly resource: string;
  readonly ref: ObjectRef;
  /** The object or the patch that was sent; undefined for reads. */
  readonly body: unknown;
  readonly options: CallGuards;
  readonly sentAtMs: number;
  /** Who the Lease named when it was sent; empty without a Lease. */
  readonly leaseHolder: string;
  arrivedAtMs: number | null;
  /** `ok`, or the reason of the failure as it was answered; null when the server never answered. */
  result: string | null;
  /** Whether the instance heard a reply, or gave up waiting for one. */
  isHeard: boolean;
};

/** The guards that a call carries beside its body, and what a list is narrowed by. */
export type CallGuards = {
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly fieldSelector?: string;
};

export type WriteRecord = {
  readonly revision: number;
  readonly atMs: number;
  /** An instance, `server` for its own controllers, or whoever the story says. */
  readonly by: string;
  /** Null for writes that came from no instance. */
  readonly call: CallRecord | null;
  readonly resource: string;
  readonly key: string;
  readonly before: RawObject | null;
  readonly after: RawObject | null;
};

export type EventRecord = {
  readonly instance: string;
  readonly resource: string;
  readonly name: string;
  readonly change: 'ADDED' | 'MODIFIED' | 'DELETED';
  /** Of the object that it brings. */
  readonly revision: number;
  readonly atMs: number;
};

export type StrikeRecord = { readonly rule: FaultRule; readonly atMs: number; readonly instance: string };
