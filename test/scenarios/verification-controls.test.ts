// Checks against other nodes: what workers are told of control workers, and what their answers are worth, with the whole centre.

import { describe, expect, it } from 'vitest';
import { workerAnnotations } from '../../src/api/keys.ts';
import {
  bothEcho,
  checks,
  configOf,
  cordoned,
  fleet,
  labelled,
  peersOf,
  result,
  wordsOn,
  workerSays,
} from '../support/controls-scene.ts';
import { verificationScene, verifiedLabel } from '../support/verification-scene.ts';

describe('a check against peers that the policy does not name', () => {
  it('waits for control workers on two verified nodes, and its worker is told where they are', async () => {
    const scene = await fleet(['a', 'b', 'c']);
    expect(scene.controlNodes()).toHaveLength(2);
    expect(scene.workerOf('new')).toBeUndefined();
    expect(scene.verification('new')).toMatchObject({ state: 'pending', attempt: 1 });
    expect(wordsOn(scene, 'new')).toBe(
      'it waits for a control worker (a pod on a verified node that answers its packets)',
    );
    await bothEcho(scene);
    const peers = ['10.0.0.1', '10.0.0.2'].map((address) => ({ address, port: 8007 }));
    expect(peersOf(scene.workerOf('new'))).toEqual({ peers: expect.arrayContaining(peers) });
    expect(configOf(scene.workerOf('new')).echo).toEqual({ word: configOf(scene.controlOn('a')).echo.word });
  });

  it('lets the node in, and the control workers go when nobody needs them any more', async () => {
    const scene = await fleet(['a', 'b', 'c']);
    await bothEcho(scene);
    workerSays(scene, 'pass');
    await scene.run(5_000);
    expect(scene.labels('new')[verifiedLabel]).toBe('true');
    expect(scene.podNames()).toEqual([]);
  });

  it('makes no control worker while no node is being checked', async () => {
    const scene = verificationScene();
    scene.putPolicy('all', { checks });
    scene.start();
    for (const name of ['a', 'b', 'c']) scene.join(name, labelled);
    await scene.run(60_000);
    expect(scene.podNames()).toEqual([]);
  });

  it('makes none for a node that waits for its place', async () => {
    const scene = await fleet(['a', 'b'], {}, { workerLimits: { concurrent: 0, perSecond: 50, burst: 100 } });
    expect(scene.podNames()).toEqual([]);
    expect(scene.verification('new')).toMatchObject({ state: 'unverified', attempt: 0 });
  });

  it('waits for as many as one of its checks wants to be answered by', async () => {
    const scene = await fleet(['a', 'b'], { checks: [{ name: 'peer-echo', params: { peersMin: 2 } }] });
    scene.controlEchoes('a', '10.0.0.1');
    await scene.run(2_000);
    expect(scene.workerOf('new')).toBeUndefined();
    scene.controlEchoes('b', '10.0.0.2');
    await scene.run(2_000);
    expect(peersOf(scene.workerOf('new'))).toMatchObject({ peers: [{ port: 8007 }, { port: 8007 }] });
  });

  it('decides nothing where fewer nodes can answer than it wants', async () => {
    const wanting = { name: 'peer-echo', params: { peersMin: 2 } };
    const scene = await fleet(['a'], { checks: [{ name: 'dns' }, wanting, { name: 'mtu' }] });
    await bothEcho(scene);
    const [, echo, mtu] = configOf(scene.workerOf('new')).checks;
    expect(echo).toEqual({ ...wanting, severity: 'advisory' });
    expect(mtu).toMatchObject({ name: 'mtu', params: { peers: [{ address: '10.0.0.1' }] } });
    scene.workerRuns('new');
    const lacking = result('peer-echo', 'inconclusive', 'advisory');
    scene.workerEnds('new', { report: { checks: [result('dns', 'pass'), lacking, result('mtu', 'pass')] } });
    await scene.run(5_000);
    expect(scene.verification('new')).toMatchObject({ state: 'verified' });
  });

  it('prefers nodes of the pool of the node that is checked', async () => {
    const scene = verificationScene();
    scene.putPolicy('all', { checks });
    scene.start();
    for (const [name, pool] of Object.entries({ a: 'red', b: 'blue', c: 'red', d: 'blue' }))
      scene.join(name, { taints: [], labels: { ...labelled.labels, pool } });
    await scene.run(5_000);
    scene.join('new', { labels: { pool: 'blue' } });
    await scene.run(4_000);
    expect(scene.controlNodes()).toEqual(['b', 'd']);
  });
});

