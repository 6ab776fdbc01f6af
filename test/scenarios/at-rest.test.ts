import { describe, expect, it } from 'vitest';
import { centreScene } from '../support/centre-scene.ts';

const TEN_MINUTES_AND_A_RESYNC = 720_000;

async function converged() {
  const scene = centreScene();
  for (const name of ['a', 'b', 'c', 'd', 'e']) scene.putNode(name, { labels: { pool: 'blue' } });
  scene.putStamp('gate', { labels: { team: 'x' }, taints: { 'gate:NoSchedule': 'x' } });
  const running = scene.start();
  await scene.run(60_000);
  expect(scene.asked()).not.toEqual([]);
  return { ...scene, ...running };
}

describe('a cluster that is as it should be', () => {
  it('is neither written nor read for ten minutes, resync included', async () => {
    const { run, asked, store } = await converged();
    const before = store.evaluationsOf('a');
    await run(TEN_MINUTES_AND_A_RESYNC);
    expect(asked()).toEqual([]);
    expect(store.evaluationsOf('a')).toBeGreaterThan(before);
  });

  it('is not written when the watches are cut and start anew', async () => {
    const { run, asked, api } = await converged();
    api.compact();
    api.closeWatches();
    await run(60_000);
    expect(asked()).toEqual([]);
  });

  it('is not written when heartbeats come in', async () => {
    const { run, changeNode, wrote } = await converged();
    for (let beat = 0; beat < 10; beat++) {
      changeNode('a', (raw) => ({ ...raw, status: { ...Object(raw.status), heartbeat: beat } }));
      await run(10_000);
    }
    expect(wrote()).toEqual([]);
  });

  it('is looked at when a capability asked for it, and not written', async () => {
    const { run, wrote, putStamp, store } = await converged();
    putStamp('clock', { recheckEveryMs: 10_000 });
    await run(6_000);
    wrote();
    const before = store.evaluationsOf('a');
    await run(60_000);
    expect(store.evaluationsOf('a') - before).toBe(6);
    expect(wrote()).toEqual([]);
  });

  it('is not looked at without end when a capability always asks for now', async () => {
    const { clock, rest, putStamp, store } = await converged();
    putStamp('clock', { recheckEveryMs: 0 });
    await rest();
    const before = store.evaluationsOf('a');
    for (let passedMs = 0; passedMs < 100; passedMs++) {
      await clock.advance(1);
      await rest();
    }
    expect(store.evaluationsOf('a') - before).toBe(1);
  });

  it('is not spoken of again and again', async () => {
    const { run, events, putStamp } = await converged();
    const spoken = () => events.filter(({ note }) => note === 'hello').length;
    putStamp('speaker', { on: { label: 'pool', value: 'blue' }, says: 'hello' });
    await run(1_000);
    expect(spoken()).toBe(5);
    await run(TEN_MINUTES_AND_A_RESYNC);
    expect(spoken()).toBe(5);
  });
});
