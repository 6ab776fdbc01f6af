// Control workers from their beginning to their end: where they run, who follows them, and what becomes of those that are refused.

import { describe, expect, it } from 'vitest';
import { workerAnnotations } from '../../src/api/keys.ts';
import type { RawObject } from '../../src/objects/raw.ts';
import { apiFailure } from '../support/api-failure.ts';
import {
  bothEcho,
  checks,
  cordoned,
  fleet,
  labelled,
  othersEcho,
  wordsOn,
  workerSays,
} from '../support/controls-scene.ts';
import { verificationScene } from '../support/verification-scene.ts';

describe('a control worker', () => {
  it('is taken off a node that is cordoned, and another node gets one', async () => {
    const scene = await fleet(['a', 'b', 'c']);
    await bothEcho(scene);
    const [first = ''] = scene.controlNodes();
    scene.changeNode(first, cordoned);
    await scene.run(4_000);
    expect(scene.controlNodes()).toHaveLength(2);
    expect(scene.controlNodes()).not.toContain(first);
  });

  it('that never answers is followed by one elsewhere, and no failure is counted', async () => {
    const scene = await fleet(['a', 'b', 'c', 'd'], { maxRetries: 50 });
    const before = scene.controlNodes();
    await scene.run(240_000);
    expect(scene.controlNodes()).toHaveLength(2);
    expect(scene.controlNodes()).not.toEqual(before);
    expect(scene.verification('new')).toMatchObject({
      reason: 'WorkerTimedOut',
      lastError:
        'it was not created in 60 s: it waits for a control worker (a pod on a verified node that answers its packets)',
    });
    expect(scene.verification('new')?.failedAttempts).toBeUndefined();
  });

  it.each(['Succeeded', 'Failed'] as const)('that has %s goes, and another is made', async (phase) => {
    const scene = await fleet(['a', 'b']);
    const before = scene.controlOn('a')?.metadata?.uid;
    scene.controlEnds('a', phase);
    await scene.run(4_000);
    expect(scene.controlNodes()).toEqual(['a', 'b']);
    expect(scene.controlOn('a')?.metadata?.uid).not.toBe(before);
  });

  it('is the same one, and no third, after the operator was replaced', async () => {
    const scene = await fleet(['a', 'b', 'c']);
    const before = scene.podNames();
    scene.running.kill();
    scene.start();
    await scene.run(5_000);
    expect(scene.podNames()).toEqual(before);
  });

  it('goes with its policy', async () => {
    const scene = await fleet(['a', 'b', 'c']);
    scene.deletePolicy('all');
    await scene.run(5_000);
    expect(scene.podNames()).toEqual([]);
  });

  it('has its own checks to run first, and is given the time that they may take', async () => {
    const scene = await fleet(['a', 'b'], { workerTimeoutSeconds: 200, maxRetries: 50 });
    const uids = () => scene.pods().map(({ metadata }) => metadata?.uid);
    const before = uids();
    await scene.run(200_000);
    expect(uids()).toEqual(before);
    await scene.run(100_000);
    expect(uids()).not.toEqual(before);
  });

  it('is shown in numbers', async () => {
    const scene = await fleet(['a', 'b', 'c']);
    const [first = ''] = scene.controlNodes();
    scene.controlEchoes(first, '10.0.0.1');
    await scene.run(100);
    const { metrics } = scene.running;
    expect(metrics.value('muster_control_workers', { state: 'ready' })).toBe(1);
    expect(metrics.value('muster_control_workers', { state: 'starting' })).toBe(1);
  });
});

describe('a control worker whose time comes to its end', () => {
  /** Two of them in their last minute, kept by nodes that were checked one after the other. */
  async function aged() {
    const scene = await fleet(['a', 'b'], { workerTimeoutSeconds: 300 });
    await bothEcho(scene);
    const checks = async (name: string) => {
      scene.join(name);
      await scene.run(4_000);
      scene.workerRuns(name);
    };
    scene.workerRuns('new');
    await scene.run(280_000);
    await checks('next');
    scene.deleteNode('new');
    await scene.run(280_000);
    return { ...scene, checks };
  }

  const toldOf = (pod: RawObject | undefined) => pod?.metadata?.annotations?.[workerAnnotations.peers];

  it('has a successor by then, though a slow worker is still answered by it', async () => {
    const scene = await aged();
    const before = scene.podNames().filter((name) => name.includes('control'));
    await scene.checks('slow');
    scene.deleteNode('next');
    othersEcho(scene);
    await scene.run(60_000);
    scene.join('late');
    await scene.run(4_000);
    expect(toldOf(scene.workerOf('late'))?.split(',')).toHaveLength(2);
    expect(toldOf(scene.workerOf('late'))).not.toBe(toldOf(scene.workerOf('slow')));
    expect(scene.podNames()).toEqual(expect.arrayContaining(before));
    expect(scene.controlNodes()).toEqual(['a', 'a', 'b', 'b']);
    scene.deleteNode('slow');
    await scene.run(8_000);
    expect(scene.controlNodes()).toEqual(['a', 'b']);
  });

  it('stays until the worker that was told of it has been judged', async () => {
    const scene = await aged();
    await scene.checks('slow');
    scene.deleteNode('next');
    await scene.run(60_000);
    scene.faults.before = ({ verb, ref }) =>
      verb !== 'get' && ref.type.kind === 'NodeLifecycle' && ref.name === 'slow'
        ? apiFailure('Timeout')
        : null;
    workerSays(scene, 'fail', { node: 'slow' });
    scene.annotate('a', { somebody: 'looks' });
    await scene.run(4_000);
    expect(scene.verification('slow')).toMatchObject({ state: 'in_progress' });
    scene.faults.before = () => null;
    await scene.run(60_000);
    expect(scene.verification('slow')).toMatchObject({ failedAttempts: 1 });
  });
});

describe('a control worker that the API server refuses', () => {
  it('keeps no other policy from having its own, and who waits for it says why', async () => {
    const scene = verificationScene();
    const pool = (name: string) => ({ selector: { matchLabels: { pool: name } }, checks });
    scene.putPolicy('bad', { ...pool('red'), worker: { priorityClassName: 'no-such' } });
    scene.putPolicy('good', pool('blue'));
    let tries = 0;
    scene.faults.before = ({ verb, ref }) => {
      if (verb !== 'create' || !ref.name.startsWith('node-ready-control-bad')) return null;
      tries++;
      return apiFailure('Forbidden', { message: 'no PriorityClass with name no-such was found' });
    };
    const running = scene.start();
    for (const [name, label] of Object.entries({ r: 'red', s: 'red', b: 'blue', c: 'blue' }))
      scene.join(name, { taints: [], labels: { ...labelled.labels, pool: label } });
    await scene.run(5_000);
    scene.join('waiting', { labels: { pool: 'red' } });
    scene.join('served', { labels: { pool: 'blue' } });
    await scene.run(12_000);
    expect(scene.controlNodes()).toEqual(['b', 'c']);
    const why = 'control worker: no PriorityClass with name no-such was found';
    expect(wordsOn({ ...scene, running }, 'waiting')).toBe(why);
    await scene.run(55_000);
    expect(scene.verification('waiting')).toMatchObject({ reason: 'WorkerRejected', lastError: why });
    expect(tries).toBeGreaterThan(2);
    expect(tries).toBeLessThan(15);
  });
});
