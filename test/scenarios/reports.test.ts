import { describe, expect, it } from 'vitest';
import { poolsOf } from '../../src/fleet/change.ts';
import type { StatusReporter } from '../../src/runtime/capability.ts';
import { apiFailure } from '../support/api-failure.ts';
import { centreScene } from '../support/centre-scene.ts';
import { stampCapability, stampReporter, stampType, statusTarget } from '../support/stamp-capability.ts';

const PERIOD_MS = 5_000;
const team = { labels: { team: 'x' } };

async function settled(
  reporter: StatusReporter = stampReporter('stamp', PERIOD_MS),
  nodes = ['a', 'b', 'c'],
) {
  const scene = centreScene();
  for (const name of nodes) scene.putNode(name, { labels: { pool: 'blue' } });
  scene.putStamp('team', team);
  const running = scene.start({ capabilities: [stampCapability({ reporters: [reporter] })] });
  await scene.run(60_000);
  scene.wrote();
  return { ...scene, ...running };
}

const reports = (words: readonly string[]) => words.filter((each) => each.includes('stamps/'));

describe('a report', () => {
  it('is written at once after a quiet time', async () => {
    const scene = await settled();
    scene.putNode('d');
    await scene.rest();
    expect(reports(scene.wrote())).toHaveLength(1);
    expect(scene.stampStatus('team')).toMatchObject({ nodes: 4 });
  });

  it('is written at most once per period, however many changes come, and is never put off by them', async () => {
    const scene = await settled();
    for (let second = 0; second < 20; second++) {
      scene.putNode(`new-${second}`);
      await scene.run(1_000);
    }
    const written = reports(scene.wrote()).length;
    expect(written).toBeGreaterThanOrEqual(4);
    expect(written).toBeLessThanOrEqual(5);
    await scene.run(PERIOD_MS);
    expect(scene.stampStatus('team')).toEqual({ nodes: 23, stamped: 23 });
  });

  it('is not written when it says what the server said last', async () => {
    const scene = await settled();
    scene.changeNode('a', (raw) => ({ ...raw, spec: { unschedulable: true } }));
    await scene.run(60_000);
    expect(reports(scene.wrote())).toEqual([]);
  });

  it('is put right when somebody else writes over it', async () => {
    const scene = await settled();
    scene.api.put(stampType, {
      metadata: { name: 'team' },
      spec: { by: 'stamp', ...team },
      status: { nodes: 99 },
    });
    await scene.run(PERIOD_MS);
    expect(scene.stampStatus('team')).toEqual({ nodes: 3, stamped: 3 });
  });

  it('of a new object is written though no node changes', async () => {
    const scene = await settled();
    scene.putStamp('other', { on: { label: 'pool', value: 'none' } });
    await scene.rest();
    expect(scene.stampStatus('other')).toEqual({ nodes: 0, stamped: 0 });
  });

  it('waits after a change of its object as long as it is told to, and speaks of what came meanwhile', async () => {
    const scene = await settled({ ...stampReporter('stamp', PERIOD_MS), waitMsAfter: () => 500 });
    scene.putStamp('other', { on: { label: 'pool', value: 'blue' } });
    await scene.run(400);
    expect(reports(scene.wrote())).toEqual([]);
    scene.putNode('d', { labels: { pool: 'blue' } });
    await scene.run(100);
    expect(scene.stampStatus('other')).toMatchObject({ nodes: 4 });
  });

  it.each(['Conflict', 'Unreachable', 'ServerError', 'Invalid'] as const)(
    'comes in the end after a failure (%s)',
    async (reason) => {
      const scene = await settled();
      let failures = 3;
      const effect = reason === 'Unreachable' ? 'unknown' : 'none';
      scene.faults.before = ({ verb, ref }) =>
        verb === 'patch' && ref.type.kind === 'Stamp' && failures-- > 0
          ? apiFailure(reason, { effect })
          : null;
      scene.putNode('d');
      await scene.run(30_000);
      expect(scene.stampStatus('team')).toEqual({ nodes: 4, stamped: 4 });
    },
  );

  it('of an object that is deleted is written no more', async () => {
    const scene = await settled();
    scene.deleteStamp('team');
    await scene.run(60_000);
    expect(reports(scene.wrote())).toEqual([]);
  });

  it('of an object that was deleted and is there again is written at once', async () => {
    const scene = await settled();
    scene.deleteStamp('team');
    await scene.run(1_000);
    scene.putStamp('team', team);
    await scene.rest();
    expect(scene.stampStatus('team')).toBeDefined();
  });

  it.each<[string, Partial<StatusReporter>]>([
    ['keysOf', { keysOf: fail }],
    ['filter', { filter: fail }],
    ['target', { target: fail }],
    ['report', { report: fail }],
  ])('whose %s throws harms nobody else', async (_, broken) => {
    const scene = await settled({ ...stampReporter(), ...broken });
    expect(scene.labels('a')).toMatchObject(team.labels);
    expect(scene.status('a').stage).toBe('InService');
    expect(
      scene.metrics.value('muster_reporter_failures_total', { reporter: 'stamp-status' }),
    ).toBeGreaterThan(0);
    expect(scene.metrics.value('muster_reporter_failures_total', { reporter: 'stamp-status' })).toBeLessThan(
      50,
    );
  });
});

function fail(): never {
  throw new Error('reporter is broken');
}

describe('a reporter of pools', () => {
  const byPool: StatusReporter = {
    ...stampReporter(),
    keysOf: poolsOf,
    target: statusTarget,
    report: ({ store }, pool) => ({ nodes: store.getByPool(pool).length }),
  };

  it('tells of a move in the pool that was left and in the pool that was joined', async () => {
    const scene = await settled(byPool, ['a', 'b']);
    for (const pool of ['blue', 'red']) scene.putStamp(pool, { by: 'nobody' });
    await scene.run(60_000);
    expect([scene.stampStatus('blue'), scene.stampStatus('red')]).toEqual([{ nodes: 2 }, { nodes: 0 }]);
    scene.changeNode('a', (raw) => ({ ...raw, metadata: { ...raw.metadata, labels: { pool: 'red' } } }));
    await scene.rest();
    expect([scene.stampStatus('blue'), scene.stampStatus('red')]).toEqual([{ nodes: 1 }, { nodes: 1 }]);
  });

  it('is told only of the states that it cares about', async () => {
    const scene = await settled({ ...byPool, filter: ({ poolRef }) => poolRef.name !== 'blue' }, ['a']);
    for (const pool of ['blue', 'red']) scene.putStamp(pool, { by: 'nobody' });
    await scene.run(60_000);
    scene.putNode('b', { labels: { pool: 'blue' } });
    scene.putNode('c', { labels: { pool: 'red' } });
    await scene.run(10_000);
    expect([scene.stampStatus('blue'), scene.stampStatus('red')]).toEqual([{ nodes: 1 }, { nodes: 1 }]);
  });
});
