// One target seen from one sequence: carries out operations, remembers what it has seen of each object, and answers in
// terms that can be compared with another world.

import type { RawObject } from '../../../src/objects/raw.ts';
import { collectionsIn } from '../bench.ts';
import type { Reply, Target } from '../target.ts';
import { callOf, type Guarded, pathOf, type Place } from './call.ts';
import { type Answer, createNormaliser } from './normalise.ts';
import { type Content, type Kind, kinds, type Operation, type Slot, slots } from './operation.ts';

export type World = {
  readonly name: string;
  readonly perform: (operation: Operation) => Promise<Answer>;
  readonly leave: () => Promise<void>;
};

const otherUid = '00000000-0000-4000-8000-000000000000';

type Seen = { readonly first: RawObject; readonly current: RawObject };

export async function openWorld(target: Target, place: Place): Promise<World> {
  const beginning = await versionNow(target, place);
  const normaliser = createNormaliser(place);
  const seen = new Map<string, Seen>();

  const note = (key: string, { status, body }: Reply): void => {
    const { uid, resourceVersion } = body.metadata ?? {};
    if (status === 404) seen.delete(key);
    if (status >= 300 || uid === undefined || resourceVersion === undefined) return;
    const first = seen.get(key)?.first;
    seen.set(key, { first: first?.metadata?.uid === uid ? first : body, current: body });
  };
  const historyOf = async (on: Kind): Promise<Answer> => {
    const query = `watch=1&resourceVersion=${beginning}&timeoutSeconds=1`;
    const stream = await target.watch(`${collectionsIn(place.namespace)[on]}?${query}`);
    const lines: string[] = [];
    for await (const line of stream.lines) lines.push(line);
    return normaliser.history(stream.status, lines);
  };
  return {
    name: `${target.name} ${place.prefix}`,
    perform: async (operation) => {
      if (operation.kind === 'watch') return historyOf(operation.on);
      const call = callOf(operation, place, (write) => identity(seen.get(keyOf(write)), write));
      const reply = await target.request(call.method, call.path, call.options);
      if ('slot' in operation) note(keyOf(operation), reply);
      return normaliser.answer(reply);
    },
    leave: async () => {
      for (const on of kinds) for (const slot of slots) await discard(target, pathOf(place, on, slot));
    },
  };
}

async function versionNow(target: Target, { namespace }: Place): Promise<string> {
  const { body } = await target.request('GET', `${collectionsIn(namespace).configmaps}?limit=1`);
  return body.metadata?.resourceVersion ?? '';
}

/** Both groups of events are one storage. */
function keyOf({ on, slot }: { readonly on: Kind; readonly slot: Slot }): string {
  return `${on === 'newEvents' ? 'events' : on}/${slot}`;
}

/** What is not known cannot guard. */
function identity(seen: Seen | undefined, { guard }: Guarded): Content {
  if (guard === 'none' || seen === undefined) return {};
  if (guard === 'uid') return { uid: seen.current.metadata?.uid };
  if (guard === 'other-uid') return { uid: otherUid };
  return { resourceVersion: seen[guard].metadata?.resourceVersion };
}

async function discard(target: Target, path: string): Promise<void> {
  await target.request('PATCH', path, { body: { metadata: { finalizers: null } } });
  await target.request('DELETE', path, { body: { gracePeriodSeconds: 0 } });
}
