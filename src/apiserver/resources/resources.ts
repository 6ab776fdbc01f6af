// The resources of one server: every verb on every kind, in process and synchronous. The narrow place through which the
// HTTP front, the in-process port and the server's own controllers all go.

import type { Cancel } from '../../base/clock.ts';
import { err, ok, type Result } from '../../base/result.ts';
import type { PatchBody } from '../patch/patch.ts';
import { methodNotAllowed, type Refusal, unknownPath } from '../refusal.ts';
import type { StoreEvent, StoreStart } from '../store/watches.ts';
import type { Core } from './core.ts';
import { create } from './create.ts';
import { remove } from './delete.ts';
import { bind, evict } from './pod-actions.ts';
import { get, list, type Page, type PageRequest, type Selection, selector } from './read.ts';
import type { DeleteOptions, Outcome, Target, Write, WriteOptions } from './request.ts';
import { requestToken } from './token.ts';
import { type Part, patch, replace } from './update.ts';

export type WatchRequest = {
  readonly selection: Selection;
  readonly start: StoreStart;
  readonly wantsBookmarks: boolean;
  event(event: StoreEvent): void;
};

export class Resources {
  readonly #core: Core;

  constructor(core: Core) {
    this.#core = core;
  }

  get(target: Target): Outcome {
    return get(this.#core, target);
  }

  list(selection: Selection, page: PageRequest = {}): Result<Page, Refusal> {
    return list(this.#core, selection, page);
  }

  /** Null for a selection that can be read. */
  selectionRefusal(selection: Selection): Refusal | null {
    const selects = selector(selection);
    return selects.kind === 'error' ? selects.error : null;
  }

  watch(request: WatchRequest): Result<Cancel, Refusal> {
    const selects = selector(request.selection);
    if (selects.kind === 'error') return selects;
    const { bucket } = request.selection.target.definition;
    const event = (each: StoreEvent) => request.event(each);
    return ok(this.#core.watches.open({ ...request, bucket, selects: selects.value, event }));
  }

  create(target: Target, write: Write): Outcome {
    return create(this.#core, target, write);
  }

  replace(target: Target, write: Write & { readonly part: Part }): Outcome {
    return replace(this.#core, target, write);
  }

  patch(
    target: Target,
    request: { readonly patch: PatchBody; readonly options: WriteOptions; readonly part: Part },
  ): Outcome {
    return patch(this.#core, target, request);
  }

  delete(target: Target, options: DeleteOptions): Outcome {
    return remove(this.#core, target, options);
  }

  /** Each object by itself: what cannot be deleted ends it, what was deleted before stays so. */
  deleteCollection(selection: Selection, options: DeleteOptions): Result<Page, Refusal> {
    const page = this.list(selection);
    if (page.kind === 'error') return page;
    for (const { metadata } of page.value.items) {
      const { namespace = '', name = '' } = metadata ?? {};
      const gone = this.delete({ ...selection.target, namespace, name }, options);
      if (gone.kind === 'error' && gone.error.code !== 404) return gone;
    }
    return page;
  }

  /** POST to a part of an object that is more than a part. */
  act(target: Target, subresource: string, write: Write): Outcome {
    if (!target.definition.subresources.some((each) => each === subresource)) return err(unknownPath());
    switch (subresource) {
      case 'binding':
        return bind(this.#core, target, write);
      case 'eviction':
        return evict(this.#core, target, write);
      case 'token':
        return requestToken(this.#core, target, write);
      default:
        return err(methodNotAllowed());
    }
  }
}
