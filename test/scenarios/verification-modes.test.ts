// The operator and the daemonset mode do the same to the same node, and believe each other: a fleet can move from one to the
// other, and back, without a single check more.

import { describe, expect, it } from 'vitest';
import { silentLog } from '../../src/base/log.ts';
import { seededRandom } from '../../src/base/random.ts';
import type { WorkerReport } from '../../src/base/worker-report.ts';
import { type SelfEnd, verifySelf } from '../../src/cli/self-verification.ts';
import { fieldsOf, recordsIn, textOf } from '../../src/objects/raw.ts';
import { taintId } from '../../src/objects/taint.ts';
import { daemonsetDefaults } from '../support/daemonset-defaults.ts';
import type { NodeSketch } from '../support/node-builder.ts';
import {
  joined,
  unverified,
  verificationScene,
  type VerificationStart,
  verifiedLabel,
} from '../support/verification-scene.ts';

const foreign = { key: 'example.com/dedicated', effect: 'NoSchedule', value: 'gpu' };
const otherEffect = { ...unverified, effect: 'PreferNoSchedule' };

const sketches: Readonly<Record<string, NodeSketch>> = {
  'with the taint alone': { taints: [unverified] },
  'with taints of others around it': { taints: [foreign, unverified, otherEffect] },
  'with labels of its own': { taints: [unverified], labels: { team: 'a' } },
  'with the taint under another value': { taints: [{ ...unverified, value: 'mine' }] },
  'with the taint and a label that nobody has earned': {
    taints: [unverified],
    labels: { [verifiedLabel]: 'true' },
  },
};

describe.each(Object.entries(sketches))('a node %s', (_, sketch) => {
  it('ends the same in both modes', async () => {
    const byItself = marksOf(await verifiedByItself(sketch));
    expect(byItself).toEqual(marksOf(await verifiedByOperator(sketch)));
    expect(byItself.labels[verifiedLabel]).toBe('true');
    expect(byItself.conditions.map(({ type }) => type)).toEqual(['Ready']);
    expect(recordsIn(byItself.taints).map(idOf)).not.toContain(taintId(unverified));
  });

  it('is not checked again by the operator once it has verified itself', async () => {
    const scene = await verifiedByItself(sketch);
    scene.putPolicy('all');
    scene.start();
    await scene.run(600_000);
    expect(scene.podNames()).toEqual([]);
    expect(scene.verification('a')).toMatchObject({ state: 'verified', reason: 'AlreadyVerified' });
  });

  it('has the same condition once there is an operator that shows any', async () => {
    const shown = { isShownOnNodes: true };
    const scenes = [await verifiedByItself(sketch), await verifiedByOperator(sketch, shown)];
    scenes[0]?.putPolicy('all');
    scenes[0]?.start(shown);
    for (const scene of scenes) {
      await scene.run(10_000);
      expect(marksOf(scene).conditions).toContainEqual(
        expect.objectContaining({ type: 'Verified', status: 'True' }),
      );
    }
  });

  it('is not checked again by itself once the operator has verified it', async () => {
    const scene = await verifiedByOperator(sketch);
    expect(await selfVerified(scene)).toEqual({ end: 'done', runs: 0 });
  });
});

type Scene = ReturnType<typeof verificationScene>;

function idOf({ key, effect }: Readonly<Record<string, unknown>>): string {
  return taintId({ key: textOf(key), effect: textOf(effect) });
}

function marksOf(scene: Scene) {
  const conditions = recordsIn(fieldsOf(scene.node('a').status)['conditions']);
  return { taints: scene.taints('a'), labels: scene.labels('a'), conditions };
}

async function verifiedByOperator(sketch: NodeSketch, options: VerificationStart = {}): Promise<Scene> {
  const scene = await joined(sketch, {}, options);
  scene.workerEnds('a');
  await scene.run(2_000);
  expect(scene.verification('a')).toMatchObject({ state: 'verified' });
  return scene;
}

async function verifiedByItself(sketch: NodeSketch): Promise<Scene> {
  const scene = verificationScene();
  scene.join('a', sketch);
  expect(await selfVerified(scene)).toEqual({ end: 'done', runs: 1 });
  return scene;
}

async function selfVerified(scene: Scene): Promise<{ readonly end: SelfEnd; readonly runs: number }> {
  let runs = 0;
  const { api, clock } = scene;
  const ending = verifySelf({
    api,
    clock,
    random: seededRandom(1),
    log: silentLog,
    settings: { ...daemonsetDefaults(), nodeName: 'a', runTimeoutMs: 55_000 },
    check: async () => {
      runs += 1;
      return passing;
    },
    stop: new AbortController().signal,
  });
  await scene.run(1_000);
  return { end: await ending, runs };
}

const passing: WorkerReport = {
  nodeName: 'a',
  nodeUID: '',
  nonce: '',
  verdict: 'pass',
  isComplete: true,
  isForAnnotation: false,
  checks: [],
  problems: [],
};
