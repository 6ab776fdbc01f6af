import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Instant } from '../base/clock.ts';
import { formatTime } from '../base/timestamp.ts';
import type { VerificationRecord } from '../fleet/lifecycle.ts';
import type { StartWorkerRequest } from './capability.ts';
import { createWorkerSlots } from './worker-slots.ts';

const start = Date.parse('2026-11-01T00:00:00Z');

type ModelNode = {
  record: VerificationRecord;
  readonly pool: string;
  readonly priority: number;
  /** It has a place and its record could not be written yet. */
  isGranted: boolean;
  askedAt: Instant | null;
  startedAt: Instant | null;
};

function isRunning({ record: { state } }: ModelNode): boolean {
  return state === 'pending' || state === 'in_progress';
}

function requestOf(name: string, { record, priority }: ModelNode): StartWorkerRequest {
  const attempt = (record.attempt ?? 0) + 1;
  const workerPod = `${name}-${attempt}`;
  const next = { ...record, state: 'pending', attempt, workerPod } as const;
  return { kind: 'StartWorker', owner: 'verification', priority, spreadSince: Infinity, record: next };
}

/** Nodes with records, an operator that visits those that are due, and what becomes of their workers. */
function fleet(concurrent: number, inCrowd = concurrent) {
  const nodes = new Map<string, ModelNode>();
  const due = new Set<string>();
  const timers = new Map<string, Instant>();
  const limits = { concurrent, inCrowd, perSecond: 50, burst: 50 };
  const make = () => createWorkerSlots(limits, (node) => void due.add(node));
  let slots = make();
  let now: Instant = start;

  const visit = (name: string, { mayGrant, isWritten }: { mayGrant: boolean; isWritten: boolean }) => {
    due.delete(name);
    const node = nodes.get(name);
    if (node === undefined) return slots.forget(name, now);
    const { pool, record } = node;
    const request = record.state === 'unverified' ? requestOf(name, node) : undefined;
    const ruling = slots.apply({ node: name, pool, record, request, mayGrant, now });
    if (request !== undefined) node.askedAt ??= now;
    if (ruling.recheckAt !== null) timers.set(name, ruling.recheckAt);
    node.isGranted = ruling.granted !== undefined && !isWritten;
    if (node.isGranted || !mayGrant) due.add(name);
    if (ruling.granted === undefined || !isWritten) return;
    node.record = ruling.granted;
    node.startedAt = now;
    due.add(name);
  };
  return {
    join(name: string, pool: string, priority: number) {
      if (nodes.has(name)) return;
      const record = { state: 'unverified', attempt: 0 } as const;
      nodes.set(name, { record, pool, priority, isGranted: false, askedAt: null, startedAt: null });
      due.add(name);
    },
    leave(name: string) {
      if (nodes.delete(name)) due.add(name);
    },
    /** Running or not, its attempt ends as said; a worker that does not run cannot end. */
    ends(name: string, end: Partial<VerificationRecord>) {
      const node = nodes.get(name);
      if (node === undefined || !isRunning(node)) return;
      node.record = { ...node.record, attemptEndedAt: formatTime(now), state: 'verified', ...end };
      node.askedAt = null;
      due.add(name);
    },
    restart() {
      slots = make();
      timers.clear();
      // Behind its barrier the new operator looks at every node before it grants anything.
      for (const name of nodes.keys()) visit(name, { mayGrant: false, isWritten: true });
    },
    work(isWritten = true) {
      // What falls due meanwhile has its turn the next time.
      const names = [...due];
      for (const name of names) visit(name, { mayGrant: true, isWritten });
    },
    pass(ms: number) {
      now += ms;
      for (const [name, at] of timers) {
        if (at > now) continue;
        timers.delete(name);
        due.add(name);
      }
    },
    now: () => now,
    nodes,
    inFlight: () => slots.inFlight(),
    taken: () => [...nodes.values()].filter((node) => isRunning(node) || node.isGranted).length,
  };
}

type Fleet = ReturnType<typeof fleet>;

