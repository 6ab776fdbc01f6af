// One story told again and again, each time with one fault at one write. Whatever happens, it ends the same.

import { describe, expect, it } from 'vitest';
import type { RawObject } from '../../src/objects/raw.ts';
import { nodeLifecycleType } from '../../src/api/keys.ts';
import { nodeType } from '../../src/objects/ref.ts';
import type { FailureReason } from '../../src/runtime/ports.ts';
import { apiFailure } from '../support/api-failure.ts';
import { centreScene, isPatchOf, isWrite, wordsOf } from '../support/centre-scene.ts';
import type { MemoryCall } from '../support/memory-kube-api.ts';
import { stampType } from '../support/stamp-capability.ts';

const foreign = { key: 'other.io/dedicated', effect: 'NoSchedule', value: 'gpu' };
const blue = { on: { label: 'pool', value: 'blue' } };

type Scene = ReturnType<typeof centreScene>;
type Fault = {
  readonly before?: (scene: Told) => FailureReason | null;
  readonly after?: (scene: Told) => FailureReason | null;
};
type Told = { readonly scene: Scene; crash(): void };

/** Nodes join, are gated and labelled, one is replaced by another of its name, and all is taken back. */
async function tell(scene: Scene): Promise<void> {
  scene.putNode('a', { labels: { pool: 'blue', team: 'theirs' }, taints: [foreign] });
  scene.putNode('b');
  await scene.run(31_000);
  scene.putStamp('gate', { taints: { 'gate:NoSchedule': 'x' } });
  scene.putStamp('team', { ...blue, labels: { team: 'ours' }, proof: 'record' });
  await scene.run(31_000);
  scene.deleteStamp('gate');
  await scene.run(31_000);
  scene.removeNode('b');
  scene.putNode('b', { bootID: 'boot-2' });
  await scene.run(31_000);
  scene.deleteStamp('team');
  await scene.run(120_000);
}

async function toldWith(fault: Fault, atWrite: number) {
  const scene = centreScene();
  let operator = scene.start();
  let writes = 0;
  const told: Told = {
    scene,
    crash() {
      operator.kill();
      operator = scene.start();
    },
  };
  const strike = (act: Fault['before'], effect: 'none' | 'unknown') => {
    const reason = act?.(told) ?? null;
    return reason === null ? null : apiFailure(reason, { effect });
  };
  scene.faults.before = (call) => {
    if (!isWrite(call) || ++writes !== atWrite) return null;
    return strike(fault.before, fault.after === undefined ? 'none' : 'unknown');
  };
  scene.faults.after = (call) =>
    isWrite(call) && writes === atWrite ? strike(fault.after, 'unknown') : null;
  await tell(scene);
  return { scene, operator, writes: scene.api.calls.filter(isWrite) };
}

/** What anybody can see in the end, but for times and identities. */
function endOf({ api }: Scene): unknown {
  const objects = [nodeType, nodeLifecycleType, stampType].flatMap((type) => api.objects(type));
  const plain = ({ metadata, spec, status }: RawObject) => ({
    name: metadata?.name,
    labels: metadata?.labels,
    annotations: metadata?.annotations,
    spec,
    status,
  });
  return JSON.parse(
    JSON.stringify(objects.map(plain))
      .replaceAll(/"20\d\d-[^"]*"/g, '"a time"')
      .replaceAll(/uid-\d+/g, 'a uid'),
  );
}

const crash = ({ crash: die }: Told) => (die(), null);
const faults: Readonly<Record<string, Fault>> = {
  'the process dies before it is sent': { before: crash },
  'the process dies before the reply': { after: crash },
  'the reply is lost': { after: () => 'Unreachable' },
  'the reply times out': { after: () => 'Timeout' },
  'it is a conflict': { before: () => 'Conflict' },
  'the server fails': { before: () => 'ServerError' },
  'the server is too busy': { before: () => 'TooManyRequests' },
  'the server does not find the object': { before: () => 'NotFound' },
};

const guardOf = ({ body }: MemoryCall) =>
  (body as { body: { metadata: { uid?: string; resourceVersion?: string } } }).body.metadata;

describe('the story of a cluster', async () => {
  const reference = await toldWith({}, 0);

  it('is told in few writes, every Node patch with its guards, and leaves nothing of ours on a node', () => {
    const patches = reference.writes.filter((call) => isPatchOf(nodeType, call.ref.name)(call));
    expect(patches.filter((call) => !guardOf(call).uid || !guardOf(call).resourceVersion)).toEqual([]);
    expect(patches.map(wordsOf).sort()).toEqual([
      'patch nodes/a',
      'patch nodes/a',
      'patch nodes/a',
      'patch nodes/b',
      'patch nodes/b',
    ]);
    expect(reference.scene.node('a')).toMatchObject({
      metadata: { labels: { pool: 'blue', team: 'theirs' }, annotations: {} },
      spec: { taints: [foreign] },
    });
  });

  describe.each(Object.entries(faults))('ends the same when %s', (_, fault) => {
    const places = reference.writes.map((call, index) => [index + 1, wordsOf(call)] as const);
    it.each(places)('at write %i, %s', async (atWrite) => {
      const { scene, operator } = await toldWith(fault, atWrite);
      expect(endOf(scene)).toEqual(endOf(reference.scene));
      expect(operator.centre.isReady()).toBe(true);
      scene.asked();
      await scene.run(61_000);
      expect(scene.asked()).toEqual([]);
    });
  });
});
