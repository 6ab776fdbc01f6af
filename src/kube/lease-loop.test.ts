import { describe, expect, it } from 'vitest';
import { apiFailure } from '../../test/support/api-failure.ts';
import { leaseScene, ledScene } from '../../test/support/lease-scene.ts';
import { leaseType } from '../objects/ref.ts';
import type { CallOptions } from '../runtime/ports.ts';

describe('an attempt of a candidate', () => {
  it('is made 2 to 2.4 s after the one before', async () => {
    const { clock, world, candidate } = leaseScene();
    const at: number[] = [];
    world.before = () => {
      at.push(clock.monotonicMs());
      return apiFailure('ServerError');
    };
    candidate('a').start();
    await clock.advance(60_000);
    const gaps = at.slice(1).map((ms, i) => ms - (at[i] ?? 0));
    expect(gaps.length).toBeGreaterThan(20);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(2_000);
    expect(Math.max(...gaps)).toBeLessThanOrEqual(2_400);
    expect(Math.max(...gaps) - Math.min(...gaps)).toBeGreaterThan(200);
  });

  it('goes before other calls and waits 3 s for each answer', async () => {
    const { clock, api, candidate } = leaseScene();
    const given: (CallOptions | undefined)[] = [];
    const noted = (call: CallOptions | undefined) => (given.push(call), call);
    const a = candidate('a', {
      calls: {
        get: (ref, call) => api.get(ref, noted(call)),
        create: (ref, object, call) => api.create(ref, object, noted(call)),
        replace: (ref, object, call) => api.replace(ref, object, noted(call)),
      },
    });
    a.start();
    await clock.advance(5_000);
    expect(given.length).toBeGreaterThanOrEqual(4);
    for (const call of given) expect(call).toEqual({ timeoutMs: 3_000, isUrgent: true });
  });

  it('needs a name of its own', () => {
    expect(() => leaseScene().candidate('')).toThrow('a candidate has an identity');
  });
});

describe('the timer of the deadline', () => {
  it('is set again when it fires too early', async () => {
    const { clock, world, candidate } = leaseScene();
    const a = candidate('a', {
      clockOf: (own) => ({
        ...own,
        after: (delayMs, run) => own.after(delayMs > 5_000 ? delayMs - 1 : delayMs, run),
      }),
    });
    await clock.advance(100);
    a.start();
    await clock.advance(0);
    world.before = () => new Promise(() => {});
    await clock.advance(9_999);
    expect(a.told).toEqual(['leads 1']);
    await clock.advance(1);
    expect(a.told).toEqual(['leads 1', 'RenewDeadlineExceeded']);
  });

  it('is gone with a leadership that was given back', async () => {
    const { clock, candidate } = leaseScene();
    const a = candidate('a');
    await clock.advance(100);
    a.start();
    await clock.advance(3_000);
    const stopped = a.stop();
    await clock.advance(0);
    await stopped;
    expect(clock.pendingTimers()).toBe(0);
  });

  it('is gone with a leadership that was lost', async () => {
    const { clock, api, candidate } = leaseScene();
    const a = candidate('a');
    a.start();
    await clock.advance(5_000);
    const [lease] = api.objects(leaseType);
    api.put(leaseType, { ...lease, spec: { holderIdentity: 'usurper', leaseDurationSeconds: 15 } });
    await clock.advance(5_000);
    expect(a.told).toEqual(['leads 1', 'TakenOver']);
    expect(clock.pendingTimers()).toBe(0);
  });
});

