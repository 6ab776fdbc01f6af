import { describe, expect, it } from 'vitest';
import { apiFailure } from '../../test/support/api-failure.ts';
import { leaseScene, ledScene } from '../../test/support/lease-scene.ts';
import { leaseType } from '../objects/ref.ts';

describe('the first candidate', () => {
  it('creates the Lease with times of six digits and leads in epoch 1', async () => {
    const { clock, candidate, spec } = leaseScene();
    const a = candidate('a');
    a.start();
    expect(a.isLeader()).toBe(false);
    await clock.advance(0);
    expect(a.isLeader()).toBe(true);
    expect(a.epoch()).toBe(1);
    expect(spec()).toEqual({
      holderIdentity: 'a',
      leaseDurationSeconds: 15,
      acquireTime: '2026-01-01T00:00:00.000000Z',
      renewTime: '2026-01-01T00:00:00.000000Z',
      leaseTransitions: 1,
    });
  });

  it('renews about every 2 s by PUT and without a read', async () => {
    const { clock, api, candidate, writes } = leaseScene();
    candidate('a').start();
    await clock.advance(0);
    const before = api.calls.length;
    await clock.advance(20_000);
    const renewals = api.calls.slice(before);
    expect(new Set(renewals.map(({ verb }) => verb))).toEqual(new Set(['replace']));
    expect(renewals.length).toBeGreaterThanOrEqual(8);
    expect(writes()[0]).toBe('create');
  });

  it('keeps what others wrote on the object', async () => {
    const { clock, api, candidate } = leaseScene();
    candidate('a').start();
    await clock.advance(0);
    const [lease] = api.objects(leaseType);
    api.put(leaseType, { ...lease, metadata: { ...lease?.metadata, labels: { team: 'x' } } });
    await clock.advance(5_000);
    expect(api.objects(leaseType)[0]?.metadata?.labels).toEqual({ team: 'x' });
  });
});

describe('a second candidate', () => {
  it('takes over one lease duration after the holder was last seen to renew', async () => {
    const { clock, a, b } = await ledScene();
    a.process.pause();
    await clock.advance(12_500);
    expect(b.isLeader()).toBe(false);
    await clock.advance(5_000);
    expect(b.told).toEqual(['leads 2']);
  });

  it('takes over within 3 s when the holder gives the lease back', async () => {
    const { clock, a, b, spec } = await ledScene();
    const stopped = a.stop();
    expect(a.isLeader()).toBe(true);
    await clock.advance(0);
    await stopped;
    expect(a.isLeader()).toBe(false);
    expect(spec()).toMatchObject({ leaseDurationSeconds: 1, leaseTransitions: 1 });
    expect(spec()).not.toHaveProperty('holderIdentity');
    await clock.advance(3_000);
    expect(b.told).toEqual(['leads 2']);
    expect(a.told).toEqual(['leads 1']);
  });

  it('is not misled by a clock that runs ahead or behind by an hour', async () => {
    const { clock, a, b } = await ledScene();
    clock.stepWallClock(3_600_000);
    await clock.advance(30_000);
    clock.stepWallClock(-7_200_000);
    await clock.advance(30_000);
    expect([a.isLeader(), b.isLeader()]).toEqual([true, false]);
  });

  it('does not count a change of a label as a renewal', async () => {
    const { clock, api, a, b } = await ledScene();
    a.process.pause();
    for (let second = 0; second < 20; second++) {
      const [lease] = api.objects(leaseType);
      if (!b.isLeader())
        api.put(leaseType, { ...lease, metadata: { ...lease?.metadata, labels: { at: `${second}` } } });
      await clock.advance(1_000);
    }
    expect(b.told).toEqual(['leads 2']);
  });

  it('waits for the holder to put back a Lease that somebody deleted', async () => {
    const { clock, api, a, b, spec } = await ledScene();
    api.remove(leaseType, 'muster-system/muster');
    await clock.advance(10_000);
    expect([a.isLeader(), b.isLeader()]).toEqual([true, false]);
    expect(spec()).toMatchObject({ holderIdentity: 'a', leaseTransitions: 1 });
  });

  it('does not take a namesake for itself', async () => {
    const { clock, candidate, a } = await ledScene();
    const namesake = candidate('a');
    namesake.start();
    await clock.advance(10_000);
    expect([a.isLeader(), namesake.isLeader()]).toEqual([true, false]);
  });
});

