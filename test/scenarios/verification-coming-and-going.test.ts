// Nodes that join and leave all the time, at every moment of their verification: nothing of them remains.

import { describe, expect, it } from 'vitest';
import { workerAnnotations } from '../../src/api/keys.ts';
import { seededRandom } from '../../src/base/random.ts';
import { createVerification } from '../../src/capabilities/verification/capability.ts';
import { createPrometheusMetrics } from '../../src/server/prometheus.ts';
import { lifecycleSpec, nodeSpec } from '../../src/runtime/specs.ts';
import { failure, template, verificationScene } from '../support/verification-scene.ts';

describe('two hundred nodes that come and go', () => {
  it('leave no worker, no place, no state and no series behind', { timeout: 60_000 }, async () => {
    const scene = verificationScene();
    scene.putPolicy('all');
    const metrics = createPrometheusMetrics();
    const centre = { nodes: nodeSpec, lifecycles: lifecycleSpec };
    const operator = scene.start({
      workerLimits: { concurrent: 10, perSecond: 50, burst: 100 },
      capabilitiesOf: () => [createVerification({ centre, template, metrics, isMeasuringNodes: true })],
    });
    const series = async () =>
      (await metrics.expose()).text.split('\n').filter((line) => line.includes('node="')).length;
    await scene.run(1_000);
    const random = seededRandom(7);
    const here: string[] = [];
    let most = 0;
    for (let second = 0; second < 200; second++) {
      scene.join(`node-${second}`);
      here.push(`node-${second}`);
      for (const { metadata, status } of scene.pods()) {
        const node = metadata?.annotations?.[workerAnnotations.targetNode] ?? '';
        const { phase } = (status ?? {}) as { phase?: string };
        const dice = random.next();
        if (phase === undefined) scene.workerRuns(node);
        else if (phase === 'Running' && dice < 0.3) scene.workerEnds(node, dice < 0.1 ? failure : {});
      }
      if (second % 20 === 19) most = Math.max(most, await series());
      if (here.length > 20)
        scene.deleteNode(here.splice(Math.floor(random.next() * here.length), 1)[0] ?? '');
      await scene.run(1_000);
    }
    expect(most).toBeGreaterThan(10);
    for (const name of here) scene.deleteNode(name);
    await scene.run(60_000);
    expect(scene.podNames()).toEqual([]);
    expect(operator.store.count()).toBe(0);
    expect(operator.metrics.value('muster_workers', { state: 'running' })).toBe(0);
    expect(operator.metrics.value('muster_workers', { state: 'waiting' })).toBe(0);
    expect(await series()).toBe(0);
  });
});
