// Checks against other nodes: control workers on nodes that are verified already, told with the whole centre.

import { describe, expect, it } from 'vitest';
import { workerAnnotations } from '../../src/api/keys.ts';
import type { CheckVerdict } from '../../src/base/worker-report.ts';
import { fieldsOf, type RawObject, recordsIn, textOf } from '../../src/objects/raw.ts';
import { type VerificationStart, verificationScene, verifiedLabel } from '../support/verification-scene.ts';

type Scene = ReturnType<typeof verificationScene>;

const checks = [{ name: 'dns' }, { name: 'peer-echo' }, { name: 'mtu' }];
const labelled = { labels: { [verifiedLabel]: 'true' }, taints: [] };

/** A fleet of verified nodes, and one that has just joined. */
async function fleet(verified: readonly string[], spec: object = {}, options: VerificationStart = {}) {
  const scene = verificationScene();
  scene.putPolicy('all', { checks, ...spec });
  const running = scene.start(options);
  for (const name of verified) scene.join(name, labelled);
  await scene.run(5_000);
  scene.join('new');
  await scene.run(4_000);
  return { ...scene, running };
}

const cordoned = (raw: RawObject) => ({ ...raw, spec: { ...fieldsOf(raw.spec), unschedulable: true } });

function configOf(pod: RawObject | undefined) {
  const [container] = recordsIn(fieldsOf(pod?.spec)['containers']);
  const config = recordsIn(container?.['env']).find(({ name }) => name === 'WORKER_CONFIG');
  return JSON.parse(textOf(config?.['value']) || '{}');
}

const peersOf = (pod: RawObject | undefined) =>
  recordsIn(configOf(pod).checks).find(({ name }) => name === 'peer-echo')?.['params'];

const wordsOn = ({ running }: Awaited<ReturnType<typeof fleet>>, name: string) =>
  running.store.get(name)?.verdicts.find(({ capability }) => capability === 'verification')?.message;

const result = (id: string, verdict: CheckVerdict, severity: 'required' | 'advisory' = 'required') => ({
  id,
  severity,
  verdict,
  code: verdict === 'pass' ? '' : 'PacketLoss',
  message: '',
  ms: 1,
  tries: 1,
});

function workerSays(scene: Scene, echo: CheckVerdict, dns: CheckVerdict = 'pass'): void {
  const node = 'new';
  scene.workerRuns(node);
  const all = [result('dns', dns), result('peer-echo', echo), result('mtu', 'pass')];
  const [exitCode, reason] = echo === 'pass' ? [0, 'Completed'] : [1, 'Error'];
  scene.workerEnds(node, { exitCode, reason, report: { verdict: echo, checks: all } });
}

async function bothEcho(scene: Awaited<ReturnType<typeof fleet>>): Promise<void> {
  for (const [index, node] of scene.controlNodes().entries())
    scene.controlEchoes(node, `10.0.0.${index + 1}`);
  await scene.run(2_000);
}

describe('a check against peers that the policy does not name', () => {
  it('waits for control workers on two verified nodes, and its worker is told where they are', async () => {
    const scene = await fleet(['a', 'b', 'c']);
    expect(scene.controlNodes()).toHaveLength(2);
    expect(scene.workerOf('new')).toBeUndefined();
    expect(scene.verification('new')).toMatchObject({ state: 'pending', attempt: 1 });
    expect(wordsOn(scene, 'new')).toBe('no control worker echoes yet');
    await bothEcho(scene);
    const peers = ['10.0.0.1', '10.0.0.2'].map((address) => ({ address, port: 8007 }));
    expect(peersOf(scene.workerOf('new'))).toEqual({ peers });
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
    scene.putPolicy('all', { checks });
    await scene.run(1_000);
    scene.workerRuns('new');
    scene.workerEnds('new', { report: { checks: [result('dns', 'pass')] } });
    await scene.run(500);
    expect(scene.verification('new')).toMatchObject({ state: 'unverified', verdict: 'inconclusive' });
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
      lastError: 'peer-echo: PacketLoss; it may be the fault of its peers',
      checks: [{ name: 'peer-echo', verdict: 'inconclusive' }, { name: 'dns' }, { name: 'mtu' }],
    });
    expect(scene.verification('new')?.failedAttempts).toBeUndefined();
  });

  it('does not excuse another check that failed as well', async () => {
    const scene = await fleet(['a']);
    await bothEcho(scene);
    workerSays(scene, 'fail', 'fail');
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
      lastError: 'it was not created in 60 s: no control worker echoes yet',
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

  it('is replaced before its time is over, and nobody is told of it near its end', async () => {
    const scene = await fleet(['a', 'b'], { workerTimeoutSeconds: 900 });
    await bothEcho(scene);
    const uids = () => ['a', 'b'].map((node) => scene.controlOn(node)?.metadata?.uid);
    const before = uids();
    scene.workerRuns('new');
    await scene.run(650_000);
    scene.join('late');
    await scene.run(4_000);
    // The first worker still runs against them.
    expect(uids()).toEqual(before);
    expect(scene.workerOf('late')).toBeUndefined();
    workerSays(scene, 'pass');
    await scene.run(8_000);
    expect(uids()).not.toEqual(before);
    await bothEcho(scene);
    expect(scene.workerOf('late')).toBeDefined();
  });
});