const known = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j', 'k', 'l'];
const name = fc.constantFrom(...known);
const end = fc.constantFrom<Partial<VerificationRecord>>(
  { state: 'verified', verdict: 'pass' },
  { state: 'unverified', verdict: 'fail', reason: 'CheckFailed' },
  { state: 'unverified', verdict: 'inconclusive', reason: 'WorkerImageUnavailable' },
);

/** One thing that happens, in words that a counterexample can be read from. */
const happening = fc.oneof(
  fc.record({
    kind: fc.constant('join' as const),
    name,
    pool: fc.constantFrom('blue', 'green'),
    priority: fc.integer({ min: -1, max: 1 }),
  }),
  fc.record({ kind: fc.constant('leave' as const), name }),
  fc.record({ kind: fc.constant('end' as const), name, end }),
  fc.record({ kind: fc.constant('work' as const), isWritten: fc.boolean() }),
  fc.record({ kind: fc.constant('pass' as const), ms: fc.constantFrom(1, 1_000, 5_000, 60_000, 130_000) }),
  fc.constant({ kind: 'restart' as const }),
);

type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never;

function happens(world: Fleet, each: Happening): void {
  switch (each.kind) {
    case 'join':
      return world.join(each.name, each.pool, each.priority);
    case 'leave':
      return world.leave(each.name);
    case 'end':
      return world.ends(each.name, each.end);
    case 'work':
      return world.work(each.isWritten);
    case 'pass':
      return world.pass(each.ms);
    case 'restart':
      return world.restart();
  }
}

describe('places for workers, whatever happens in whatever order,', () => {
  it('are never more than may be, and nobody who waits is forgotten', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 0, max: 4 }),
        fc.array(happening, { maxLength: 120 }),
        (concurrent, more, story) => {
          const inCrowd = concurrent + more;
          const world = fleet(concurrent, inCrowd);
          for (const each of story) {
            happens(world, each);
            expect(world.taken()).toBeLessThanOrEqual(inCrowd);
            expect(world.inFlight()).toBeLessThanOrEqual(inCrowd);
          }
          // From now on everything goes well: then everybody gets a worker, and every place is free in the end.
          for (let seconds = 0; seconds < 200; seconds++) {
            world.work();
            expect(world.taken()).toBeLessThanOrEqual(inCrowd);
            for (const each of known)
              world.ends(each, { state: 'verified', verdict: 'pass', reason: 'VerificationPassed' });
            world.pass(1_000);
          }
          world.work();
          const states = [...world.nodes.values()].map(({ record }) => record.state);
          expect(states.filter((state) => state !== 'verified')).toEqual([]);
          expect(world.inFlight()).toBe(0);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('are counted alike by an operator that starts anew', () => {
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 80 }), (story) => {
        const world = fleet(3);
        for (const each of story) happens(world, each);
        world.work();
        world.work();
        const before = world.taken();
        world.restart();
        expect(world.inFlight()).toBe(before);
      }),
    );
  });

  it('come to a node of the lowest priority after two minutes and one worker, however many others join', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 30 }),
        fc.integer({ min: 1, max: 5 }),
        (concurrent, workerSeconds, joinsPerSecond) => {
          const world = fleet(concurrent);
          for (let index = 0; index < concurrent; index++) world.join(`first-${index}`, 'blue', 1);
          world.work();
          world.join('low', 'blue', -1);
          for (let second = 0; second < 200; second++) {
            for (let index = 0; index < joinsPerSecond; index++) world.join(`${second}-${index}`, 'green', 1);
            for (const [each, { startedAt }] of world.nodes)
              if (startedAt !== null && world.now() - startedAt >= workerSeconds * 1000) world.ends(each, {});
            world.work();
            world.work();
            world.pass(1_000);
          }
          const low = world.nodes.get('low');
          const waitedMs = (low?.startedAt ?? Infinity) - (low?.askedAt ?? start);
          expect(waitedMs).toBeLessThanOrEqual((120 + workerSeconds + 2) * 1000);
        },
      ),
      { numRuns: 30 },
    );
  });
});
