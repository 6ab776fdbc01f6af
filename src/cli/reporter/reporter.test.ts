// A reporter before the embedded API server, in process: what it writes, how often, and that it never reads.

import { describe, expect, it } from 'vitest';
import { silentLog } from '../../base/log.ts';
import { silentMetrics } from '../../base/metrics.ts';
import { seededRandom } from '../../base/random.ts';
import { err } from '../../base/result.ts';
import { recordsIn, fieldsOf } from '../../objects/raw.ts';
import { nodeType } from '../../objects/ref.ts';
import type { ApiFailure, KubeApi } from '../../runtime/ports.ts';
import { apiFailure } from '../../../test/support/api-failure.ts';
import { startViewScene } from '../../../test/support/view-scene.ts';
import type { Outcome } from './outcome.ts';
import { runReporter } from './reporter.ts';

const type = 'network.k8s.io/CalicoReady';
const good: Outcome = { result: 'healthy', reason: 'EndpointOK', message: 'fine' };
const bad: Outcome = { result: 'unhealthy', reason: 'EndpointNotReady', message: 'answered 503' };
const config = {
  nodeName: 'worker-1',
  conditionType: type,
  intervalMs: 30_000,
  heartbeatMs: 300_000,
  failureThreshold: 2,
  successThreshold: 1,
  jitterPercent: 10,
};

async function startScene() {
  const scene = await startViewScene({ hasDefinitions: false });
  await scene.join(config.nodeName);
  const calls: string[] = [];
  const world = { outcome: good, failure: null as ApiFailure | null, asked: 0 };
  const counting = (verb: string) => async () => {
    calls.push(verb);
    throw new Error(`a reporter has no right to ${verb}`);
  };
  const api: KubeApi = {
    ...scene.api,
    get: counting('get'),
    list: counting('list'),
    replace: counting('replace'),
    async patch(ref, patch, options) {
      calls.push(Object.keys(patch.body as object).length === 0 ? 'look' : 'write');
      return world.failure === null ? scene.api.patch(ref, patch, options) : err(world.failure);
    },
  };
  const start = () => {
    const stop = new AbortController();
    const ended = runReporter(
      {
        api,
        clock: scene.clock,
        random: seededRandom(3),
        log: silentLog,
        metrics: silentMetrics,
        config,
        ask: async () => (world.asked++, world.outcome),
      },
      stop.signal,
    );
    return async () => {
      stop.abort();
      await ended;
    };
  };
  const condition = async () => {
    const node = await scene.api.get({ type: nodeType, namespace: '', name: config.nodeName });
    const status = node.kind === 'ok' ? fieldsOf(node.value.status) : {};
    const conditions = recordsIn(status['conditions']);
    return { found: conditions.find((each) => each['type'] === type), count: conditions.length };
  };
  return { ...scene, calls, world, start, condition };
}

describe('a reporter', () => {
  it('writes once, then only heartbeats, and never reads its node', async () => {
    const scene = await startScene();
    const stop = scene.start();
    await scene.run(600_000);
    expect(scene.world.asked).toBeGreaterThan(17);
    expect(scene.calls.filter((call) => call === 'write').length).toBeLessThanOrEqual(3);
    expect(new Set(scene.calls)).toEqual(new Set(['look', 'write']));
    expect(scene.calls.filter((call) => call === 'look')).toHaveLength(1);
    expect(await scene.condition()).toMatchObject({
      count: 2,
      found: { status: 'True', reason: 'EndpointOK' },
    });
    await stop();
    await scene.stop();
  });

  it('waits for its threshold, then says False with a new transition and leaves other conditions alone', async () => {
    const scene = await startScene();
    const stop = scene.start();
    await scene.run(1_000);
    const before = (await scene.condition()).found;
    scene.world.outcome = bad;
    await scene.run(34_000);
    expect((await scene.condition()).found).toEqual(before);
    await scene.run(34_000);
    const { found, count } = await scene.condition();
    expect(found).toMatchObject({ status: 'False', reason: 'EndpointNotReady', message: 'answered 503' });
    expect(found?.['lastTransitionTime']).not.toBe(before?.['lastTransitionTime']);
    expect(count).toBe(2);
    await stop();
    await scene.stop();
  });

  it('keeps the transition of an earlier life', async () => {
    const scene = await startScene();
    await scene.run(1_000);
    const stopFirst = scene.start();
    await scene.run(1_000);
    await stopFirst();
    const before = (await scene.condition()).found;
    await scene.run(400_000);
    const stop = scene.start();
    await scene.run(1_000);
    const { found } = await scene.condition();
    expect(found?.['lastTransitionTime']).toBe(before?.['lastTransitionTime']);
    expect(found?.['lastHeartbeatTime']).not.toBe(before?.['lastHeartbeatTime']);
    await stop();
    await scene.stop();
  });

  it('looks again after a write whose answer was lost, and says what it has to say', async () => {
    const scene = await startScene();
    scene.world.failure = apiFailure('Timeout', { effect: 'unknown' });
    const stop = scene.start();
    await scene.run(100_000);
    expect(new Set(scene.calls)).toEqual(new Set(['look']));
    scene.world.failure = null;
    await scene.run(40_000);
    expect((await scene.condition()).found).toMatchObject({ status: 'True' });
    await stop();
    await scene.stop();
  });

  it('leaves the condition as it is when it is stopped', async () => {
    const scene = await startScene();
    const stop = scene.start();
    await scene.run(1_000);
    const asked = scene.world.asked;
    await stop();
    await scene.run(120_000);
    expect(scene.world.asked).toBe(asked);
    expect((await scene.condition()).found).toMatchObject({ status: 'True' });
    await scene.stop();
  });
});
