import { describe, expect, it } from 'vitest';
import { manualClock } from '../../test/support/manual-clock.ts';
import { createMemoryKubeApi } from '../../test/support/memory-kube-api.ts';
import { recordedMetrics } from '../../test/support/recorded-metrics.ts';
import { silentLog } from '../base/log.ts';
import { seededRandom } from '../base/random.ts';
import { viewOf } from '../objects/raw.ts';
import { leaseType, nodeType, podType } from '../objects/ref.ts';
import type { WatchSpec } from '../runtime/ports.ts';
import { createCaches } from './caches.ts';

const nodes: WatchSpec = { selection: { type: nodeType }, project: viewOf, presence: 'required' };
const pods: WatchSpec = { selection: { type: podType }, project: viewOf, presence: 'required' };
const leases: WatchSpec = { selection: { type: leaseType }, project: viewOf, presence: 'optional' };

function setUp() {
  const clock = manualClock();
  const metrics = recordedMetrics();
  const api = createMemoryKubeApi({
    clock,
    isServed: ({ plural }) => plural !== 'leases',
    before: ({ ref }) => (ref.type === podType ? new Promise(() => {}) : null),
  });
  const options = { api, clock, random: seededRandom(1), log: silentLog, metrics };
  const caches = createCaches({ ...options, specs: [nodes, pods, leases, nodes] });
  return { clock, metrics, api, caches };
}

describe('the caches', () => {
  it('share one watch between all who name the same spec', async () => {
    const { clock, api, caches } = setUp();
    caches.start();
    await clock.advance(0);
    expect(api.calls.filter(({ ref }) => ref.type === nodeType)).toHaveLength(1);
  });

  it('are synced each by itself, a kind that is not installed too', async () => {
    const { clock, caches } = setUp();
    let announced = 0;
    caches.onSynced(() => announced++);
    caches.start();
    expect(caches.unsynced()).toEqual(['nodes', 'pods', 'leases.coordination.k8s.io']);
    await clock.advance(0);
    expect(caches.unsynced()).toEqual(['pods']);
    expect(announced).toBe(2);
  });

  it('hand out one cache per spec, to readers, writers and subscribers', async () => {
    const { clock, api, caches } = setUp();
    const told: string[] = [];
    const cancel = caches.subscribe(nodes, ({ kind }) => told.push(kind));
    caches.start();
    await clock.advance(0);
    caches.ownWrites(nodes).observe(api.put(nodeType, { metadata: { name: 'a' } }));
    expect(caches.of(nodes).get('a')?.uid).toBe('uid-1');
    cancel();
    await clock.advance(0);
    api.remove(nodeType, 'a');
    await clock.advance(0);
    expect(told).toEqual(['added']);
    expect(caches.of(nodes).size).toBe(0);
  });

  it('refuse a spec that nobody declared', () => {
    const { caches } = setUp();
    expect(() => caches.of({ ...nodes })).toThrow('nodes are watched by this spec');
  });

  it('show their size, their age and the state of their watches', async () => {
    const { clock, metrics, api, caches } = setUp();
    api.put(nodeType, { metadata: { name: 'a' } });
    caches.start();
    await clock.advance(20_000);
    expect(metrics.value('muster_cache_objects', { resource: 'nodes' })).toBe(1);
    expect(metrics.value('muster_cache_age_seconds', { resource: 'nodes' })).toBe(20);
    const state = (resource: string, name: string) =>
      metrics.value('muster_reflector_state', { resource, state: name });
    expect([state('nodes', 'watching'), state('nodes', 'syncing')]).toEqual([1, 0]);
    expect(state('pods', 'syncing')).toBe(1);
    expect(state('leases.coordination.k8s.io', 'absent')).toBe(1);
  });

  it('close every watch when they are stopped', async () => {
    const { clock, api, caches } = setUp();
    caches.start();
    await clock.advance(0);
    caches.stop();
    expect(api.openWatches()).toBe(0);
    expect(clock.pendingTimers()).toBe(0);
  });

  it('count an object that cannot be read and go on', async () => {
    const { clock, api, metrics } = setUp();
    const spec: WatchSpec = {
      ...nodes,
      project(raw) {
        if (raw.metadata?.name === 'odd') throw new Error('odd');
        return viewOf(raw);
      },
    };
    const caches = createCaches({
      api,
      specs: [spec],
      clock,
      random: seededRandom(1),
      log: silentLog,
      metrics,
    });
    api.put(nodeType, { metadata: { name: 'odd' } });
    api.put(nodeType, { metadata: { name: 'plain' } });
    caches.start();
    await clock.advance(0);
    expect([...caches.of(spec).keys()]).toEqual(['plain']);
    expect(metrics.value('muster_unreadable_objects_total', { resource: 'nodes' })).toBe(1);
  });
});
