// A reporter before the embedded API server, in process: what it writes, how often, and that it never reads.

import { describe, expect, it } from 'vitest';
import { sleep } from '../../base/clock.ts';
import { seededRandom } from '../../base/random.ts';
import { err } from '../../base/result.ts';
import { recordsIn, fieldsOf } from '../../objects/raw.ts';
import { nodeType } from '../../objects/ref.ts';
import type { Answer, ApiFailure, KubeApi } from '../../runtime/ports.ts';
import { apiFailure } from '../../../test/support/api-failure.ts';
import { recordedLog } from '../../../test/support/recorded-log.ts';
import { recordedMetrics } from '../../../test/support/recorded-metrics.ts';
import { startViewScene } from '../../../test/support/view-scene.ts';
import type { Outcome } from './outcome.ts';
import { runReporter } from './reporter.ts';

const type = 'network.k8s.io/CalicoReady';
const good: Outcome = { result: 'healthy', reason: 'EndpointOK', message: 'fine' };
const bad: Outcome = { result: 'unhealthy', reason: 'EndpointNotReady', message: 'answered 503' };
const config = {
  nodeName: 'worker-1',
  conditionType: type,
  isImpersonating: false,
  intervalMs: 30_000,
  heartbeatMs: 300_000,
  failureThreshold: 2,
  successThreshold: 1,
  jitterPercent: 10,
};

type Verb = 'get' | 'list' | 'replace' | 'patch';
const allVerbs: readonly Verb[] = ['get', 'list', 'replace', 'patch'];

