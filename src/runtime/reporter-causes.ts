// What concerns the objects of a reporter besides themselves: objects of other kinds, and changes after which all are looked at again.

import type { Cancel } from '../base/clock.ts';
import type { Reporter } from './capability.ts';
import type { CacheChange, Sources } from './ports.ts';

export type LookAgain = { readonly enqueue: (key: string) => void; readonly refresh: () => void };

export function watchAlso(
  reporter: Reporter,
  sources: Sources,
  { enqueue, refresh }: LookAgain,
): readonly Cancel[] {
  const anew = (reporter.anew ?? []).map((cause) =>
    sources.subscribe(cause.watch, (change) => {
      if (cause.isCause(change)) refresh();
    }),
  );
  const also = (reporter.also ?? []).map((other) =>
    sources.subscribe(other.watch, (change) => {
      const key = other.keyOfObject(change.kind === 'deleted' ? change.before : change.now, sources);
      if (key !== null) enqueue(key);
    }),
  );
  if (reporter.kind === 'object') return [...also, ...anew];
  const tell = (change: CacheChange) => {
    for (const key of reporter.related?.(change, sources) ?? []) enqueue(key);
  };
  return [sources.subscribe(reporter.watch, tell), ...also, ...anew];
}
