import { describe, expect, it } from 'vitest';
import { centreScene } from '../support/centre-scene.ts';
import { stampCapability } from '../support/stamp-capability.ts';
import { turningClock } from '../support/turning-clock.ts';

const EVALUATION_MS = 0.4;
const TURN_MS_MAX = 10;

describe('a change that touches the whole fleet', () => {
  it.each([
    { who: 'a standby', isLeading: false, nodes: 10_000 },
    { who: 'the leader', isLeading: true, nodes: 1_000 },
  ])('never keeps the event loop of $who with $nodes nodes longer than one turn may take', async (given) => {
    const { nodes, isLeading } = given;
    const clock = turningClock();
    const scene = centreScene(clock);
    for (let index = 0; index < nodes; index++) scene.putNode(`node-${index}`);
    const capability = stampCapability();
    const costly = {
      ...capability,
      gather: (...facts: Parameters<typeof capability.gather>) => {
        clock.spend(EVALUATION_MS);
        return capability.gather(...facts);
      },
    };
    const { store } = scene.start({ capabilities: [costly], isLeading });
    await clock.takeTurns();
    expect(store.count()).toBe(nodes);

    const before = store.evaluationsOf('node-0');
    scene.putStamp('team', { labels: { team: 'x' } });
    const durationsMs = await clock.takeTurns();
    expect(store.evaluationsOf('node-0')).toBeGreaterThan(before);
    expect(store.getAll().filter(({ verdicts }) => verdicts.length !== 1)).toEqual([]);
    expect(Math.max(...durationsMs)).toBeLessThanOrEqual(TURN_MS_MAX);
    expect(durationsMs.length).toBeGreaterThanOrEqual((nodes * EVALUATION_MS) / TURN_MS_MAX);
  });
});
