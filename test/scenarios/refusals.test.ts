import { describe, expect, it } from 'vitest';
import { nodeLifecycleType } from '../../src/api/keys.ts';
import { nodeType, type ResourceType } from '../../src/objects/ref.ts';
import type { ApiFailure } from '../../src/runtime/ports.ts';
import { apiFailure } from '../support/api-failure.ts';
import { centreScene, type CentreScene, isPatchOf } from '../support/centre-scene.ts';
import type { MemoryCall } from '../support/memory-kube-api.ts';
import { stampCapability } from '../support/stamp-capability.ts';

const gate = { key: 'gate', effect: 'NoSchedule', value: 'x' };
const gated = { taints: { 'gate:NoSchedule': 'x' } };
const bad = 'not a label value!';

async function settled(capabilities = [stampCapability()]) {
  const scene = centreScene();
  scene.putNode('a');
  const running = scene.start({ capabilities });
  await scene.run(60_000);
  scene.asked();
  return { ...scene, ...running };
}

const verdictsOf = ({ store }: Awaited<ReturnType<typeof settled>>, reason: string) =>
  store.get('a')?.verdicts.filter((verdict) => verdict.reason === reason);

/** Answers the first so many patches of this object with a failure. */
function refuse(scene: CentreScene, type: ResourceType, failures: readonly ApiFailure[]): void {
  const left = [...failures];
  const isRefused = isPatchOf(type, 'a');
  scene.faults.before = (call: MemoryCall) => (isRefused(call) ? (left.shift() ?? null) : null);
}

describe('a write that somebody else was faster with', () => {
  it.each([nodeType, nodeLifecycleType])('is decided again after a live read ($kind)', async (type) => {
    const scene = await settled();
    refuse(scene, type, [apiFailure('Conflict')]);
    scene.putStamp('cni', gated);
    await scene.rest();
    const asked = scene.asked().filter((words) => words.includes(`${type.plural}/a`));
    expect(asked.slice(0, 3).map((words) => words.split(' ')[0])).toEqual(['patch', 'get', 'patch']);
    expect([scene.taints('a'), scene.status('a').stage]).toEqual([[gate], 'Gated']);
  });

  it('is decided on what the other wrote', async () => {
    const scene = await settled();
    const foreign = { key: 'other', effect: 'NoExecute', value: '' };
    scene.lag('Node');
    scene.changeNode('a', (raw) => ({ ...raw, spec: { taints: [foreign] } }));
    scene.putStamp('cni', gated);
    await scene.rest();
    expect(scene.taints('a')).toEqual([foreign, gate]);
  });

  it('is not tried faster and faster when the server always says so', async () => {
    const scene = await settled();
    refuse(
      scene,
      nodeType,
      Array.from({ length: 1000 }, () => apiFailure('Conflict')),
    );
    scene.putStamp('cni', gated);
    await scene.run(60_000);
    expect(scene.asked().filter((words) => words === 'patch nodes/a').length).toBeLessThan(25);
  });
});

describe('a server that is ill', () => {
  it('is not asked again before the time it named', async () => {
    const scene = await settled();
    refuse(scene, nodeType, [apiFailure('TooManyRequests', { retryAfterMs: 20_000 })]);
    scene.putStamp('cni', gated);
    await scene.run(19_000);
    expect(scene.asked().filter((words) => words === 'patch nodes/a')).toHaveLength(1);
    await scene.run(2_000);
    expect(scene.taints('a')).toEqual([gate]);
  });

  it('is asked again, later each time, until it is well', async () => {
    const scene = await settled();
    refuse(
      scene,
      nodeType,
      Array.from({ length: 8 }, () => apiFailure('ServerError')),
    );
    scene.putStamp('cni', gated);
    await scene.run(60_000);
    expect(scene.taints('a')).toEqual([gate]);
    expect(scene.asked().filter((words) => words === 'patch nodes/a')).toHaveLength(9);
  });

  it('that does not answer a live read keeps the node from being decided', async () => {
    const scene = await settled();
    scene.faults.after = (call) =>
      isPatchOf(nodeType, 'a')(call) ? apiFailure('Timeout', { effect: 'unknown' }) : null;
    scene.faults.before = ({ verb }) => (verb === 'get' ? apiFailure('ServerError') : null);
    scene.putStamp('cni', gated);
    await scene.run(30_000);
    expect(scene.asked().filter((words) => words === 'patch nodes/a')).toHaveLength(1);
    scene.faults.before = () => null;
    scene.faults.after = () => null;
    await scene.run(60_000);
    expect(scene.asked()).not.toContain('patch nodes/a');
    expect(scene.status('a').stage).toBe('Gated');
  });
});

