// One step of a random sequence, as data that means the same on every target. Names and versions are not in it: a slot
// stands for a name, a guard for the version or uid to be sent, and `$NAMESPACE` and `$NAME-x` are filled in by the world.

import type { PatchType } from '../bench.ts';

export const kinds = ['nodes', 'pods', 'leases', 'events', 'newEvents', 'widgets'] as const;
export type Kind = (typeof kinds)[number];

export const slots = ['a', 'b'] as const;
export type Slot = (typeof slots)[number];

/** What a write says about the object it means to meet. */
export const guards = ['none', 'current', 'first', 'uid', 'other-uid'] as const;
export type Guard = (typeof guards)[number];

/** In which an answer is asked for. */
export const forms = ['object', 'table', 'partial'] as const;
export type Form = (typeof forms)[number];

/** A body without its metadata's identity, or the operations of a JSON patch. */
export type Content = Readonly<Record<string, unknown>>;

type On = { readonly on: Kind; readonly slot: Slot };
type Part = { readonly part: 'object' | 'status' };
type Query = { readonly query: string };

export type Operation =
  | (On & Query & { readonly kind: 'create'; readonly content: Content })
  | (On & Part & { readonly kind: 'get'; readonly form: Form })
  | (On & Part & Query & { readonly kind: 'replace'; readonly content: Content; readonly guard: Guard })
  | (On &
      Part &
      Query & {
        readonly kind: 'patch';
        readonly type: PatchType;
        readonly body: unknown;
        readonly guard: Guard;
      })
  | (On & { readonly kind: 'delete'; readonly guard: Guard; readonly options: Content })
  /** A POST to a part of a pod. */
  | (On & { readonly kind: 'act'; readonly part: 'binding' | 'eviction'; readonly content: Content })
  | (Query & { readonly kind: 'list'; readonly on: Kind; readonly form: Form })
  | (Query & { readonly kind: 'delete-many'; readonly on: Kind })
  /** What a watch tells that starts where the sequence did. */
  | { readonly kind: 'watch'; readonly on: Kind };

export function describeOperation(operation: Operation): string {
  const { kind, on, ...rest } = operation;
  return `${kind} ${on} ${JSON.stringify(rest)}`;
}
