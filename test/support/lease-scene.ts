// Candidates for one Lease before an API server in memory, each a process that can be paused, and what each was told and said.

import { expect } from 'vitest';
import type { Clock } from '../../src/base/clock.ts';
import { seededRandom } from '../../src/base/random.ts';
import { createLease } from '../../src/kube/lease.ts';
import type { LeaseTimings } from '../../src/kube/lease-state.ts';
import { leaseType } from '../../src/objects/ref.ts';
import type { KubeApi } from '../../src/runtime/ports.ts';
import { manualClock } from './manual-clock.ts';
import { createMemoryKubeApi, type FaultHook } from './memory-kube-api.ts';
import { pausable } from './pausable.ts';
import { recordedLog } from './recorded-log.ts';

const ref = { type: leaseType, namespace: 'muster-system', name: 'muster' };

type CandidateOptions = {
  /** A clock of its own, made from the one of its process. */
  readonly clockOf?: (own: Clock) => Clock;
  /** Calls that a test wants to see or to answer itself. */
  readonly calls?: Partial<KubeApi>;
  readonly timings?: LeaseTimings;
};

export function leaseScene() {
  const clock = manualClock();
  const nothing: FaultHook = () => null;
  const world = { before: nothing, after: nothing };
  const api = createMemoryKubeApi({
    clock,
    before: (call) => world.before(call),
    after: (call) => world.after(call),
  });
  const candidate = (identity: string, { clockOf, calls, timings }: CandidateOptions = {}) => {
    const told: string[] = [];
    const log = recordedLog();
    const process = pausable(clock, { ...api, ...calls });
    const lease = createLease({
      api: process.api,
      ref,
      identity,
      ...(timings === undefined ? {} : { timings }),
      clock: clockOf?.(process.clock) ?? process.clock,
      random: seededRandom(identity.length),
      log,
      onLeading: (epoch) => told.push(`leads ${epoch}`),
      onLost: (reason) => told.push(reason),
    });
    return Object.assign(lease, { told, log, process });
  };
  const spec = () => api.objects(leaseType)[0]?.spec;
  const writes = () => api.calls.filter(({ verb }) => verb !== 'get').map(({ verb }) => verb);
  return { clock, world, api, candidate, spec, writes };
}

/** `a` leads and `b` stands by. */
export async function ledScene() {
  const scene = leaseScene();
  const [a, b] = [scene.candidate('a'), scene.candidate('b')];
  a.start();
  await scene.clock.advance(100);
  b.start();
  await scene.clock.advance(3_000);
  expect([a.told, b.told]).toEqual([['leads 1'], []]);
  return { ...scene, a, b };
}
