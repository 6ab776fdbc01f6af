import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../test/support/property-runs.ts';
import { apiFailure } from '../../test/support/api-failure.ts';
import { manualClock } from '../../test/support/manual-clock.ts';
import { createMemoryKubeApi, type FaultHook } from '../../test/support/memory-kube-api.ts';
import { pausable } from '../../test/support/pausable.ts';
import { silentLog } from '../base/log.ts';
import { seededRandom } from '../base/random.ts';
import { leaseType } from '../objects/ref.ts';
import { createLease } from './lease.ts';

const ref = { type: leaseType, namespace: 'muster-system', name: 'muster' };

/** What happens to the calls made from now on, and to one candidate. */
const moment = fc.record({
  passMs: fc.constantFrom(300, 1_000, 2_300, 9_000, 16_000),
  requestMs: fc.constantFrom(0, 0, 40, 1_500, 2_900, 20_000),
  replyMs: fc.constantFrom(0, 0, 40, 1_500, 2_900, 20_000),
  fault: fc.constantFrom('none', 'none', 'none', 'refused', 'lost reply'),
  who: fc.nat(2),
  what: fc.constantFrom('nothing', 'pause', 'pause', 'resume', 'resume', 'restart', 'stop'),
});

function setUp() {
  const clock = manualClock();
  const calm: FaultHook = () => null;
  const world = { before: calm, after: calm };
  const api = createMemoryKubeApi({
    clock,
    before: (call) => world.before(call),
    after: (call) => world.after(call),
  });
  const epochs: number[] = [];
  let born = 0;
  const candidate = () => {
    const identity = `candidate-${++born}`;
    const process = pausable(clock, api);
    const random = seededRandom(born);
    const callbacks = { onLeading: (epoch: number) => void epochs.push(epoch), onLost() {} };
    const lease = createLease({ ...process, ref, identity, random, log: silentLog, ...callbacks });
    lease.start();
    return { lease, process };
  };
  const candidates = [candidate(), candidate(), candidate()];
  const past: ReturnType<typeof candidate>[] = [];
  const restart = (index: number) => {
    const old = candidates[index];
    old?.process.pause();
    if (old) past.push(old);
    candidates[index] = candidate();
  };
  const leaders = () => [...candidates, ...past].filter(({ lease }) => lease.isLeader()).length;
  return { clock, world, candidates, restart, epochs, leaders };
}

const later = (clock: ReturnType<typeof manualClock>, ms: number) =>
  new Promise<null>((resolve) => clock.after(ms, () => resolve(null)));

describe('three candidates for one lease', () => {
  it('never lead two at a time, whatever is delayed, lost, paused or killed, and one leads in the end', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(moment, { maxLength: 12 }), async (moments) => {
        const scene = setUp();
        const { clock, world, candidates } = scene;
        const pass = async (ms: number) => {
          for (let passedMs = 0; passedMs < ms; passedMs += 250) {
            await clock.advance(250);
            expect(scene.leaders()).toBeLessThanOrEqual(1);
          }
        };
        for (const { passMs, requestMs, replyMs, fault, who, what } of moments) {
          world.before = async () => {
            await later(clock, requestMs);
            return fault === 'refused' ? apiFailure('ServerError') : null;
          };
          world.after = async ({ verb }) => {
            await later(clock, replyMs);
            return fault === 'lost reply' && verb !== 'get'
              ? apiFailure('Timeout', { effect: 'unknown' })
              : null;
          };
          if (what === 'pause') candidates[who]?.process.pause();
          if (what === 'resume') candidates[who]?.process.resume();
          if (what === 'restart') scene.restart(who);
          if (what === 'stop') void candidates[who]?.lease.stop();
          await pass(passMs);
        }
        world.before = () => null;
        world.after = () => null;
        scene.restart(0);
        await pass(60_000);
        expect(scene.leaders()).toBe(1);
        expect(scene.epochs).toEqual([...new Set(scene.epochs)].toSorted((a, b) => a - b));
      }),
      propertyRuns(150),
    );
  });
});
