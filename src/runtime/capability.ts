// What a capability is. It reads caches and returns data; it never does I/O, reads a clock or writes. New behaviour is a new
// capability in an ordered list, not a change of the runtime.

import type { PolicyRule } from '../api/rbac.ts';
import type { Instant } from '../base/clock.ts';
import type { StateChangeEvent } from '../fleet/change.ts';
import type { DownstreamType } from '../fleet/downstream.ts';
import type { VerificationRecord } from '../fleet/lifecycle.ts';
import type { NodeLimit } from '../fleet/node-limit.ts';
import type { NodeState, UpdateAssessment, Verdict } from '../fleet/node-state.ts';
import type { Touched } from '../fleet/routes.ts';
import type { NodeStateStore } from '../fleet/store.ts';
import type { Condition } from '../objects/condition.ts';
import type { NodeView } from '../objects/node.ts';
import type { ObjectView, RawObject } from '../objects/raw.ts';
import type { ObjectRef } from '../objects/ref.ts';
import type { ServiceQuestion } from '../objects/service.ts';
import type { TaintId } from '../objects/taint.ts';
import type { NodeWish, Owner } from '../objects/wish.ts';
import type { Answers } from './asked.ts';
import type { KeyChange } from './node-patch.ts';
import type { CacheChange, Caches, NodeEvent, ObjectEvent, Priority, WatchSpec } from './ports.ts';

/** Verdicts drive state, log, metric and status; the wish drives the Node patch; requests are granted or held. */
export type Decision<V extends Verdict = Verdict> = {
  readonly verdicts: readonly V[];
  readonly wish: NodeWish;
  readonly requests: readonly Request[];
  /** Null: wait for a change. */
  readonly recheckAt: Instant | null;
  /** Only a capability that watches updates says this. */
  readonly update?: UpdateAssessment;
  /** Only verification says this: what its record is to be. Written before anything that it permits. */
  readonly verification?: VerificationRecord;
  /** It has more to say once the node has a record: then its birth is more than told. */
  readonly awaitsRecord?: true;
};

/** Everything a capability may ask for besides its wish. Act carries these out in one exhaustive switch. */
export type Request =
  | { readonly kind: 'RecordEvent'; readonly event: NodeEvent }
  | GateRequest
  | StartWorkerRequest
  | AskRequest;

/** The terms on which a taint that is wished for may gate a node in service. Without them the policy alone decides. */
export type GateRequest = {
  readonly kind: 'Gate';
  readonly taint: TaintId;
  readonly owner: Owner;
  /** Nodes in service that the owner may hold gated in one pool; null: as many as the policy allows. */
  readonly gatedMax: NodeLimit | null;
  /** Nodes in service that a person has agreed to see gated by this owner, whatever the policy allows. */
  readonly confirmedNodes: number | null;
};

/** A worker is to check the node. Granted, the record says so, and whoever keeps workers makes one. */
export type StartWorkerRequest = {
  readonly kind: 'StartWorker';
  readonly owner: Owner;
  /** Higher goes first. */
  readonly priority: number;
  /** From when on starts are spread where many nodes ask at once; who has waited long enough since need not wait again. */
  readonly spreadSince: Instant;
  /** What the record becomes when it is granted. */
  readonly record: VerificationRecord;
};

/** Something about the node is to be read that is not watched. */
export type AskRequest = {
  readonly kind: 'Ask';
  /** Of the DaemonSets whose pods on the node are asked about. */
  readonly namespaces: readonly string[];
  readonly hasDrivers: boolean;
  /** Where these are is asked too: a worker has no rights to find out. */
  readonly services: readonly ServiceQuestion[];
};

export type Route<V extends ObjectView = ObjectView> = {
  readonly watch: WatchSpec<V>;
  /** Pure: which nodes a change of this kind touches. */
  nodes(change: CacheChange<V>, caches: Caches, store: NodeStateStore): Touched;
  /** How soon; as any change when absent. */
  priorityOf?(change: CacheChange<V>): Priority;
};

export interface NodeCapability<Facts = unknown, V extends Verdict = Verdict> {
  readonly name: string;
  /** Who has its way when two capabilities wish for one key: nodeconfig 1, verification 2, readiness 3. Not of whether a taint stands. */
  readonly rank: number;
  readonly watches: readonly WatchSpec[];
  readonly rbac: readonly PolicyRule[];
  readonly routes: readonly Route[];
  gather(caches: Caches, node: NodeView, answers: Answers): Facts;
  decide(facts: Facts, now: Instant): Decision<V>;
  readonly reporters: readonly Reporter[];
  /** Told after its keys on a node were written: what it says of that to people. */
  written?(written: NodeWritten): readonly NodeEvent[];
  /** Told after the verification of a node was written to its record: what it says of that to people. */
  recorded?(recorded: VerificationWritten): readonly NodeEvent[];
  /** Told after each visit of a node by a replica that leads: for what it counts. */
  visited?(visited: NodeVisited): void;
  /** Told when a write of its keys did not succeed. It is tried again in any case. */
  hindered?(hindered: NodeHindered): void;
  /** Asked once: declares what it shows of itself when metrics are scraped. */
  measure?(view: FleetView): void;
  /** Asked whenever somebody wants to know: what is wrong with its work as a whole; null when nothing is. */
  problem?(view: FleetView): string | null;
}

export type NodeWritten = {
  /** As it was before the write. */
  readonly node: NodeView;
  /** Of this capability alone. */
  readonly changes: readonly KeyChange[];
  readonly caches: Caches;
  readonly now: Instant;
};

export type VerificationWritten = {
  readonly node: NodeView;
  readonly before: VerificationRecord | undefined;
  readonly after: VerificationRecord;
  readonly now: Instant;
};

