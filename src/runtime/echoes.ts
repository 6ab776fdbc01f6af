// Tells what a visit wrote itself from what others changed meanwhile. The event of our own write may come before the answer to it, so
// changes of a node that is being visited are judged when the visit is over: where nobody else had a hand in them, there is
// nothing left to do but to tell of the node, and that can wait.

import type { Cancel } from '../base/clock.ts';
import type { TriggerSource } from '../fleet/change.ts';
import type { ObjectView } from '../objects/raw.ts';
import type { Sources, WatchSpec } from './ports.ts';
import type { Turnstile } from './turnstile.ts';
import type { Visit, Visits } from './visits.ts';

export type EchoPorts = {
  readonly sources: Sources;
  /** Of the kinds that a visit writes, each known by the name of its node. */
  readonly specs: readonly WatchSpec[];
  readonly turnstile: Pick<Turnstile, 'isBurst'>;
  readonly visits: () => Pick<Visits, 'isUnderWay' | 'touch' | 'touchLater'>;
};

/** How long what we wrote ourselves waits during a burst until it is looked at again: others wait to be written at all. */
export const ECHO_MS = 5_000;

export type Echoes = {
  /** The visit, and the judgement after it. */
  around(visit: Visit): Visit;
  readonly cancels: readonly Cancel[];
};

export function createEchoes({ sources, specs, turnstile, visits }: EchoPorts): Echoes {
  const caches = specs.map((spec) => sources.ownWrites<ObjectView>(spec));
  const changed = new Map<string, TriggerSource>();
  const cancels = specs.map((spec) =>
    sources.subscribe<ObjectView>(spec, (change) => {
      const { name } = change.kind === 'deleted' ? change.before : change.now;
      const trigger = spec.selection.type.kind;
      // What comes into being or goes is never a mere echo: a new record may be what the node waited for.
      if (change.kind === 'updated' && visits().isUnderWay(name)) changed.set(name, trigger);
      else visits().touch([name], trigger, 'change');
    }),
  );
  const versions = (name: string) => caches.map((cache) => cache.get(name)?.resourceVersion);
  return {
    cancels,
    around: (visit) => async (name, trigger) => {
      const before = versions(name);
      try {
        return await visit(name, trigger);
      } finally {
        const by = changed.get(name);
        changed.delete(name);
        const isEcho = versions(name).every(
          (version, index) => version === before[index] || caches[index]?.isOwn(name) === true,
        );
        if (by !== undefined && isEcho) visits().touchLater(name, by, turnstile.isBurst() ? ECHO_MS : 0);
        else if (by !== undefined) visits().touch([name], by, 'change');
      }
    },
  };
}
