import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { apiFailure } from '../../test/support/api-failure.ts';
import { manualClock } from '../../test/support/manual-clock.ts';
import {
  createMemoryKubeApi,
  type FaultHook,
  type MemoryKubeApi,
} from '../../test/support/memory-kube-api.ts';
import { newNode, rawNode } from '../../test/support/node-builder.ts';
import { silentLog } from '../base/log.ts';
import { seededRandom } from '../base/random.ts';
import { applyMergePatch } from '../objects/patch.ts';
import { fieldsOf, type RawObject, recordsIn } from '../objects/raw.ts';
import { nodeType } from '../objects/ref.ts';
import { taintEffects } from '../objects/taint.ts';
import { planRelease, type Released, releaseNode } from './node-release.ts';

const settings = {
  nodeName: 'a',
  taints: ['node-ready/unverified:NoSchedule', 'also/ours:NoExecute'],
  verifiedLabel: 'node-ready/verified',
  verifiedLabelValue: 'true',
  isDryRun: false,
};
const ours = { key: 'node-ready/unverified', value: 'true', effect: 'NoSchedule' };
const foreign = { key: 'dedicated', value: 'gpu', effect: 'NoSchedule', timeAdded: '2026-01-01T00:00:00Z' };

describe('the plan of a release', () => {
  it('takes the taint away and labels the node, guarded by UID and resourceVersion', () => {
    expect(planRelease(rawNode({ taints: [foreign, ours] }), settings)).toEqual({
      kind: 'patch',
      removed: ['node-ready/unverified:NoSchedule'],
      body: {
        metadata: { uid: 'uid-1', resourceVersion: '10', labels: { 'node-ready/verified': 'true' } },
        spec: { taints: [foreign] },
      },
    });
  });

  it('says nothing about taints where there is none of ours', () => {
    const plan = planRelease(rawNode({ taints: [foreign, { ...ours, effect: 'NoExecute' }] }), settings);
    expect(plan).toMatchObject({ kind: 'patch', removed: [] });
    expect(plan.kind === 'patch' && Object.keys(plan.body)).toEqual(['metadata']);
  });

  it.each<[string, RawObject, object]>([
    [
      'has the label',
      rawNode({ taints: [foreign], labels: { 'node-ready/verified': 'true' } }),
      { kind: 'done', why: 'it is verified already' },
    ],
    [
      'is about to be removed by an autoscaler',
      rawNode({ taints: [ours, { key: 'karpenter.sh/disrupted', effect: 'NoSchedule' }] }),
      { kind: 'hold', why: 'it is leaving' },
    ],
    [
      'is being deleted',
      { metadata: { ...rawNode().metadata, deletionTimestamp: '2026-01-01T00:00:00Z' }, spec: {} },
      { kind: 'hold', why: 'it is leaving' },
    ],
  ])('leaves a node alone that %s', (_, node, plan) => {
    expect(planRelease(node, settings)).toEqual(plan);
  });

  it.each<[string, RawObject]>([
    ['has the label and the taint', rawNode({ taints: [ours], labels: { 'node-ready/verified': 'true' } })],
    ['has the label with another value', rawNode({ labels: { 'node-ready/verified': 'maybe' } })],
  ])('does not believe a node that %s', (_, node) => {
    expect(planRelease(node, settings)).toMatchObject({
      kind: 'patch',
      body: { metadata: { labels: { 'node-ready/verified': 'true' } } },
    });
  });

  it('keeps foreign taints as they are and in their order, whatever they are', () => {
    const key = fc.constantFrom('node-ready/unverified', 'also/ours', 'a', 'b/c');
    const taint = fc.record({ key, value: fc.string(), effect: fc.constantFrom(...taintEffects) });
    fc.assert(
      fc.property(fc.uniqueArray(taint, { selector: ({ key, effect }) => `${key}:${effect}` }), (taints) => {
        const node = rawNode({ taints });
        const plan = planRelease(node, settings);
        const after = plan.kind === 'patch' ? applyMergePatch(node, plan.body) : node;
        const expected = taints.filter(({ key, effect }) => !settings.taints.includes(`${key}:${effect}`));
        expect(fieldsOf(fieldsOf(after)['spec'])['taints']).toEqual(expected);
      }),
    );
  });
});

