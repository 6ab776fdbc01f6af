import { describe, expect, it } from 'vitest';
import { apiFailure } from '../../test/support/api-failure.ts';
import { manualClock } from '../../test/support/manual-clock.ts';
import { createMemoryKubeApi, type FaultHook } from '../../test/support/memory-kube-api.ts';
import { recordedMetrics } from '../../test/support/recorded-metrics.ts';
import { silentLog } from '../base/log.ts';
import { eventType, nodeType, podType } from '../objects/ref.ts';
import type { RecordedEvent } from './event-body.ts';
import { createEventRecorder } from './events.ts';

function setUp(isBusy = () => false) {
  const clock = manualClock();
  const metrics = recordedMetrics();
  const nothing: FaultHook = () => null;
  const world = { before: nothing, after: nothing };
  const api = createMemoryKubeApi({
    clock,
    before: (call) => world.before(call),
    after: (call) => world.after(call),
  });
  const recorder = createEventRecorder({
    api,
    clock,
    log: silentLog,
    metrics,
    identity: 'muster-0_1f',
    isBusy,
  });
  const sent = async () => {
    await clock.advance(0);
    for (let turn = 0; turn < 20; turn++) await clock.nextTurn();
    return api.objects(eventType);
  };
  const dropped = (reason: string) => metrics.value('muster_events_dropped_total', { reason });
  return { clock, world, api, recorder, sent, dropped };
}

const event = (changes: Partial<RecordedEvent> & { node?: string } = {}): RecordedEvent => ({
  regarding: {
    type: nodeType,
    namespace: '',
    name: changes.node ?? 'n-1',
    uid: `uid-${changes.node ?? 'n-1'}`,
  },
  type: 'Normal',
  reason: 'Released',
  action: 'RemoveTaint',
  note: 'all conditions hold',
  ...changes,
});

describe('an event', () => {
  it('about a node becomes an Event in the namespace default', async () => {
    const { recorder, sent } = setUp();
    recorder.record(event());
    const [written] = await sent();
    expect(written).toMatchObject({
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: { namespace: 'default', name: expect.stringMatching(/^n-1\.[0-9a-f]{16}$/) },
      eventTime: '2026-01-01T00:00:00.000000Z',
      reportingController: 'muster',
      reportingInstance: 'muster-0_1f',
      type: 'Normal',
      reason: 'Released',
      action: 'RemoveTaint',
      note: 'all conditions hold',
      regarding: { apiVersion: 'v1', kind: 'Node', name: 'n-1', uid: 'uid-n-1' },
    });
  });

  it('makes way while nodes are being written, and is told all the same', async () => {
    let isBusy = true;
    const { clock, recorder, sent } = setUp(() => isBusy);
    for (const node of ['n-1', 'n-2', 'n-3', 'n-4']) recorder.record(event({ node }));
    expect(await sent()).toHaveLength(0);
    await clock.advance(250);
    expect(await sent()).toHaveLength(1);
    await clock.advance(250);
    expect(await sent()).toHaveLength(2);
    isBusy = false;
    await clock.advance(250);
    expect(await sent()).toHaveLength(4);
  });

  it('about a namespaced object is written beside it', async () => {
    const { recorder, sent } = setUp();
    recorder.record(event({ regarding: { type: podType, namespace: 'jobs', name: 'p', uid: 'u' } }));
    const [written] = await sent();
    expect(written?.metadata?.namespace).toBe('jobs');
    expect(written?.['regarding']).toMatchObject({ kind: 'Pod', namespace: 'jobs' });
  });

  it('has the same name whoever sends it, and another in the next ten minutes', async () => {
    const [first, second] = [setUp(), setUp()];
    first.recorder.record(event());
    second.recorder.record(event());
    const nameOf = async (scene: typeof first) => (await scene.sent()).map(({ metadata }) => metadata?.name);
    expect(await nameOf(first)).toEqual(await nameOf(second));
    await first.clock.advance(600_000);
    first.recorder.record(event());
    expect(new Set(await nameOf(first)).size).toBe(2);
  });

  it('is not sent in the turn of the caller', () => {
    const { api, recorder } = setUp();
    recorder.record(event());
    expect(api.calls).toEqual([]);
  });
});