describe('a holder that cannot renew', () => {
  it('is lost ten seconds after its last renewal was sent, and never writes again', async () => {
    const { clock, world, a, spec } = await ledScene();
    world.before = () => apiFailure('ServerError');
    await clock.advance(7_000);
    expect(a.isLeader()).toBe(true);
    await clock.advance(3_000);
    expect(a.told).toEqual(['leads 1', 'RenewDeadlineExceeded']);
    world.before = () => null;
    await clock.advance(30_000);
    expect(a.isLeader()).toBe(false);
    expect(spec()).toMatchObject({ holderIdentity: 'b' });
    expect(clock.pendingTimers()).toBe(2);
  });

  it('is lost on time though a call hangs', async () => {
    const { clock, world, a } = await ledScene();
    world.before = () => new Promise(() => {});
    await clock.advance(10_000);
    expect(a.told).toEqual(['leads 1', 'RenewDeadlineExceeded']);
  });

  it('knows it at once after a pause, before any timer or reply was handled', async () => {
    const { clock, a, b } = await ledScene();
    a.process.pause();
    await clock.advance(10_000);
    expect(a.isLeader()).toBe(false);
    expect(a.epoch()).toBeNull();
    expect(a.told).toEqual(['leads 1']);
    await clock.advance(10_000);
    expect(b.isLeader()).toBe(true);
    a.process.resume();
    await clock.advance(0);
    expect(a.told).toEqual(['leads 1', 'RenewDeadlineExceeded']);
  });

  it('is lost when another name stands in the Lease', async () => {
    const { clock, api, a } = await ledScene();
    const [lease] = api.objects(leaseType);
    api.put(leaseType, { ...lease, spec: { holderIdentity: 'usurper', leaseDurationSeconds: 15 } });
    await clock.advance(3_000);
    expect(a.told).toEqual(['leads 1', 'TakenOver']);
  });
});

describe('a write whose result is unknown', () => {
  it('is looked up, and a renewal that was carried out after all is renewed again', async () => {
    const { clock, world, api, a } = await ledScene();
    let losses = 0;
    world.after = ({ verb }) =>
      verb === 'replace' && losses++ === 0 ? apiFailure('Timeout', { effect: 'unknown' }) : null;
    const before = api.calls.length;
    await clock.advance(2_500);
    const verbs = api.calls.slice(before).map(({ verb }) => verb);
    expect(verbs.join(' ')).toContain('replace get replace');
    expect(a.isLeader()).toBe(true);
  });

  it('does not make a leader of a candidate until a write is confirmed', async () => {
    const { clock, world, candidate } = leaseScene();
    world.after = ({ verb }) => (verb === 'get' ? null : apiFailure('Timeout', { effect: 'unknown' }));
    const a = candidate('a');
    a.start();
    await clock.advance(5_000);
    expect(a.isLeader()).toBe(false);
    world.after = () => null;
    await clock.advance(3_000);
    expect(a.told).toEqual(['leads 1']);
  });
});

describe('a reply that a paused process reads too late', () => {
  it('does not make it a leader; it asks again first', async () => {
    const { clock, world, candidate } = leaseScene();
    world.after = ({ verb }) =>
      verb === 'create' ? new Promise((resolve) => clock.after(1_500, () => resolve(null))) : null;
    const a = candidate('a');
    a.start();
    await clock.advance(1_000);
    a.process.pause();
    await clock.advance(20_000);
    a.process.resume();
    await clock.advance(0);
    expect(a.told).toEqual([]);
    await clock.advance(3_000);
    expect(a.told).toEqual(['leads 1']);
  });
});

describe('stopping', () => {
  it('of a candidate that does not lead writes nothing', async () => {
    const { clock, b, spec } = await ledScene();
    const stopped = b.stop();
    await clock.advance(0);
    await stopped;
    expect(spec()).toMatchObject({ holderIdentity: 'a' });
  });

  it('leaves no timer behind', async () => {
    const { clock, candidate } = leaseScene();
    const a = candidate('a');
    a.start();
    await clock.advance(0);
    const stopped = a.stop();
    await clock.advance(0);
    await stopped;
    expect(clock.pendingTimers()).toBe(0);
  });

  it('does not disturb a holder that has taken over meanwhile', async () => {
    const { clock, a, b, spec } = await ledScene();
    a.process.pause();
    await clock.advance(20_000);
    a.process.resume();
    const stopped = a.stop();
    await clock.advance(0);
    await stopped;
    expect(b.isLeader()).toBe(true);
    expect(spec()).toMatchObject({ holderIdentity: 'b' });
  });
});