describe('a node that no control worker can be had for', () => {
  it('is let in by its other checks: nobody else is verified yet', async () => {
    const scene = await fleet([]);
    const pod = scene.workerOf('new');
    expect(pod?.metadata?.annotations?.[workerAnnotations.peers]).toBe('none');
    expect(configOf(pod).checks).toEqual([
      { name: 'dns' },
      { name: 'peer-echo', severity: 'advisory' },
      { name: 'mtu', severity: 'advisory' },
    ]);
    scene.workerRuns('new');
    const skipped = ['peer-echo', 'mtu'].map((id) => result(id, 'inconclusive', 'advisory'));
    scene.workerEnds('new', { report: { checks: [result('dns', 'pass'), ...skipped] } });
    await scene.run(5_000);
    expect(scene.verification('new')).toMatchObject({
      state: 'verified',
      checks: [
        { name: 'peer-echo', verdict: 'inconclusive' },
        { name: 'mtu', verdict: 'inconclusive' },
        { name: 'dns', verdict: 'pass' },
      ],
    });
  });

  it('is not one whose policy came to ask for peers after its worker was made', async () => {
    const scene = await fleet([], { checks: [{ name: 'dns' }] });
    scene.workerRuns('new');
    scene.putPolicy('all', { checks });
    scene.workerEnds('new', { report: { checks: [result('dns', 'pass')] } });
    await scene.run(500);
    expect(scene.verification('new')).toMatchObject({ state: 'unverified', reason: 'ChecksChanged' });
  });

  it('does not use a node of another policy, nor one that is cordoned or not ready', async () => {
    const scene = verificationScene();
    scene.putPolicy('all', { checks });
    scene.putPolicy('gpu', { selector: { matchLabels: { pool: 'gpu' } }, priority: 10 });
    scene.start();
    scene.join('other', { taints: [], labels: { ...labelled.labels, pool: 'gpu' } });
    scene.join('cordoned', labelled);
    scene.join('dark', labelled);
    await scene.run(2_000);
    scene.kubeletIs('dark', 'Unknown');
    scene.changeNode('cordoned', cordoned);
    await scene.run(5_000);
    scene.join('new');
    await scene.run(4_000);
    expect(scene.controlNodes()).toEqual([]);
    expect(scene.workerOf('new')).toBeDefined();
  });

  it('is not held up by a check that is advisory anyway', async () => {
    const advisory = [{ name: 'dns' }, { name: 'peer-echo', severity: 'advisory' }] as const;
    const scene = await fleet(['a', 'b'], { checks: advisory });
    expect(scene.controlNodes()).toEqual(['a', 'b']);
    expect(scene.workerOf('new')).toBeDefined();
  });
});

describe('a failure against control workers', () => {
  it('counts when two on different nodes answered all the time', async () => {
    const scene = await fleet(['a', 'b']);
    await bothEcho(scene);
    workerSays(scene, 'fail');
    await scene.run(500);
    expect(scene.verification('new')).toMatchObject({ state: 'failed', failedAttempts: 1 });
  });

  it('says nothing when one of them has gone meanwhile: it may have been its fault', async () => {
    const scene = await fleet(['a', 'b']);
    await bothEcho(scene);
    scene.controlEnds('a', 'Failed');
    workerSays(scene, 'fail');
    await scene.run(500);
    expect(scene.verification('new')).toMatchObject({
      state: 'unverified',
      verdict: 'inconclusive',
      inconclusiveAttempts: 1,
      lastError:
        'fewer than two control workers were ready to the end, so the fault may be theirs: peer-echo: PacketLoss',
      checks: [{ name: 'peer-echo', verdict: 'inconclusive' }, { name: 'dns' }, { name: 'mtu' }],
    });
    expect(scene.verification('new')?.failedAttempts).toBeUndefined();
  });

  it('does not excuse another check that failed as well', async () => {
    const scene = await fleet(['a']);
    await bothEcho(scene);
    workerSays(scene, 'fail', { dns: 'fail' });
    await scene.run(500);
    expect(scene.verification('new')).toMatchObject({ state: 'failed', lastError: 'dns: PacketLoss' });
  });

  it('says nothing when there is one alone', async () => {
    const scene = await fleet(['a']);
    await bothEcho(scene);
    workerSays(scene, 'fail');
    await scene.run(500);
    expect(scene.verification('new')).toMatchObject({ state: 'unverified', verdict: 'inconclusive' });
  });
});
