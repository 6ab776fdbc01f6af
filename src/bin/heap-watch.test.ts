import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it, vi } from 'vitest';
import type { Heap } from '../server/heap-notes.ts';
import { watchHeap } from './heap-watch.ts';

it('looks at the heap after a full collection and says how large it may get', async () => {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect !== 'function') throw new Error('there is no gc() in a new context');
  const seen: Heap[] = [];
  const watch = watchHeap((heap) => void seen.push(heap));
  await vi.waitFor(() => {
    collect();
    expect(seen).not.toEqual([]);
  });
  expect(seen[0]?.keptBytes).toBeGreaterThan(1_000_000);
  expect(seen[0]?.limitBytes).toBeGreaterThan(seen[0]?.keptBytes ?? Infinity);
  watch.stop();
});
