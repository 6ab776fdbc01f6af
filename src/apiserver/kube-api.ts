// The server as the port that an operator speaks to, in process: no socket, no text. Answers come in a later microtask, as
// from a network, and carry the same reasons as over HTTP.

import type { Cancel } from '../base/clock.ts';
import { err, ok, type Result } from '../base/result.ts';
import type { RawObject } from '../objects/raw.ts';
import type { ObjectRef, ResourceType } from '../objects/ref.ts';
import type { ApiServer } from './api-server.ts';
import type { PatchBody } from './patch/patch.ts';
import { aborted, type CallFailure, failureOf } from './port-failure.ts';
import { methodNotAllowed, type Refusal, unknownPath } from './refusal.ts';
import { KubeStream, type WatchListener } from './kube-stream.ts';
import type { DeleteOptions, Outcome, Target, WriteOptions } from './resources/request.ts';
import type { Part } from './resources/update.ts';

type Answer<T> = Result<T, CallFailure>;
type CallOptions = { readonly signal?: AbortSignal };
type Writing = CallOptions & { readonly subresource?: string; readonly dryRun?: boolean };
type Selecting = {
  readonly type: ResourceType;
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
};
type WatchStart =
  | { readonly kind: 'initialEvents' }
  | { readonly kind: 'after'; readonly resourceVersion: string };
type Page = {
  readonly items: readonly RawObject[];
  readonly resourceVersion: string;
  readonly continueToken: string;
};
type Served = Pick<ApiServer, 'registry' | 'resources'>;

export function createInProcessKubeApi(server: Served) {
  const { resources } = server;
  const find = (ref: ObjectRef) => targetIn(server, ref);
  const ask = async (ref: ObjectRef, given: CallOptions | undefined, run: (target: Target) => Outcome) =>
    answered(given, () => {
      const target = find(ref);
      return target === null ? err(unknownPath()) : run(target);
    });
  return {
    get: (ref: ObjectRef, given?: CallOptions) => ask(ref, given, (target) => resources.get(target)),
    list: (
      selection: Selecting,
      page: { limit?: number; continueToken?: string } = {},
      given?: CallOptions,
    ) => listed(server, { selection, page, given }),
    watch: (selection: Selecting, start: WatchStart, listener: WatchListener) =>
      watched(server, selection, { start, listener }),
    create: (ref: ObjectRef, body: RawObject, given?: Writing) =>
      ask(ref, given, (target) => created(server, target, { body, given })),
    replace: (ref: ObjectRef, body: RawObject, given?: Writing) =>
      ask(ref, given, (target) =>
        withPart(target, given, (part) =>
          resources.replace(target, { body, options: optionsOf(given), part }),
        ),
      ),
    patch: (ref: ObjectRef, patch: PatchBody, given?: Writing) =>
      ask(ref, given, (target) =>
        withPart(target, given, (part) =>
          resources.patch(target, { patch, options: optionsOf(given), part }),
        ),
      ),
    delete: (ref: ObjectRef, given?: CallOptions & DeleteOptions) =>
      ask(ref, given, (target) => resources.delete(target, given ?? {})),
  };
}

type Listing = {
  readonly selection: Selecting;
  readonly page: { readonly limit?: number; readonly continueToken?: string };
  readonly given: CallOptions | undefined;
};

async function listed(server: Served, asked: Listing): Promise<Answer<Page>> {
  await Promise.resolve();
  if (asked.given?.signal?.aborted) return err(aborted());
  const target = targetIn(server, {
    ...asked.selection,
    namespace: asked.selection.namespace ?? '',
    name: '',
  });
  if (target === null) return err(failureOf(unknownPath()));
  const page = server.resources.list({ ...asked.selection, target }, asked.page);
  if (page.kind === 'error') return err(failureOf(page.error));
  const { items, revision, continueToken } = page.value;
  return ok({
    items: items.map((item) => target.definition.encode(item)),
    resourceVersion: String(revision),
    continueToken,
  });
}

type Watching = { readonly start: WatchStart; readonly listener: WatchListener };

function watched(server: Served, selection: Selecting, { start, listener }: Watching): Cancel {
  const target = targetIn(server, { ...selection, namespace: selection.namespace ?? '', name: '' });
  if (target === null) return refused(listener, unknownPath());
  const stream = new KubeStream(listener);
  const opened = server.resources.watch({
    selection: { ...selection, target },
    start:
      start.kind === 'initialEvents'
        ? { kind: 'initial', isMarked: true }
        : { kind: 'after', revision: Number(start.resourceVersion) },
    wantsBookmarks: true,
    event: (event) => stream.push(event, target.definition),
  });
  if (opened.kind === 'error') return refused({ ended: (failure) => stream.end(failure) }, opened.error);
  stream.open();
  return () => {
    opened.value();
    stream.end(null);
  };
}

/** The watch never opens; it ends with the reason, once. */
function refused(listener: Pick<WatchListener, 'ended'>, refusal: Refusal): Cancel {
  let isEnded = false;
  const end = (failure: CallFailure | null) => {
    if (!isEnded) listener.ended(failure);
    isEnded = true;
  };
  queueMicrotask(() => end(failureOf(refusal)));
  return () => end(null);
}

async function answered(given: CallOptions | undefined, run: () => Outcome): Promise<Answer<RawObject>> {
  await Promise.resolve();
  if (given?.signal?.aborted) return err(aborted());
  const outcome = run();
  return outcome.kind === 'error' ? err(failureOf(outcome.error)) : ok(outcome.value.object);
}

type Creating = { readonly body: RawObject; readonly given: Writing | undefined };

function created({ resources }: Served, target: Target, { body, given }: Creating): Outcome {
  const options = optionsOf(given);
  const { subresource = '' } = given ?? {};
  if (subresource !== '') return resources.act(target, subresource, { body, options });
  return resources.create(target, { body, options });
}

function withPart(target: Target, given: Writing | undefined, run: (part: Part) => Outcome): Outcome {
  const { subresource = '' } = given ?? {};
  if (subresource === '') return run('main');
  if (!target.definition.subresources.some((each) => each === subresource)) return err(unknownPath());
  return subresource === 'status' ? run('status') : err(methodNotAllowed());
}

function optionsOf(given: Writing | undefined): WriteOptions {
  return { isDryRun: given?.dryRun === true, fieldValidation: 'Ignore' };
}

function targetIn({ registry }: Served, { type, namespace, name }: ObjectRef): Target | null {
  const definition = registry.find(type);
  return definition === undefined ? null : { definition, namespace, name };
}
