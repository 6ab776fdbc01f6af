// What the simulated world needs of an API server. The client over HTTP and the in-process port of the embedded server both
// have this form, so that the same kubelets live on either. Nothing here is implemented.

import type { Cancel } from '../base/clock.ts';
import type { Result } from '../base/result.ts';
import type { RawObject } from '../objects/raw.ts';
import type { ObjectRef, ResourceType } from '../objects/ref.ts';

export type WorldFailure = {
  /** `NotFound`, `Conflict`, `AlreadyExists`...: the words of the client. */
  readonly reason: string;
  readonly code: number | null;
  readonly message: string;
};

export type WorldAnswer<T = RawObject> = Result<T, WorldFailure>;

export type WorldSelection = { readonly type: ResourceType; readonly namespace?: string };

export type WorldPage = {
  readonly items: readonly RawObject[];
  readonly resourceVersion: string;
  readonly continueToken: string;
};

export type WorldEvent =
  | { readonly kind: 'object'; readonly change: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: RawObject }
  | { readonly kind: 'bookmark'; readonly resourceVersion: string }
  | { readonly kind: 'error'; readonly failure: WorldFailure }
  | { readonly kind: 'garbled' };

export interface WorldListener {
  opened(): void;
  event(event: WorldEvent): void;
  /** Called once, last. */
  ended(failure: WorldFailure | null): void;
}

export type WorldPatch = { readonly kind: 'merge' | 'strategic'; readonly body: unknown };

export type WorldWrite = { readonly subresource?: string };

export interface WorldApi {
  get(ref: ObjectRef): Promise<WorldAnswer>;
  list(
    selection: WorldSelection,
    page?: { readonly limit?: number; readonly continueToken?: string },
  ): Promise<WorldAnswer<WorldPage>>;
  watch(
    selection: WorldSelection,
    start: { readonly kind: 'after'; readonly resourceVersion: string },
    listener: WorldListener,
  ): Cancel;
  create(ref: ObjectRef, body: RawObject, options?: WorldWrite): Promise<WorldAnswer>;
  replace(ref: ObjectRef, body: RawObject, options?: WorldWrite): Promise<WorldAnswer>;
  patch(ref: ObjectRef, patch: WorldPatch, options?: WorldWrite): Promise<WorldAnswer>;
  delete(
    ref: ObjectRef,
    options?: { readonly uid?: string; readonly gracePeriodSeconds?: number },
  ): Promise<WorldAnswer>;
}
