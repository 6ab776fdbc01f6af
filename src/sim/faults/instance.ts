// One life of one operator process, as the world sees it: its name, its clocks, its open streams and what afflicts it. A crash
// is that none of its ports ever answers again.

import { type Random, seededRandom } from '../../base/random.ts';
import { type InstanceClock, instanceClock } from './instance-clock.ts';
import type { Actor, Schedule } from './schedule.ts';
import type { SimulatedStream } from './simulated-stream.ts';

export type Instance = {
  readonly actor: Actor;
  /** The replica; its lives are numbered. */
  readonly slot: string;
  readonly bornMs: number;
  readonly clock: InstanceClock;
  readonly random: Random;
  readonly streams: Set<SimulatedStream>;
  /** By resource: from where on back a watch cannot go on any more, and how it is told so. */
  readonly expired: Map<string, { readonly upTo: number; readonly form: 'status' | 'event' }>;
  lag: { readonly revisions: number; readonly msMax: number } | null;
};

export type Birth = { readonly slot: string; readonly life: number; readonly seed: number };

export function createInstance(schedule: Schedule, { slot, life, seed }: Birth): Instance {
  const actor: Actor = { name: `${slot}#${life}`, state: 'running' };
  return {
    actor,
    slot,
    bornMs: schedule.nowMs,
    clock: instanceClock(schedule, actor),
    random: seededRandom(seed * 1_000 + slot.charCodeAt(0) * 31 + life),
    streams: new Set(),
    expired: new Map(),
    lag: null,
  };
}