describe('a repeated event', () => {
  it('is counted in the first one, at most once a minute', async () => {
    const { clock, api, recorder, sent } = setUp();
    recorder.record(event());
    await clock.advance(1_000);
    for (let i = 0; i < 6; i++) recorder.record(event());
    await clock.advance(60_000);
    const [written, ...others] = await sent();
    expect(others).toEqual([]);
    expect(written?.['series']).toEqual({ count: 7, lastObservedTime: '2026-01-01T00:00:01.000000Z' });
    expect(api.calls.map(({ verb }) => verb)).toEqual(['create', 'patch']);
  });

  it('with another note is another event', async () => {
    const { recorder, sent } = setUp();
    recorder.record(event());
    recorder.record(event({ note: 'something else' }));
    expect(await sent()).toHaveLength(2);
  });

  it('whose first object has expired is told anew', async () => {
    const { clock, api, recorder, sent } = setUp();
    recorder.record(event());
    const [first] = await sent();
    api.remove(eventType, `default/${first?.metadata?.name}`);
    recorder.record(event());
    await clock.advance(60_000);
    expect(await sent()).toHaveLength(0);
    recorder.record(event());
    expect(await sent()).toHaveLength(1);
  });
});

describe('too many events', () => {
  it('about one object are dropped beyond ten at once and one a minute, and do not touch other objects', async () => {
    const { clock, recorder, sent, dropped } = setUp();
    for (let i = 0; i < 20; i++) recorder.record(event({ note: `flap ${i}` }));
    recorder.record(event({ node: 'n-2' }));
    expect(await sent()).toHaveLength(11);
    expect(dropped('RateLimited')).toBe(10);
    await clock.advance(120_000);
    for (let i = 20; i < 40; i++) recorder.record(event({ note: `flap ${i}` }));
    expect(await sent()).toHaveLength(13);
  });

  it('are dropped beyond a thousand that wait, and the rest is sent one at a time', async () => {
    const { clock, world, api, recorder, dropped } = setUp();
    let underWay = 0;
    let underWayMax = 0;
    world.before = () => {
      underWayMax = Math.max(underWayMax, ++underWay);
      return null;
    };
    world.after = () => {
      underWay--;
      return null;
    };
    for (let i = 0; i < 1_500; i++) recorder.record(event({ node: `n-${i}` }));
    expect(dropped('QueueFull')).toBe(500);
    while (api.calls.length < 1_000) await clock.nextTurn();
    await clock.advance(0);
    expect(api.objects(eventType)).toHaveLength(1_000);
    expect(underWayMax).toBe(1);
  });
});

describe('a failing API server', () => {
  it('is asked three times, never before the time it named', async () => {
    const { clock, world, api, recorder, dropped } = setUp();
    world.before = () => apiFailure('TooManyRequests', { retryAfterMs: 5_000 });
    recorder.record(event());
    await clock.advance(4_999);
    expect(api.calls).toHaveLength(1);
    await clock.advance(60_000);
    expect(api.calls).toHaveLength(3);
    expect(dropped('Refused')).toBe(1);
  });

  it('that refuses is not asked again, and the next occurrence is told anew', async () => {
    const { world, api, recorder, sent, dropped } = setUp();
    world.before = () => apiFailure('Forbidden');
    recorder.record(event());
    await sent();
    expect([api.calls.length, dropped('Refused')]).toEqual([1, 1]);
    world.before = () => null;
    recorder.record(event());
    expect(await sent()).toHaveLength(1);
  });

  it('whose reply was lost is asked again, and the event exists once', async () => {
    const { clock, world, recorder, sent, dropped } = setUp();
    let losses = 0;
    world.after = () => (losses++ === 0 ? apiFailure('Timeout', { effect: 'unknown' }) : null);
    recorder.record(event());
    await clock.advance(2_000);
    expect(await sent()).toHaveLength(1);
    expect(dropped('Refused')).toBe(0);
  });
});

describe('the recorder', () => {
  it('never throws, whatever it is given', () => {
    const { recorder, dropped } = setUp();
    const nonsense: RecordedEvent = JSON.parse('{"reason":"x"}');
    expect(() => recorder.record(nonsense)).not.toThrow();
    expect(dropped('Internal')).toBe(1);
  });

  it('drops what waits when it is stopped and leaves no timer behind', async () => {
    const { clock, api, recorder, dropped } = setUp();
    recorder.record(event());
    recorder.record(event());
    recorder.record(event({ node: 'n-2' }));
    const stopped = recorder.stop();
    await clock.advance(0);
    await stopped;
    recorder.record(event({ node: 'n-3' }));
    expect(api.calls).toEqual([]);
    expect(dropped('Stopped')).toBe(3);
    expect(clock.pendingTimers()).toBe(0);
  });
});