describe('a candidate with times of its own', () => {
  const timings = { durationSeconds: 30, renewDeadlineMs: 20_000, retryMs: 4_000 };

  it('writes how long its lease lasts, tries so often, and waits a share of its deadline for each answer', async () => {
    const { clock, api, spec, candidate } = leaseScene();
    const given: (CallOptions | undefined)[] = [];
    const at: number[] = [];
    const a = candidate('a', {
      timings,
      calls: {
        replace(ref, object, call) {
          given.push(call);
          at.push(clock.monotonicMs());
          return api.replace(ref, object, call);
        },
      },
    });
    a.start();
    await clock.advance(60_000);
    expect(spec()).toMatchObject({ leaseDurationSeconds: 30 });
    expect(given[0]).toEqual({ timeoutMs: 6_000, isUrgent: true });
    const gaps = at.slice(1).map((ms, i) => ms - (at[i] ?? 0));
    expect(gaps.length).toBeGreaterThan(10);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(4_000);
    expect(Math.max(...gaps)).toBeLessThanOrEqual(4_800);
  });

  it('stops at its own deadline, and another takes over when its own duration is over', async () => {
    const { clock, candidate } = leaseScene();
    const a = candidate('a', { timings });
    const b = candidate('b', { timings });
    a.start();
    await clock.advance(100);
    b.start();
    await clock.advance(100);
    a.process.pause();
    await clock.advance(29_000);
    expect([a.isLeader(), b.told]).toEqual([false, []]);
    await clock.advance(6_000);
    expect(b.told).toEqual(['leads 2']);
  });

  it('leads until its deadline, and not a moment longer', async () => {
    const { clock, world, candidate } = leaseScene();
    const a = candidate('a', { timings });
    await clock.advance(100);
    a.start();
    await clock.advance(0);
    world.before = () => new Promise(() => {});
    await clock.advance(19_999);
    expect([a.isLeader(), a.told]).toEqual([true, ['leads 1']]);
    await clock.advance(1);
    expect([a.isLeader(), a.told]).toEqual([false, ['leads 1', 'RenewDeadlineExceeded']]);
  });
});

describe('what people read', () => {
  const another = (holder: string) => ({
    level: 'info',
    message: 'another replica leads',
    fields: { holder },
  });
  const leads = (epoch: number) => ({ level: 'info', message: 'this replica leads', fields: { epoch } });

  it('is who leads, once for each leader', async () => {
    const { clock, candidate, a, b } = await ledScene();
    await clock.advance(10_000);
    expect(a.log.lines).toEqual([leads(1)]);
    expect(b.log.lines).toEqual([another('a')]);
    const stopped = a.stop();
    await clock.advance(4_000);
    await stopped;
    const c = candidate('c');
    c.start();
    await clock.advance(10_000);
    expect(a.log.lines).toEqual([leads(1)]);
    expect(b.log.lines).toEqual([another('a'), leads(2)]);
    expect(c.log.lines).toEqual([another('b')]);
  });

  it('is not that another leads when the name is our own', async () => {
    const { clock, world, candidate } = leaseScene();
    world.after = ({ verb }) => (verb === 'get' ? null : apiFailure('Timeout', { effect: 'unknown' }));
    const a = candidate('a');
    a.start();
    await clock.advance(5_000);
    expect(a.log.said('another replica leads')).toEqual([]);
  });

  it('is why and in which epoch the lease was lost, and to whom', async () => {
    const { clock, api, a } = await ledScene();
    const [lease] = api.objects(leaseType);
    api.put(leaseType, {
      ...lease,
      spec: { holderIdentity: 'usurper', leaseDurationSeconds: 15, leaseTransitions: 5 },
    });
    await clock.advance(3_000);
    expect(a.log.lines.slice(1).filter(({ level }) => level !== 'warn')).toEqual([
      {
        level: 'error',
        message: 'the lease is lost',
        fields: { epoch: 5, reason: 'TakenOver', holder: 'usurper' },
      },
    ]);
  });

  it('is each call that failed, with its failure', async () => {
    const { clock, world, candidate } = leaseScene();
    const failure = apiFailure('ServerError');
    world.before = () => failure;
    const a = candidate('a');
    a.start();
    await clock.advance(0);
    expect(a.log.lines).toEqual([{ level: 'warn', message: 'a call for the lease failed', fields: failure }]);
  });

  it('is not a Lease that does not exist yet', async () => {
    const { clock, candidate } = leaseScene();
    const a = candidate('a');
    a.start();
    await clock.advance(0);
    expect(a.log.lines).toEqual([leads(1)]);
  });

  it('is a namespace that does not exist, and no other reason for which a Lease is not created', async () => {
    const { clock, world, candidate } = leaseScene();
    const message = 'the lease cannot be created: its namespace does not exist';
    world.before = ({ verb }) => (verb === 'create' ? apiFailure('NotFound') : null);
    const a = candidate('a');
    a.start();
    await clock.advance(0);
    expect(new Set(a.log.lines.map((line) => line.message))).toEqual(new Set([message]));
    expect(a.log.lines[0]).toEqual({ level: 'warn', message, fields: { namespace: 'muster-system' } });
    world.before = ({ verb }) => (verb === 'create' ? apiFailure('Forbidden') : null);
    const b = candidate('b');
    b.start();
    await clock.advance(0);
    expect(b.log.lines.map((line) => line.message)).toEqual(['a call for the lease failed']);
  });
});
