// Tells what a visit wrote itself from what others changed meanwhile. The event of our own write may come before the answer to it, so
// changes of a node that is being visited are judged when the visit is over: where nobody else had a hand in them, there is
// nothing left to do but to tell of the node, and during a burst that waits until it is over.

import type { Cancel, Clock } from '../base/clock.ts';
import type { TriggerSource } from '../fleet/change.ts';
import type { ObjectView } from '../objects/raw.ts';
import type { Sources, WatchSpec } from './ports.ts';
import type { Turnstile } from './turnstile.ts';
import type { Visit, Visits } from './visits.ts';

export type EchoPorts = {
  readonly clock: Clock;
  readonly sources: Sources;
  /** Of the kinds that a visit writes, each known by the name of its node. */
  readonly specs: readonly WatchSpec[];
  readonly turnstile: Pick<Turnstile, 'isBurst'>;
  readonly visits: () => Pick<Visits, 'isUnderWay' | 'touch'>;
};

export type Echoes = {
  /** The visit, and the judgement after it. */
  around(visit: Visit): Visit;
  stop(): void;
};

/** How often it is asked whether a burst is over. */
const LOOK_MS = 1_000;
/** A fleet that is never calm is told about all the same. */
export const ECHO_MS_MAX = 20_000;

export function createEchoes(ports: EchoPorts): Echoes {
  const { sources, specs, turnstile, visits } = ports;
  const caches = specs.map((spec) => sources.ownWrites<ObjectView>(spec));
  const changed = new Map<string, TriggerSource>();
  const waiting = createWaiting(ports);
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
  const judge = (name: string, trigger: TriggerSource, before: readonly (string | undefined)[]) => {
    const isEcho = versions(name).every(
      (version, index) => version === before[index] || caches[index]?.isOwn(name) === true,
    );
    if (isEcho && turnstile.isBurst()) waiting.add(name, trigger);
    else visits().touch([name], trigger, isEcho ? 'resync' : 'change');
  };
  return {
    around: (visit) => async (name, trigger) => {
      const before = versions(name);
      waiting.leave(name);
      try {
        return await visit(name, trigger);
      } finally {
        const by = changed.get(name);
        changed.delete(name);
        if (by !== undefined) judge(name, by, before);
      }
    },
    stop() {
      for (const cancel of cancels) cancel();
      waiting.stop();
    },
  };
}

type Waiting = {
  add(name: string, trigger: TriggerSource): void;
  /** It is visited for another reason, which will do. */
  leave(name: string): void;
  stop(): void;
};

function createWaiting({ clock, turnstile, visits }: EchoPorts): Waiting {
  const names = new Map<string, { readonly trigger: TriggerSource; readonly sinceMs: number }>();
  let cancel: Cancel | null = null;
  const look = () => {
    cancel = null;
    const longestMs = turnstile.isBurst() ? ECHO_MS_MAX : 0;
    for (const [name, { trigger, sinceMs }] of names) {
      // In the order in which they came: the rest has waited less.
      if (clock.monotonicMs() - sinceMs < longestMs) break;
      names.delete(name);
      visits().touch([name], trigger, 'resync');
    }
    if (names.size > 0) cancel = clock.after(LOOK_MS, look);
  };
  return {
    add(name, trigger) {
      names.set(name, { trigger, sinceMs: clock.monotonicMs() });
      cancel ??= clock.after(LOOK_MS, look);
    },
    leave: (name) => void names.delete(name),
    stop: () => cancel?.(),
  };
}