async function startScene(allowed: readonly Verb[] = ['patch']) {
  const scene = await startViewScene({ hasDefinitions: false });
  await scene.join(config.nodeName);
  const calls: string[] = [];
  const refused = new Map<Verb, ApiFailure>(
    allVerbs
      .filter((verb) => !allowed.includes(verb))
      .map((verb) => [verb, apiFailure('Forbidden', { message: `cannot ${verb}` })]),
  );
  const world = { outcome: good, tookMs: 0, asked: 0, beforeReplace: async () => undefined as unknown };
  const log = recordedLog();
  const metrics = recordedMetrics();
  const call = async <T>(verb: Verb, name: string, make: () => Promise<Answer<T>>): Promise<Answer<T>> => {
    calls.push(name);
    const refusal = refused.get(verb);
    return refusal === undefined ? make() : err(refusal);
  };
  const api: KubeApi = {
    ...scene.api,
    get: (...given) => call('get', 'get', () => scene.api.get(...given)),
    list: (...given) => call('list', 'list', () => scene.api.list(...given)),
    replace: (...given) =>
      call('replace', 'replace', async () => {
        await world.beforeReplace();
        return scene.api.replace(...given);
      }),
    patch(ref, patch, options) {
      const name = Object.keys(patch.body as object).length === 0 ? 'look' : 'write';
      return call('patch', name, () => scene.api.patch(ref, patch, options));
    },
  };
  const ask = async () => {
    world.asked++;
    if (world.tookMs > 0) await sleep(scene.clock, world.tookMs, new AbortController().signal);
    return world.outcome;
  };
  const start = (changes: Partial<typeof config> = {}) => {
    const stop = new AbortController();
    const parts = { api, clock: scene.clock, random: seededRandom(3), log, metrics, ask };
    const ended = runReporter({ ...parts, config: { ...config, ...changes } }, stop.signal);
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
  return { ...scene, calls, world, refused, log, metrics, start, condition };
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
    scene.refused.set('patch', apiFailure('Timeout', { effect: 'unknown' }));
    const stop = scene.start();
    await scene.run(100_000);
    expect(new Set(scene.calls)).toEqual(new Set(['look']));
    scene.refused.delete('patch');
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

describe('the metrics of a reporter', () => {
  it('have in seconds how long each answer took', async () => {
    const scene = await startScene();
    scene.world.tookMs = 250;
    const stop = scene.start();
    await scene.run(1_000);
    scene.world.tookMs = 4_000;
    await scene.run(40_000);
    expect(scene.metrics.observed('node_readiness_reporter_check_duration_seconds')).toEqual([0.25, 4]);
    expect(scene.metrics.value('node_readiness_reporter_checks_total', { result: 'healthy' })).toBe(2);
    await stop();
    await scene.stop();
  });
});

describe('a reporter that may read and replace, but not patch', () => {
  const otherType = 'example.com/Other';

  it('replaces the status of its node, of which nothing else changes', async () => {
    const scene = await startScene(['get', 'replace']);
    const read = async () => {
      const node = await scene.api.get({ type: nodeType, namespace: '', name: config.nodeName });
      if (node.kind === 'error') throw new Error(node.error.message);
      return node.value;
    };
    const before = await read();
    const stop = scene.start();
    await scene.run(1_000);
    expect(await scene.condition()).toMatchObject({ count: 2, found: { status: 'True' } });
    scene.world.outcome = bad;
    await scene.run(70_000);
    expect(await scene.condition()).toMatchObject({ count: 2, found: { status: 'False' } });
    const { spec, metadata, status } = await read();
    expect(spec).toEqual(before.spec);
    expect(metadata?.labels).toEqual(before.metadata?.labels);
    expect(fieldsOf(status)['nodeInfo']).toEqual(fieldsOf(before.status)['nodeInfo']);
    expect(scene.calls).toEqual(['look', 'get', 'get', 'replace', 'get', 'replace']);
    expect(scene.log.said('the status may not be patched; it is read and replaced instead')).toHaveLength(1);
    await stop();
    await scene.stop();
  });

  it('keeps what somebody wrote between its read and its write', async () => {
    const scene = await startScene(['get', 'replace']);
    scene.world.beforeReplace = async () => {
      scene.world.beforeReplace = async () => undefined;
      await scene.report(config.nodeName, { type: otherType, status: 'True' });
    };
    const stop = scene.start();
    await scene.run(1_000);
    expect(await scene.condition()).toMatchObject({ count: 3, found: { status: 'True' } });
    expect(scene.calls).toEqual(['look', 'get', 'get', 'replace', 'get', 'replace']);
    await stop();
    await scene.stop();
  });

  it('tries five times at most when somebody writes all the time', async () => {
    const scene = await startScene(['get', 'replace']);
    scene.refused.set('replace', apiFailure('Conflict'));
    const stop = scene.start();
    await scene.run(1_000);
    expect(scene.calls.filter((call) => call === 'replace')).toHaveLength(5);
    expect(scene.log.said('the node cannot be written')).toMatchObject([{ fields: { reason: 'Conflict' } }]);
    await stop();
    await scene.stop();
  });
});

describe('a reporter that may do nothing', () => {
  it.each([
    [false, 'patch on nodes/status'],
    [true, expect.stringContaining('impersonate-on:associated-node:patch on nodes/status')],
  ])('says what it was refused and what it needs (impersonating: %s)', async (isImpersonating, needs) => {
    const scene = await startScene([]);
    const stop = scene.start({ isImpersonating });
    await scene.run(1_000);
    expect(scene.log.said('the node cannot be written')).toMatchObject([
      { level: 'warn', fields: { node: 'worker-1', reason: 'Forbidden', message: 'cannot patch', needs } },
    ]);
    expect(scene.metrics.value('node_readiness_reporter_condition_writes_total', { result: 'error' })).toBe(
      1,
    );
    await stop();
    await scene.stop();
  });

  it('says nothing of rights when the API server is away', async () => {
    const scene = await startScene();
    scene.refused.set('patch', apiFailure('Unreachable'));
    const stop = scene.start();
    await scene.run(1_000);
    expect(scene.log.said('the node cannot be written')[0]?.fields).not.toHaveProperty('needs');
    await stop();
    await scene.stop();
  });
});
