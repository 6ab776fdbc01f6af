import { describe, expect, it } from 'vitest';
import { shelfCaches } from '../../test/support/capability-builder.ts';
import { nodeView } from '../../test/support/node-builder.ts';
import { viewOf } from '../objects/raw.ts';
import { nodeType } from '../objects/ref.ts';
import { createBarriers, type Gatekept } from './barrier.ts';
import type { WatchSpec } from './ports.ts';

const spec = (): WatchSpec => ({ selection: { type: nodeType }, project: viewOf, presence: 'required' });

function scene(...capabilities: readonly Gatekept[]) {
  const nodes = spec();
  const caches = shelfCaches();
  const told: string[] = [];
  const barriers = createBarriers({
    capabilities,
    caches,
    nodes,
    onSynced: () => told.push('synced'),
    onOpen: ({ name }) => told.push(`open ${name}`),
  });
  const sync = (watched: WatchSpec, ...names: readonly string[]) => {
    caches.sync(watched, ...names.map((name) => nodeView({ name })));
    barriers.check();
  };
  return { nodes, barriers, told, sync };
}

describe('a barrier', () => {
  it('opens when the caches are synced and then every node was visited', () => {
    const rules = spec();
    const readiness = { name: 'readiness', watches: [rules] };
    const { nodes, barriers, told, sync } = scene(readiness);
    sync(nodes, 'a', 'b');
    expect(barriers.isSynced(readiness)).toBe(false);
    sync(rules);
    expect([barriers.isSynced(readiness), barriers.isOpen(readiness)]).toEqual([true, false]);
    barriers.visited('a');
    expect(barriers.areAllOpen()).toBe(false);
    barriers.visited('b');
    expect([barriers.isOpen(readiness), barriers.areAllOpen()]).toEqual([true, true]);
    expect(told).toEqual(['synced', 'open readiness']);
  });

  it('does not count visits from before the caches were synced', () => {
    const rules = spec();
    const readiness = { name: 'readiness', watches: [rules] };
    const { nodes, barriers, sync } = scene(readiness);
    sync(nodes, 'a');
    barriers.visited('a');
    sync(rules);
    expect(barriers.isOpen(readiness)).toBe(false);
  });

  it('stays shut while the nodes themselves are not synced', () => {
    const readiness = { name: 'readiness', watches: [] };
    const { barriers } = scene(readiness);
    barriers.check();
    expect(barriers.isSynced(readiness)).toBe(false);
  });

  it('opens at once in a cluster without nodes', () => {
    const { nodes, barriers, told, sync } = scene({ name: 'readiness', watches: [] });
    sync(nodes);
    expect(barriers.areAllOpen()).toBe(true);
    expect(told).toEqual(['synced', 'open readiness']);
  });

  it('is not shut again, nor opened twice, by further syncs and visits', () => {
    const { nodes, barriers, told, sync } = scene({ name: 'readiness', watches: [] });
    sync(nodes, 'a');
    barriers.visited('a');
    sync(nodes, 'a', 'b');
    barriers.visited('b');
    barriers.visited('a');
    expect(told).toEqual(['synced', 'open readiness']);
    expect(barriers.areAllOpen()).toBe(true);
  });

  it('opens for each capability by itself', () => {
    const slow = spec();
    const late = { name: 'late', watches: [slow] };
    const { nodes, barriers, told, sync } = scene({ name: 'early', watches: [] }, late);
    sync(nodes, 'a');
    barriers.visited('a');
    expect(told).toEqual(['synced', 'open early']);
    expect(barriers.areAllOpen()).toBe(false);
    sync(slow);
    barriers.visited('a');
    expect(told).toEqual(['synced', 'open early', 'synced', 'open late']);
  });
});
