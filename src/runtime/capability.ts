// What a capability is. It reads caches and returns data; it never does I/O, reads a clock or writes. New behaviour is a new
// capability in an ordered list, not a change of the runtime.

import type { PolicyRule } from '../api/rbac.ts';
import type { Instant } from '../base/clock.ts';
import type { StateChangeEvent } from '../fleet/change.ts';
import type { DownstreamType } from '../fleet/downstream.ts';
import type { NodeState, UpdateAssessment, Verdict } from '../fleet/node-state.ts';
import type { Touched } from '../fleet/routes.ts';
import type { NodeStateStore } from '../fleet/store.ts';
import type { NodeView } from '../objects/node.ts';
import type { ObjectView } from '../objects/raw.ts';
import type { ObjectRef } from '../objects/ref.ts';
import type { NodeWish } from '../objects/wish.ts';
import type { CacheChange, Caches, NodeEvent, WatchSpec } from './ports.ts';

/** Verdicts drive state, log, metric and status; the wish drives the Node patch; requests are granted or held. */
export type Decision<V extends Verdict = Verdict> = {
  readonly verdicts: readonly V[];
  readonly wish: NodeWish;
  readonly requests: readonly Request[];
  /** Null: wait for a change. */
  readonly recheckAt: Instant | null;
  /** Only a capability that watches updates says this. */
  readonly update?: UpdateAssessment;
};

/** Everything a capability may ask for besides its wish. Act carries these out in one exhaustive switch. */
export type Request = { readonly kind: 'RecordEvent'; readonly event: NodeEvent };

export type Route<V extends ObjectView = ObjectView> = {
  readonly watch: WatchSpec<V>;
  /** Pure: which nodes a change of this kind touches. */
  nodes(change: CacheChange<V>, caches: Caches, store: NodeStateStore): Touched;
};

export interface NodeCapability<Facts = unknown, V extends Verdict = Verdict> {
  readonly name: string;
  /** Who has its way when two capabilities wish for one key: nodeconfig 1, verification 2, readiness 3. */
  readonly rank: number;
  readonly watches: readonly WatchSpec[];
  readonly rbac: readonly PolicyRule[];
  readonly routes: readonly Route[];
  gather(caches: Caches, node: NodeView): Facts;
  decide(facts: Facts, now: Instant): Decision<V>;
  readonly reporters: readonly Reporter[];
}

export type StatusTarget = {
  readonly ref: ObjectRef;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly status: unknown;
};

/** A downstream controller that computes one status object whole, from the store. */
export type Reporter = {
  readonly name: string;
  readonly type: DownstreamType;
  readonly filter?: (state: NodeState) => boolean;
  /** The kind whose status it writes; a change of such an object is reported too. */
  readonly watch: WatchSpec;
  /** At once after a quiet time, then at most once per period, however many changes come. */
  readonly periodMs: number;
  keysOf(change: StateChangeEvent): readonly string[];
  /** The object as the server last showed it; null when there is none. */
  target(caches: Caches, key: string): StatusTarget | null;
  report(view: ReportView, key: string, now: Instant): unknown;
};

export type ReportView = { readonly store: NodeStateStore; readonly caches: Caches };
