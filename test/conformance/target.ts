// What the conformance suite needs of an API server. A target is whatever can be started and asked over HTTP. What a run has no
// tool for is said beforehand, and the suite then skips, by name and in the count, the cases that need it.

import type { IncomingHttpHeaders } from 'node:http';
import type { RawObject } from '../../src/objects/raw.ts';

/** What a run may lack through no fault of the target. Where a target itself falls short, `accepted.ts` says so and why. */
export type Feature =
  /** A kubectl binary is at hand. */
  'kubectl';

export type Target = {
  readonly name: string;
  readonly url: string;
  /** As administrator. No retries: a case must see what the server said. */
  readonly request: (method: string, path: string, options?: RequestOptions) => Promise<Reply>;
  /** The reply of a watch as it comes: its status first, then one line per event. */
  readonly watch: (path: string, options?: WatchOptions) => Promise<LineStream>;
  /** What kubectl printed on its standard output; an exit code other than 0 is thrown with what it said. */
  readonly kubectl: (args: readonly string[], options?: { readonly input?: string }) => Promise<string>;
  /** From now on, every resourceVersion and continue token handed out so far is too old. */
  readonly forgetHistory: () => Promise<void>;
  readonly has: ReadonlySet<Feature>;
};

export type RunningTarget = Target & { readonly stop: () => Promise<void> };

/** Known before it runs, so that tests can be named without starting it. */
export type TargetSource = {
  readonly name: string;
  readonly has: ReadonlySet<Feature>;
  /** Where it is known to answer otherwise. */
  readonly accepted: readonly Difference[];
  readonly start: () => Promise<RunningTarget>;
};

/** A case that does not hold on a target, for a reason that can be said in public. It must go on not to hold. */
export type Difference = { readonly topic: string; readonly sentence: string; readonly reason: string };

export type RequestOptions = {
  /** Sent as JSON, or as it is when it is a text. */
  readonly body?: unknown;
  /** Of the body: JSON, and for a PATCH a merge patch, unless said otherwise. */
  readonly contentType?: string;
  readonly accept?: string;
};

export type WatchOptions = Pick<RequestOptions, 'accept'>;

export type Reply = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Empty when the reply is not one JSON object. */
  readonly body: Body;
  readonly text: string;
};

/** An object, a list or a Status, not yet trusted. */
export type Body = RawObject & { readonly items?: readonly RawObject[]; readonly message?: string };

export type LineStream = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly lines: AsyncIterable<string>;
  readonly close: () => void;
};
