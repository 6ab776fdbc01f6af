import { describe, expect, it } from 'vitest';
import { createConfigVersionCache } from './versions.ts';

describe('the versions of configurations', () => {
  it('say on every change whether something was modified, and why', () => {
    const cache = createConfigVersionCache();
    expect(cache.ingest('worker-1', '4.16.0')).toEqual({
      isModified: true,
      reason: 'config worker-1 is new',
    });
    expect(cache.ingest('worker-1', '4.16.0')).toEqual({
      isModified: false,
      reason: 'config worker-1 is the same',
    });
    expect(cache.ingest('worker-1', '4.17.0')).toEqual({
      isModified: true,
      reason: 'config worker-1 went from 4.16.0 to 4.17.0',
    });
    expect(cache.versionFor('worker-1')).toBe('4.17.0');
  });

  it('tell an empty version from an unknown one', () => {
    const cache = createConfigVersionCache();
    expect(cache.versionFor('worker-1')).toBeNull();
    cache.ingest('worker-1', '');
    expect(cache.versionFor('worker-1')).toBe('');
    expect(cache.ingest('worker-1', '').isModified).toBe(false);
  });

  it('forget a configuration once', () => {
    const cache = createConfigVersionCache();
    cache.ingest('worker-1', '4.16.0');
    expect([cache.forget('worker-1'), cache.forget('worker-1')]).toEqual([true, false]);
    expect(cache.versionFor('worker-1')).toBeNull();
  });

  it('hand out all of them as they are now', () => {
    const cache = createConfigVersionCache();
    cache.ingest('worker-1', '4.16.0');
    const all = cache.getAll();
    cache.forget('worker-1');
    expect([...all]).toEqual([['worker-1', '4.16.0']]);
  });
});