export type NodeVisited = {
  /** Of this capability alone, and those before this visit. */
  readonly verdicts: readonly Verdict[];
  readonly before: readonly Verdict[];
  readonly caches: Caches;
  /** The writes of the visit included. */
  readonly tookMs: number;
  readonly now: Instant;
};

export type NodeHindered = {
  /** Of this capability alone. */
  readonly changes: readonly KeyChange[];
  /** conflict: somebody else wrote first, and it is decided anew. */
  readonly by: 'conflict' | 'failure';
};

/** An object as the server last showed it: what guards a write of it. */
export type Target = { readonly ref: ObjectRef; readonly uid: string; readonly resourceVersion: string };
export type StatusTarget = Target & { readonly status: unknown };

/** A downstream controller: it computes what objects should say, whole, from the store. */
export type Reporter = StatusReporter | ObjectReporter;

type ReporterCore = {
  readonly name: string;
  readonly type: DownstreamType;
  readonly filter?: (state: NodeState) => boolean;
  /** The kind that it writes; a change of such an object is looked at too. */
  readonly watch: WatchSpec;
  /** At once after a quiet time, then at most once per period, however many changes come. */
  readonly periodMs: number;
  /** The period where one key or one change is more urgent than others, or less; null: the object itself changed. */
  periodMsFor?(key: string, change: StateChangeEvent | null, view: ReportView): number;
  keysOf(change: StateChangeEvent, view: ReportView): readonly string[];
  /** Other kinds whose objects are to be looked at under a key of this one when they change. */
  readonly also?: readonly AlsoWatched[];
  /** Other kinds whose changes may concern every object. */
  readonly anew?: readonly LookAnew[];
};

/** A change after which everything is looked at again. */
export type LookAnew<V extends ObjectView = ObjectView> = {
  readonly watch: WatchSpec<V>;
  isCause(change: CacheChange<V>): boolean;
};

/** Writes the status of objects that others create. */
export type StatusReporter<V extends ObjectView = ObjectView> = ReporterCore & {
  readonly kind?: 'status';
  /** How long a report waits after this change of the object itself, because what it speaks of has to be looked at first. */
  waitMsAfter?(change: CacheChange<V>): number;
  /** Other objects of the kind whose status speaks of one that changed. */
  related?(change: CacheChange<V>, caches: Caches): readonly string[];
  /** The object as the server last showed it; null when there is none. */
  target(caches: Caches, key: string): StatusTarget | null;
  report(view: ReportView, key: string, now: Instant): unknown;
  /** What people are told once this status stands in place of the one before. */
  announce?(target: StatusTarget, status: unknown): readonly ObjectEvent[];
  /** Told when a report could not be written, other than for a conflict. */
  failed?(key: string): void;
};

/** Keeps objects of its own, or its own part of the metadata of others' objects. */
export type ObjectReporter<V extends ObjectView = ObjectView> = ReporterCore & {
  readonly kind: 'object';
  /** Nodes wait for these objects: they give way to nobody. */
  readonly isUrgent?: true;
  /** Under which key a watched object is looked at; null for one that is not ours. */
  keyOfObject(object: V): string | null;
  /** Where a node has many keys: those of its state. They are among what `keysOf` says of a change, and wait as one name. */
  keysOfNode?(state: NodeState): Iterable<string>;
  /** Every key that there is, of objects and of what should be one. */
  allKeys(view: ReportView): Iterable<string>;
  /** The priority of a key where it is not that of any change: what is merely born can wait. */
  priorityOf?(key: string, view: ReportView): Priority;
  /** The next write that brings the object nearer to what it should be; null when it is that. */
  next(view: ReportView, key: string, now: Instant): ObjectWrite | null;
  /**
   * Told what became of a write. One that the server will never accept is not tried again until something changes. True:
   * something else is to be written in its place.
   */
  wrote?(key: string, write: ObjectWrite, refusal: string | null): boolean;
};

export type AlsoWatched<V extends ObjectView = ObjectView> = {
  readonly watch: WatchSpec<V>;
  keyOfObject(object: V, caches: Caches): string | null;
};

export type ObjectWrite =
  | {
      readonly kind: 'CreateObject';
      readonly ref: ObjectRef;
      readonly body: RawObject;
      readonly cause: string;
    }
  | { readonly kind: 'PatchObject'; readonly target: Target; readonly patch: object; readonly cause: string }
  /** Conditions of an object of Kubernetes itself, each by its type; the others stay as they are. */
  | {
      readonly kind: 'PatchConditions';
      readonly target: Target;
      readonly conditions: readonly ConditionPatch[];
      readonly cause: string;
    }
  | { readonly kind: 'WriteStatus'; readonly target: Target; readonly patch: unknown; readonly cause: string }
  | {
      readonly kind: 'DeleteObject';
      readonly target: Target;
      readonly cause: string;
      /** How long a pod may take to end; what its spec says when absent. */
      readonly graceSeconds?: number;
    };

/** One condition as it is to be, or the type of one that is to go. */
export type ConditionPatch =
  | (Condition & { readonly lastHeartbeatTime: string })
  | { readonly type: string; readonly $patch: 'delete' };

export type ReportView = {
  readonly store: NodeStateStore;
  readonly caches: Caches;
  /** What was last read about nodes that somebody asked about. */
  readonly answers: Answers;
};

/** The fleet as it is seen now, for what is asked from outside: metrics and health. */
export type FleetView = Omit<ReportView, 'answers'> & {
  now(): Instant;
  /** Null: a standby, which moves nothing. */
  leadsSince(): Instant | null;
};
