import { describe, expect, it } from 'vitest';
import { manualClock } from '../../../test/support/manual-clock.ts';
import { newNode } from '../../../test/support/node-builder.ts';
import { openSchemas } from '../../../test/support/open-schemas.ts';
import { createApiServer } from '../../apiserver/api-server.ts';
import { seededRandom } from '../../base/random.ts';
import { nodeType } from '../../objects/ref.ts';
import type { FaultAction, FaultRule } from './rule.ts';
import { simulatedPort } from './simulated-port.ts';
import { World } from './world.ts';

const crash: FaultAction = { kind: 'crash', restartAfterMs: 1_000 };
const first = (action: FaultAction): FaultRule => ({
  match: { verb: 'create', phase: 'beforeForward', nth: 1 },
  action,
});

/** A process whose first life creates one node and then listens. */
async function played(rules: readonly FaultRule[], story: (world: World) => void = () => {}) {
  const { store } = createApiServer({ clock: manualClock(), random: seededRandom(1), schemas: openSchemas });
  const world = new World({
    seed: 0,
    plan: { rules },
    snapshot: store.snapshot(),
    schemas: openSchemas,
    boot(instance, { schedule }) {
      if (schedule.nowMs > 0) return;
      const ref = { type: nodeType, namespace: '', name: 'n' };
      void simulatedPort(world, instance).create(ref, newNode({ name: 'n' }));
    },
  });
  world.boot('a');
  story(world);
  while (world.schedule.nowMs < 60_000 && (await world.schedule.step()));
  return {
    lives: world.instances.map(({ actor }) => actor.name),
    writes: world.writes.map(({ by, key, atMs }) => ({ by, key, atMs })),
    isWhole: world.isWhole(),
  };
}

describe('a process that is ended', () => {
  it('twice at once has one next life', async () => {
    const { lives, writes } = await played([first(crash), first(crash)]);
    expect(lives).toEqual(['a#1', 'a#2']);
    expect(writes).toEqual([]);
  });

  it('while its request is on the way is outlived by it', async () => {
    const { writes, isWhole } = await played([first({ kind: 'delay', ms: 20_000 })], (world) =>
      world.schedule.after(5_000, () => {
        for (const instance of world.instances) world.crash(instance, 1_000);
      }),
    );
    expect(writes).toEqual([{ by: 'a#1', key: 'n', atMs: 20_002 }]);
    expect(isWhole).toBe(true);
  });
});

describe('a process that is stopped', () => {
  it('has sent what it was about to send by the time it goes on, whatever it learns then', async () => {
    const { writes } = await played([first({ kind: 'pause', ms: 20_000 })], (world) => {
      // Its end is the first thing that it hears of.
      for (const each of world.instances)
        world.schedule.after(6_000, () => world.crash(each, 1_000), each.actor);
    });
    expect(writes).toEqual([{ by: 'a#1', key: 'n', atMs: 20_002 }]);
  });
});
