// One story of rules and nodes told again and again, each time with one fault at one write. Whatever happens, it ends the same.

import { describe, expect, it } from 'vitest';
import {
  nodeLifecycleType,
  nodeReadinessEvaluationType,
  nodeReadinessGateRuleType,
  nodeReadinessRuleType,
} from '../../src/api/keys.ts';
import type { RawObject } from '../../src/objects/raw.ts';
import { nodeType } from '../../src/objects/ref.ts';
import type { FailureReason } from '../../src/runtime/ports.ts';
import { apiFailure } from '../support/api-failure.ts';
import { isWrite } from '../support/centre-scene.ts';
import { readinessScene } from '../support/readiness-scene.ts';

type Scene = ReturnType<typeof readinessScene>;
type Fault = 'refused' | 'conflict' | 'lost reply' | 'crash before' | 'crash after';

const foreign = { key: 'other.io/dedicated', effect: 'NoSchedule', value: 'gpu' };
const other = {
  taint: { key: 'readiness.k8s.io/boot', effect: 'NoSchedule' },
  enforcementMode: 'bootstrap-only',
};

/** Rules come, are edited and go; a node flaps, one is relabelled, one is deleted, two rules share a taint. */
async function tell(scene: Scene): Promise<void> {
  scene.join('a', null, { taints: [foreign] });
  scene.join('b', 'True');
  scene.join('c');
  await scene.run(2_000);
  scene.putRule('cni');
  scene.putUpstreamRule('boot', other);
  await scene.run(7_000);
  scene.report('a', 'True');
  scene.report('b', 'False');
  // So long that the records list the taint: the edit below is of a taint that the rule does not name after it.
  await scene.run(61_000);
  scene.relabel('c', { pool: 'red' });
  scene.putRule('cni', { taint: { key: 'example.com/moved', effect: 'NoSchedule' } });
  await scene.run(7_000);
  scene.putRule('rival', { taint: { key: 'example.com/moved', effect: 'NoSchedule', value: 'x' } });
  scene.deleteNode('a');
  await scene.run(7_000);
  scene.deleteUpstreamRule('boot');
  scene.deleteRule('cni');
  await scene.run(180_000);
}

async function toldWith(fault: Fault | null, atWrite: number) {
  const scene = readinessScene();
  let operator = scene.start();
  let writes = 0;
  const crash = () => {
    operator.kill();
    operator = scene.start();
  };
  const failing = (reason: FailureReason, effect: 'none' | 'unknown') => apiFailure(reason, { effect });
  scene.faults.before = (call) => {
    if (!isWrite(call) || ++writes !== atWrite) return null;
    if (fault === 'crash before') crash();
    if (fault === 'refused') return failing('ServerError', 'none');
    return fault === 'conflict' ? failing('Conflict', 'none') : null;
  };
  scene.faults.after = (call) => {
    if (!isWrite(call) || writes !== atWrite) return null;
    if (fault === 'crash after') crash();
    return fault === 'lost reply' ? failing('Timeout', 'unknown') : null;
  };
  await tell(scene);
  return { scene, writes };
}

const types = [
  nodeType,
  nodeLifecycleType,
  nodeReadinessGateRuleType,
  nodeReadinessRuleType,
  nodeReadinessEvaluationType,
];

/** What anybody can see in the end, but for times, identities and what depends on how often somebody looked. */
function endOf({ api }: Scene): unknown {
  const plain = ({ metadata, spec, status }: RawObject) => ({
    name: metadata?.name,
    labels: metadata?.labels,
    annotations: metadata?.annotations,
    finalizers: metadata?.finalizers,
    spec,
    status: { ...(status as object), timeline: null, evaluationCount: null, ownedAsOf: null },
  });
  const text = JSON.stringify(types.flatMap((type) => api.objects(type).map(plain)));
  return JSON.parse(text.replaceAll(/"20\d\d-[^"]*"/g, '"a time"').replaceAll(/uid-\d+/g, 'a uid'));
}

/** Every fault strikes at every fifth write, each fault at others: all are struck by some. */
const STRIDE = 5;
const faults: readonly Fault[] = ['refused', 'conflict', 'lost reply', 'crash before', 'crash after'];

describe('a fault at any one write', () => {
  it.each(faults.map((fault, index) => [fault, index] as const))(
    'changes nothing in the end: %s',
    { timeout: 60_000 },
    async (fault, offset) => {
      const calm = await toldWith(null, 0);
      const end = endOf(calm.scene);
      expect(calm.writes).toBeGreaterThan(30);
      for (let atWrite = 1 + offset; atWrite <= calm.writes; atWrite += STRIDE) {
        const { scene } = await toldWith(fault, atWrite);
        expect({ atWrite, end: endOf(scene) }).toEqual({ atWrite, end });
      }
    },
  );
});

describe('a rule that is deleted while its taint is on the way to a node', () => {
  it('is let go only after the node was looked at again, and takes the taint along', async () => {
    const scene = readinessScene();
    scene.join('a', 'True');
    scene.start({ evaluations: 'none' });
    scene.putRule('cni');
    await scene.run(5_000);
    scene.faults.before = ({ verb, ref }) =>
      verb === 'patch' && ref.type === nodeType
        ? new Promise((resolve) => scene.clock.after(20_000, () => resolve(null)))
        : null;
    scene.report('a', 'False');
    await scene.run(100);
    scene.deleteRule('cni');
    await scene.run(10_000);
    expect(scene.rule('cni')).toBeDefined();
    await scene.run(60_000);
    expect([scene.rule('cni'), scene.taints('a')]).toEqual([undefined, []]);
  });
});
