// Many nodes at once: who gets a worker when, told with the whole centre.

import { describe, expect, it } from 'vitest';
import { nodeLifecycleType, workerAnnotations } from '../../src/api/keys.ts';
import { nodeType } from '../../src/objects/ref.ts';
import type { WorkerLimits } from '../../src/runtime/arbitrate-worker.ts';
import { apiFailure } from '../support/api-failure.ts';
import { verificationScene, verifiedLabel } from '../support/verification-scene.ts';

type Scene = ReturnType<typeof verificationScene>;

const WORKER_SECONDS = 15;
const limitOf = (concurrent: number): WorkerLimits => ({ concurrent, perSecond: 50, burst: 100 });

/** Workers that run for as long as they usually do and then say that all is well. */
function createKubelets(scene: Scene) {
  const ages = new Map<string, number>();
  const seen = { pods: 0 };
  const firstSeen = new Map<string, number>();
  const step = (second: number) => {
    seen.pods = Math.max(seen.pods, scene.pods().length);
    for (const { metadata } of scene.pods()) {
      const { name = '', annotations = {} } = metadata ?? {};
      const node = annotations[workerAnnotations.targetNode] ?? '';
      const age = (ages.get(name) ?? 0) + 1;
      ages.set(name, age);
      if (!firstSeen.has(node)) firstSeen.set(node, second);
      if (age === 1) scene.workerRuns(node);
      else if (age === WORKER_SECONDS) scene.workerEnds(node);
    }
  };
  let second = 0;
  return {
    seen,
    /** When the first worker of a node was there, in seconds of this world. */
    startOf: (node: string) => firstSeen.get(node) ?? Infinity,
    now: () => second,
    async live(seconds: number) {
      for (let each = 0; each < seconds; each++) {
        step(second);
        await scene.run(1_000);
        second++;
      }
    },
  };
}