describe('a release', () => {
  it('is one patch', async () => {
    const { release, node, patches } = scene();
    expect(await release()).toEqual({ kind: 'released' });
    expect(recordsIn(fieldsOf(node().spec)['taints'])).toEqual([foreign]);
    expect(node().metadata?.labels).toEqual({ 'node-ready/verified': 'true' });
    expect(patches()).toBe(1);
  });

  it('reads again what another has changed meanwhile, and keeps it', async () => {
    let times = 0;
    const { api, release, node, patches } = scene(({ verb }) => {
      if (verb === 'patch' && (times += 1) <= 2) {
        const taints = recordsIn(fieldsOf(node().spec)['taints']);
        api.put(nodeType, {
          ...node(),
          spec: { taints: [...taints, { key: `x-${times}`, effect: 'NoSchedule' }] },
        });
      }
      return null;
    });
    expect(await release()).toEqual({ kind: 'released' });
    expect(recordsIn(fieldsOf(node().spec)['taints']).map(({ key }) => key)).toEqual([
      'dedicated',
      'x-1',
      'x-2',
    ]);
    expect(patches()).toBe(3);
  });

  it('takes a lost reply for no answer, and finds its own work done', async () => {
    let isLost = false;
    const { release, node, patches } = scene(undefined, ({ verb }) => {
      if (verb !== 'patch' || isLost) return null;
      isLost = true;
      return apiFailure('Timeout', { effect: 'unknown' });
    });
    expect(await release()).toEqual({ kind: 'left', why: 'it is verified already' });
    expect(recordsIn(fieldsOf(node().spec)['taints'])).toEqual([foreign]);
    expect(patches()).toBe(1);
  });

  it('leaves another node of the same name alone', async () => {
    const { api, release, patches } = scene();
    api.remove(nodeType, 'a');
    api.put(nodeType, newNode({ taints: [ours] }));
    expect(await release()).toEqual({ kind: 'replaced' });
    expect(patches()).toBe(0);
  });

  it('never writes in a dry run', async () => {
    const { release, patches } = scene();
    expect(await release({ isDryRun: true })).toEqual({ kind: 'left', why: 'this is a dry run' });
    expect(patches()).toBe(0);
  });

  it('ends at the first refusal that another reading cannot change', async () => {
    const { release, patches } = scene(({ verb }) => (verb === 'patch' ? apiFailure('Forbidden') : null));
    expect(await release()).toEqual({ kind: 'failed', why: 'Forbidden: injected Forbidden' });
    expect(patches()).toBe(1);
  });

  it('gives up on a node that never rests', async () => {
    const { release, patches } = scene(({ verb }) => (verb === 'patch' ? apiFailure('Conflict') : null));
    expect(await release()).toEqual({ kind: 'failed', why: 'Conflict: injected Conflict' });
    expect(patches()).toBe(10);
  });

  it('stops reading when it is stopped', async () => {
    const { release, patches } = scene();
    const stopped = await release({}, AbortSignal.abort());
    expect(stopped).toEqual({ kind: 'failed', why: 'the worker was stopped' });
    expect(patches()).toBe(0);
  });
});

function scene(before?: FaultHook, after?: FaultHook) {
  const clock = manualClock();
  const api: MemoryKubeApi = createMemoryKubeApi({
    clock,
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
  });
  const born = api.put(nodeType, newNode({ taints: [foreign, ours] }));
  const node = () => api.objects(nodeType)[0] ?? {};
  const patches = () => api.calls.filter(({ verb }) => verb === 'patch').length;
  const release = async (
    changes: Partial<typeof settings> = {},
    signal = new AbortController().signal,
  ): Promise<Released> => {
    const nodeUID = born.metadata?.uid ?? '';
    const ports = { api, clock, random: seededRandom(1), log: silentLog };
    const releasing = releaseNode(ports, { ...settings, ...changes, nodeUID }, signal);
    await clock.advance(60_000);
    return releasing;
  };
  return { api, node, patches, release };
}
