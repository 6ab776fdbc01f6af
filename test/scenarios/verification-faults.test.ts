// One story of nodes and workers told again and again, each time with one fault at one write. Whatever happens, it ends the
// same, attempt by attempt, and no worker is made twice.

import { describe, expect, it } from 'vitest';
import { nodeLifecycleType, nodeVerificationType, workerAnnotations } from '../../src/api/keys.ts';
import type { RawObject } from '../../src/objects/raw.ts';
import { nodeType, podType } from '../../src/objects/ref.ts';
import type { FailureReason } from '../../src/runtime/ports.ts';
import { apiFailure } from '../support/api-failure.ts';
import { isWrite } from '../support/centre-scene.ts';
import { failure, unverified, verificationScene, verifiedLabel } from '../support/verification-scene.ts';

type Scene = ReturnType<typeof verificationScene>;
type Fault = 'refused' | 'conflict' | 'lost reply' | 'crash before' | 'crash after' | 'another leader';

const foreign = { key: 'other.io/dedicated', effect: 'NoSchedule', value: 'gpu' };

/** What a kubelet makes of workers: they run, and end a moment later; the first one on b fails, the first one on c is evicted. */
function runWorkers(scene: Scene): void {
  for (const { metadata, status } of scene.pods()) {
    const node = metadata?.annotations?.[workerAnnotations.targetNode] ?? '';
    const isFirst = metadata?.annotations?.[workerAnnotations.attempt] === '1';
    const { phase } = (status ?? {}) as { phase?: string };
    if (phase === undefined || phase === 'Pending') scene.workerRuns(node);
    else if (phase !== 'Running') continue;
    else if (node === 'b' && isFirst) scene.workerEnds(node, failure);
    else if (node === 'c' && isFirst) scene.workerIsEvicted(node);
    else scene.workerEnds(node);
  }
}

async function live(scene: Scene, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    runWorkers(scene);
    await scene.run(1_000);
  }
}

async function tell(scene: Scene): Promise<void> {
  scene.putPolicy('all');
  scene.join('a', { taints: [foreign, unverified] });
  scene.join('b');
  scene.join('c', { taints: [] });
  await live(scene, 40);
  scene.join('d');
  await scene.run(2_000);
  scene.deleteNode('d');
  scene.reboot('a', 'boot-2');
  await live(scene, 30);
  scene.changeNode('b', (raw) => ({ ...raw, metadata: { ...raw.metadata, labels: {} } }));
  await live(scene, 90);
}

async function toldWith(fault: Fault | null, atWrite: number) {
  const scene = verificationScene();
  let operator = scene.start();
  let writes = 0;
  /** Which workers were asked for, and which pods bore their names: of two leaders that ask for the same one only one gets it. */
  const asked: string[] = [];
  const workers = new Map<string, Set<string>>();
  const crash = () => {
    operator.kill();
    operator = scene.start();
  };
  const failing = (reason: FailureReason, effect: 'none' | 'unknown') => apiFailure(reason, { effect });
  scene.faults.before = (call) => {
    if (!isWrite(call) || ++writes !== atWrite) return null;
    if (fault === 'crash before') crash();
    if (fault === 'another leader') scene.start();
    if (fault === 'refused') return failing('ServerError', 'none');
    return fault === 'conflict' ? failing('Conflict', 'none') : null;
  };
  scene.faults.after = (call) => {
    if (call.verb === 'create' && call.ref.type.kind === podType.kind) asked.push(call.ref.name);
    for (const { metadata } of scene.pods()) {
      const { name = '', uid = '' } = metadata ?? {};
      workers.set(name, (workers.get(name) ?? new Set()).add(uid));
    }
    if (!isWrite(call) || writes !== atWrite) return null;
    if (fault === 'crash after') crash();
    return fault === 'lost reply' ? failing('Timeout', 'unknown') : null;
  };
  await tell(scene);
  return { scene, writes, asked, workers };
}

const types = [nodeType, nodeLifecycleType, nodeVerificationType, podType];

/** What anybody can see in the end, but for times and identities. */
function endOf({ api }: Scene): unknown {
  const plain = ({ metadata, spec, status }: RawObject) => ({
    name: metadata?.name,
    labels: metadata?.labels,
    annotations: metadata?.annotations,
    spec,
    status: { ...(status as object), timeline: null, ownedAsOf: null },
  });
  const text = JSON.stringify(types.flatMap((type) => api.objects(type).map(plain)));
  return JSON.parse(
    text
      .replaceAll(/"20\d\d-[^"]*"/g, '"a time"')
      .replaceAll(/"gatedAsOf":"\d+"/g, '"gatedAsOf":"a version"')
      .replaceAll(/uid-\d+/g, 'a uid')
      .replaceAll(/(node-ready-worker-\w+)-[0-9a-f]{10}/g, '$1'),
  );
}

/** Every fault strikes at every sixth write, each fault at others: all are struck by some. */
const faults: readonly Fault[] = [
  'refused',
  'conflict',
  'lost reply',
  'crash before',
  'crash after',
  'another leader',
];

describe('a fault at any one write of a verification', () => {
  it.each(faults.map((fault, index) => [fault, index] as const))(
    'changes nothing in the end: %s',
    { timeout: 60_000 },
    async (fault, offset) => {
      const calm = await toldWith(null, 0);
      const end = endOf(calm.scene);
      expect(calm.writes).toBeGreaterThan(30);
      expect(calm.scene.labels('a')[verifiedLabel]).toBe('true');
      expect(calm.scene.verification('b')).toMatchObject({ round: 2, state: 'verified' });
      expect(calm.scene.podNames()).toEqual([]);
      for (let atWrite = 1 + offset; atWrite <= calm.writes; atWrite += faults.length) {
        const { scene, asked, workers } = await toldWith(fault, atWrite);
        expect({ atWrite, end: endOf(scene) }).toEqual({ atWrite, end });
        const twice = [...workers].filter(([, uids]) => uids.size > 1);
        expect({ atWrite, twice }).toEqual({ atWrite, twice: [] });
        const askedTwice = asked.filter((name, index) => asked.indexOf(name) < index);
        if (fault !== 'another leader') expect({ atWrite, askedTwice }).toEqual({ atWrite, askedTwice: [] });
      }
    },
  );
});
