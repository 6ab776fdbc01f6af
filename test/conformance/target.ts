// What the conformance suite needs of an API server. A target is whatever can be started and asked over HTTP; it says
// beforehand what it does not have, and the suite then skips, by name and in the count, the cases that need it.

import type { IncomingHttpHeaders } from 'node:http';
import type { RawObject } from '../../src/objects/raw.ts';

/** What a target may lack. Everything else is asked of every target. */
export type Feature =
  /** A kubectl binary is at hand. */
  | 'kubectl'
  /** OpenAPI v3 documents of custom resources, for `kubectl explain` and for validation by kubectl. */
  | 'openapi'
  /** `metadata.managedFields`, and with them server-side apply. */
  | 'server-side-apply'
  /** Dependents follow their owner. */
  | 'garbage-collection'
  /** Namespaces empty themselves when deleted. */
  | 'namespace-termination'
  /** A service account `default` appears in each namespace. */
  | 'default-service-account'
  /** The TokenRequest subresource. */
  | 'service-account-tokens'
  /** Pods: defaults, validation, graceful deletion, binding, eviction. */
  | 'pods'
  /** Bodies and replies in YAML. */
  | 'yaml'
  /** History can be made to expire on demand: `forgetHistory` works. */
  | 'expiry';

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
  readonly start: () => Promise<RunningTarget>;
};

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
