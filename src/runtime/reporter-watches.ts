// What makes a reporter look again besides the nodes: its own objects, and what concerns them.

import type { Cancel } from '../base/clock.ts';
import type { ObjectView } from '../objects/raw.ts';
import { keyOf } from '../objects/ref.ts';
import type { Reporter } from './capability.ts';
import type { CacheChange, Sources } from './ports.ts';

export type ObjectListener = {
  readonly enqueue: (key: string) => void;
  readonly onDeleted: (key: string, object: ObjectView) => void;
};

export function watchObjects(
  reporter: Reporter,
  sources: Sources,
  listener: ObjectListener,
): readonly Cancel[] {
  return [watchOwn(reporter, sources, listener), ...watchRelated(reporter, sources, listener.enqueue)];
}

/** A deleted object of ours may have to be made again. */
function watchOwn(reporter: Reporter, sources: Sources, { enqueue, onDeleted }: ObjectListener): Cancel {
  return sources.subscribe(reporter.watch, (change) => {
    const object = change.kind === 'deleted' ? change.before : change.now;
    const key = reporter.kind === 'object' ? reporter.keyOfObject(object) : keyOf(object);
    if (key === null) return;
    if (change.kind === 'deleted') onDeleted(key, object);
    if (change.kind !== 'deleted' || reporter.kind === 'object') enqueue(key);
  });
}

/** What concerns the objects of a reporter besides themselves. */
function watchRelated(
  reporter: Reporter,
  sources: Sources,
  enqueue: ObjectListener['enqueue'],
): readonly Cancel[] {
  if (reporter.kind !== 'object') {
    const tell = (change: CacheChange) => {
      for (const key of reporter.related?.(change, sources) ?? []) enqueue(key);
    };
    return [sources.subscribe(reporter.watch, tell)];
  }
  return (reporter.also ?? []).map((also) =>
    sources.subscribe(also.watch, (change) => {
      const key = also.keyOfObject(change.kind === 'deleted' ? change.before : change.now, sources);
      if (key !== null) enqueue(key);
    }),
  );
}