const labelsSent = ({ body }: MemoryCall) =>
  Object.keys((body as { body: { metadata: { labels: object } } }).body.metadata.labels);

describe('a patch that the server will never accept', () => {
  const capabilities = [
    stampCapability({ name: 'good', rank: 1 }),
    stampCapability({ name: 'bad', rank: 2 }),
  ];

  it.each([
    { name: 'the important one', culprit: 'bad', other: 'good' },
    { name: 'the lesser one', culprit: 'good', other: 'bad' },
  ])('is made without the wish at fault: $name', async ({ culprit, other }) => {
    const scene = await settled(capabilities);
    scene.putStamp('fine', { by: other, ...gated });
    scene.putStamp('wrong', { by: culprit, labels: { team: bad, zone: 'z' } });
    await scene.run(10_000);
    expect([scene.taints('a'), scene.labels('a')]).toEqual([[gate], {}]);
    expect(verdictsOf(scene, 'Rejected')).toMatchObject([{ capability: culprit }]);
    expect(scene.events.filter(({ reason }) => reason === 'Rejected')).toHaveLength(1);
  });

  it('is taken apart in the order of importance', async () => {
    const scene = await settled(capabilities);
    scene.api.holdWatches();
    scene.putStamp('wrong', { by: 'good', labels: { lesser: bad } });
    scene.putStamp('worse', { by: 'bad', labels: { important: bad } });
    scene.api.releaseWatches();
    await scene.rest();
    const sent = scene.api.calls.filter(isPatchOf(nodeType, 'a')).map(labelsSent);
    expect(sent).toEqual([['important', 'lesser'], ['important'], ['lesser']]);
  });

  it('is not sent again with the changes of others, and is made at once when the wish changes', async () => {
    const scene = await settled(capabilities);
    scene.putStamp('wrong', { by: 'bad', labels: { team: bad } });
    await scene.run(1_000);
    scene.wrote();
    scene.putStamp('fine', { by: 'good', labels: { zone: 'z' } });
    await scene.run(1_000);
    expect(scene.wrote().filter((words) => words === 'patch nodes/a')).toHaveLength(1);
    scene.putStamp('wrong', { by: 'bad', labels: { team: 'fine' } });
    await scene.run(1_000);
    expect(scene.labels('a')).toEqual({ zone: 'z', team: 'fine' });
    expect(verdictsOf(scene, 'Rejected')).toEqual([]);
  });

  it('is tried again by itself, later each time, and at most every five minutes in the end', async () => {
    const scene = await settled(capabilities);
    const patchesWithin = async (ms: number) => {
      scene.wrote();
      await scene.run(ms);
      return scene.wrote().filter((words) => words === 'patch nodes/a').length;
    };
    scene.putStamp('wrong', { by: 'bad', labels: { team: bad } });
    const first = await patchesWithin(60_000);
    expect(first).toBeGreaterThan(4);
    expect(first).toBeLessThan(14);
    await scene.run(3_600_000);
    const last = await patchesWithin(1_800_000);
    expect(last).toBeGreaterThanOrEqual(4);
    expect(last).toBeLessThanOrEqual(12);
    expect(scene.events.filter(({ reason }) => reason === 'Rejected')).toHaveLength(1);
  });

  it('is shown as refused for as long as it is, the moments of its tries included', async () => {
    const scene = await settled(capabilities);
    scene.putStamp('wrong', { by: 'bad', labels: { team: bad } });
    await scene.run(1_000);
    const seen = new Set<number | undefined>();
    scene.faults.before = () => {
      seen.add(verdictsOf(scene, 'Rejected')?.length);
      return null;
    };
    await scene.run(120_000);
    expect([...seen]).toEqual([1]);
  });

  it('is made a little later where the server accepts it after all, and nothing is said of it any more', async () => {
    const scene = await settled(capabilities);
    let isStrict = true;
    scene.faults.before = (call) =>
      isStrict && isPatchOf(nodeType, 'a')(call) ? apiFailure('Invalid', { message: 'not now' }) : null;
    scene.putStamp('fine', { by: 'good', ...gated });
    await scene.run(2_000);
    expect(verdictsOf(scene, 'Rejected')).toMatchObject([{ capability: 'good', message: 'not now' }]);
    isStrict = false;
    await scene.run(30_000);
    expect([scene.taints('a'), scene.status('a').stage]).toEqual([[gate], 'Gated']);
    expect(verdictsOf(scene, 'Rejected')).toEqual([]);
    scene.wrote();
    await scene.run(500_000);
    expect(scene.wrote()).toEqual([]);
  });

  it('is said to be refused no more where somebody else has made it meanwhile', async () => {
    const scene = await settled(capabilities);
    scene.faults.before = (call) => (isPatchOf(nodeType, 'a')(call) ? apiFailure('Invalid') : null);
    scene.putStamp('fine', { by: 'good', labels: { zone: 'z' } });
    await scene.run(1_000);
    expect(verdictsOf(scene, 'Rejected')).toHaveLength(1);
    scene.deleteStamp('fine');
    await scene.run(30_000);
    expect(verdictsOf(scene, 'Rejected')).toEqual([]);
  });

  it('does not keep what is already ours from being given back', async () => {
    const scene = await settled(capabilities);
    scene.putStamp('fine', { by: 'good', labels: { zone: 'z' } });
    await scene.run(60_000);
    scene.deleteStamp('fine');
    scene.putStamp('wrong', { by: 'bad', labels: { team: bad } });
    await scene.run(60_000);
    expect([scene.labels('a'), scene.owned('a')]).toEqual([{}, undefined]);
  });

  it('does not cost what others own their place in a record that has to be rebuilt', async () => {
    const gone = stampCapability({ name: 'switched-off', rank: 3 });
    const scene = await settled([...capabilities, gone]);
    scene.putStamp('old', { by: 'switched-off', labels: { old: 'o' } });
    await scene.run(60_000);
    scene.kill();
    scene.start({ capabilities });
    await scene.run(60_000);
    scene.api.holdWatches();
    scene.changeNode('a', (raw) => ({
      ...raw,
      metadata: { ...raw.metadata, annotations: { 'muster.dev/owned': '{' } },
    }));
    scene.putStamp('fine', { by: 'good', labels: { zone: 'z' } });
    scene.putStamp('wrong', { by: 'bad', labels: { team: bad } });
    scene.api.releaseWatches();
    await scene.run(60_000);
    expect(Object.keys(Object(scene.owned('a')).labels)).toEqual(['old', 'zone']);
  });

  it('and that nobody wished for is not sent without end', async () => {
    const scene = await settled([]);
    scene.faults.before = (call) => (isPatchOf(nodeType, 'a')(call) ? apiFailure('Forbidden') : null);
    scene.changeNode('a', (raw) => ({
      ...raw,
      metadata: { ...raw.metadata, annotations: { 'muster.dev/owned': '{' } },
    }));
    await scene.run(60_000);
    expect(scene.wrote().length).toBeLessThan(25);
  });

  it('of a node does not make its successor of the same name suffer', async () => {
    const scene = await settled(capabilities);
    let isStrict = true;
    scene.faults.before = (call) =>
      isStrict && isPatchOf(nodeType, 'a')(call)
        ? apiFailure('Invalid', { message: 'not on this one' })
        : null;
    scene.putStamp('fine', { by: 'good', labels: { zone: 'z' } });
    await scene.run(10_000);
    expect(verdictsOf(scene, 'Rejected')).toHaveLength(1);
    isStrict = false;
    scene.api.holdWatches();
    scene.removeNode('a');
    scene.putNode('a');
    scene.api.releaseWatches();
    await scene.run(10_000);
    expect(scene.labels('a')).toEqual({ zone: 'z' });
  });
});

describe('a cluster whose NodeLifecycle kind is deleted under the operator', () => {
  it('is asked a few times, not once per node and moment, and everything is written when it is back', async () => {
    const scene = centreScene();
    for (const index of Array.from({ length: 100 }).keys()) scene.putNode(`n${index}`);
    let isGone = true;
    scene.faults.before = ({ verb, ref }) =>
      isGone && verb === 'create' && ref.type === nodeLifecycleType ? apiFailure('NotServed') : null;
    scene.start({ capabilities: [] });
    await scene.run(30_000);
    expect(scene.asked().filter((words) => words.startsWith('create nodelifecycles')).length).toBeLessThan(
      150,
    );
    isGone = false;
    await scene.run(30_000);
    expect(scene.api.objects(nodeLifecycleType)).toHaveLength(100);
  });
});