const namesOf = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${prefix}-${String(index).padStart(3, '0')}`);

const verifiedOf = (scene: Scene, names: readonly string[]) =>
  names.filter((name) => scene.labels(name)[verifiedLabel] === 'true').length;

describe('sixty nodes that join at once', () => {
  it('are all verified, ten at a time', { timeout: 60_000 }, async () => {
    const scene = verificationScene();
    scene.putPolicy('all');
    const { metrics } = scene.start({ workerLimits: limitOf(10) });
    await scene.run(1_000);
    const names = namesOf('node', 60);
    for (const name of names) scene.join(name);
    const kubelets = createKubelets(scene);
    await kubelets.live(150);
    expect(kubelets.seen.pods).toBe(10);
    expect(verifiedOf(scene, names)).toBe(60);
    expect(scene.podNames()).toEqual([]);
    expect(metrics.value('kube_node_ready_worker_pod_creation_total', { status: 'success' })).toBe(60);
  });

  it('are still no more than ten at a time when the operator is killed and its records come late', {
    timeout: 60_000,
  }, async () => {
    const scene = verificationScene();
    scene.putPolicy('all');
    const first = scene.start({ workerLimits: limitOf(10) });
    await scene.run(1_000);
    const [running, inLine] = [namesOf('running', 10), namesOf('in-line', 30)];
    for (const name of running) scene.join(name);
    const kubelets = createKubelets(scene);
    await kubelets.live(8);
    for (const name of inLine) scene.join(name);
    await kubelets.live(3);
    first.kill();
    // A list is sorted by name, so those in line ask for a place before all that are taken are counted.
    scene.faults.before = ({ verb, ref }) =>
      (verb === 'watch' || verb === 'list') && ref.type.kind === nodeLifecycleType.kind
        ? apiFailure('ServerError', {})
        : null;
    const second = scene.start({ workerLimits: limitOf(10) });
    await scene.run(2_000);
    expect(second.store.count()).toBe(40);
    scene.faults.before = () => null;
    await kubelets.live(120);
    expect(kubelets.seen.pods).toBe(10);
    expect(verifiedOf(scene, [...running, ...inLine])).toBe(40);
  });
});

describe('two pools of which one has many nodes in line', () => {
  it('start the few nodes of a high priority within the time of one worker', {
    timeout: 60_000,
  }, async () => {
    const scene = verificationScene();
    scene.putPolicy('all');
    scene.putPolicy('urgent', { priority: 100, selector: { matchLabels: { pool: 'urgent' } } });
    scene.start({ workerLimits: limitOf(100) });
    await scene.run(1_000);
    const slow = namesOf('slow', 900);
    for (const name of slow) scene.join(name, { labels: { pool: 'slow' } });
    const kubelets = createKubelets(scene);
    await kubelets.live(20);
    const joinedAt = kubelets.now();
    const urgent = namesOf('urgent', 5);
    for (const name of urgent) scene.join(name, { labels: { pool: 'urgent' } });
    await kubelets.live(WORKER_SECONDS + 5);
    const waits = urgent.map((name) => kubelets.startOf(name) - joinedAt);
    expect(Math.max(...waits)).toBeLessThanOrEqual(WORKER_SECONDS + 2);
    expect(kubelets.seen.pods).toBe(100);
    await kubelets.live(WORKER_SECONDS);
    expect(verifiedOf(scene, urgent)).toBe(5);
    expect(verifiedOf(scene, slow)).toBeLessThan(450);
  });

  it('share the places evenly where none is before the other', { timeout: 60_000 }, async () => {
    const scene = verificationScene();
    scene.putPolicy('all');
    scene.start({ workerLimits: limitOf(6) });
    await scene.run(1_000);
    const large = namesOf('large', 30);
    const small = namesOf('small', 6);
    for (const name of large) scene.join(name, { labels: { pool: 'large' } });
    const kubelets = createKubelets(scene);
    await kubelets.live(10);
    for (const name of small) scene.join(name, { labels: { pool: 'small' } });
    await kubelets.live(35);
    expect(Math.max(...small.map(kubelets.startOf))).toBeLessThan(45);
    expect(large.filter((name) => kubelets.startOf(name) === Infinity).length).toBeGreaterThan(10);
  });
});

const deletedNodes = (scene: Scene) =>
  scene.api.calls.filter(({ verb, ref }) => verb === 'delete' && ref.type === nodeType);

describe('an image that is not there', () => {
  it('fails and deletes no node though failed ones are to be deleted, stops new workers, and is over when it is there', {
    timeout: 60_000,
  }, async () => {
    const scene = verificationScene();
    scene.putPolicy('all', { deleteFailedNodes: true });
    const { store, metrics } = scene.start();
    await scene.run(1_000);
    const broken = ['a', 'b', 'c'];
    for (const name of broken) scene.join(name);
    await scene.run(2_000);
    const pull = () =>
      scene.pods().forEach(({ metadata }) => {
        const node = metadata?.annotations?.[workerAnnotations.targetNode] ?? '';
        scene.workerWaits(node, 'ImagePullBackOff');
      });
    for (let second = 0; second < 32; second++) {
      pull();
      await scene.run(1_000);
    }
    for (const name of broken) {
      const record = scene.verification(name);
      expect(record).toMatchObject({ inconclusiveAttempts: 1, reason: 'WorkerImageUnavailable' });
      expect(record?.failedAttempts).toBeUndefined();
    }
    const created = () => metrics.value('kube_node_ready_worker_pod_creation_total', { status: 'success' });
    scene.join('d');
    scene.join('e');
    await scene.run(5_000);
    // One trial a minute, and all others are told why they wait.
    expect(created()).toBe(4);
    expect(scene.pods()).toHaveLength(1);
    const reasons = [...broken, 'd', 'e'].flatMap((name) =>
      (store.get(name)?.verdicts ?? []).map(({ reason }) => reason),
    );
    expect(reasons.filter((reason) => reason === 'WorkerImageUnavailable').length).toBeGreaterThanOrEqual(4);
    for (let second = 0; second < 110; second++) {
      pull();
      await scene.run(1_000);
    }
    expect(created()).toBeLessThanOrEqual(6);
    // The image is there: the next trial runs, and with it everybody.
    await createKubelets(scene).live(160);
    expect(verifiedOf(scene, [...broken, 'd', 'e'])).toBe(5);
    for (const name of [...broken, 'd', 'e'])
      expect(scene.verification(name)?.failedAttempts).toBeUndefined();
    expect(deletedNodes(scene)).toEqual([]);
  });

  it('and a configuration that every worker refuses leave every node unverified, and none failed or deleted', async () => {
    const scene = verificationScene();
    scene.putPolicy('all', { deleteFailedNodes: true });
    scene.start();
    await scene.run(1_000);
    const names = namesOf('node', 5);
    for (const name of names) scene.join(name);
    const report = { verdict: 'inconclusive', problems: ['checks[0].name: must be one of'] } as const;
    for (let second = 0; second < 120; second++) {
      for (const { metadata } of scene.pods()) {
        const node = metadata?.annotations?.[workerAnnotations.targetNode] ?? '';
        scene.workerEnds(node, { exitCode: 2, report });
      }
      await scene.run(1_000);
    }
    for (const name of names) {
      const record = scene.verification(name);
      expect(record).toMatchObject({
        state: 'unverified',
        reason: 'WorkerMisconfigured',
        verdict: 'inconclusive',
      });
      expect(record?.lastError).toContain('must be one of');
      expect(record?.failedAttempts).toBeUndefined();
      expect(scene.labels(name)[verifiedLabel]).toBeUndefined();
    }
    expect(deletedNodes(scene)).toEqual([]);
  });
});
