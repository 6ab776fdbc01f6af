import { describe, expect, it } from 'vitest';
import { manualClock } from '../../test/support/manual-clock.ts';
import { createMemoryKubeApi } from '../../test/support/memory-kube-api.ts';
import { newNode } from '../../test/support/node-builder.ts';
import { silentLog } from '../base/log.ts';
import { silentMetrics } from '../base/metrics.ts';
import { seededRandom } from '../base/random.ts';
import { createCaches } from '../kube/caches.ts';
import { nodeType } from '../objects/ref.ts';
import { createEchoes, ECHO_MS_MAX } from './echoes.ts';
import { nodeSpec } from './specs.ts';

const ref = { type: nodeType, namespace: '', name: 'a' };
const labelled = (value: string) =>
  ({ kind: 'merge', body: { metadata: { labels: { seen: value } } } }) as const;

async function scene(world = { isBurst: false }) {
  const clock = manualClock();
  const api = createMemoryKubeApi({ clock, historySize: 100, statusSubresources: [nodeType] });
  api.put(nodeType, newNode({ name: 'a' }));
  const shared = { clock, random: seededRandom(1), log: silentLog, metrics: silentMetrics };
  const sources = createCaches({ ...shared, api, specs: [nodeSpec] });
  const touched: string[] = [];
  const underWay = new Set<string>();
  const echoes = createEchoes({
    clock,
    sources,
    specs: [nodeSpec],
    turnstile: { isBurst: () => world.isBurst },
    visits: () => ({
      isUnderWay: (name) => underWay.has(name),
      touch: (names, trigger, priority) => touched.push(`${[...names].join()} ${trigger} ${priority}`),
    }),
  });
  sources.start();
  await clock.advance(1_000);
  touched.length = 0;
  const heard = () => clock.advance(1_000);
  /** A visit that does this and knows of nothing else. */
  const visit = async (work: () => Promise<void>) => {
    const around = echoes.around(async () => {
      await work();
      return { kind: 'done', recheckInMs: null };
    });
    underWay.add('a');
    await around('a', 'Node').finally(() => underWay.delete('a'));
    return touched;
  };
  const write = async (value: string) => {
    const answer = await api.patch(ref, labelled(value));
    if (answer.kind === 'error') throw new Error(answer.error.message);
    return () => sources.ownWrites(nodeSpec).observe(answer.value);
  };
  return { clock, visit, write, heard, touched, world };
}

describe('what a visit wrote itself', () => {
  it('is looked at again after everybody else, whether the answer comes before the event or after it', async () => {
    const { visit, write, heard, touched } = await scene();
    const eventFirst = async () => {
      const answered = await write('1');
      await heard();
      answered();
    };
    const answerFirst = async () => (await write('2'))();
    expect(await visit(eventFirst)).toEqual(['a Node resync']);
    touched.length = 0;
    expect(await visit(answerFirst)).toEqual(['a Node resync']);
    touched.length = 0;
    await heard();
    expect(touched).toEqual([]);
  });

  it('is looked at again when a burst is over', async () => {
    const { clock, visit, write, touched, world } = await scene({ isBurst: true });
    expect(await visit(async () => (await write('1'))())).toEqual([]);
    await clock.advance(5_000);
    expect(touched).toEqual([]);
    world.isBurst = false;
    await clock.advance(1_000);
    expect(touched).toEqual(['a Node resync']);
    expect(clock.pendingTimers()).toBeLessThanOrEqual(1);
  });

  it('is looked at again during a burst that does not end', async () => {
    const { clock, visit, write, touched } = await scene({ isBurst: true });
    await visit(async () => (await write('1'))());
    await clock.advance(ECHO_MS_MAX - 1_000);
    expect(touched).toEqual([]);
    await clock.advance(1_000);
    expect(touched).toEqual(['a Node resync']);
  });

  it('need not be looked at again when the node was visited for another reason', async () => {
    const { clock, visit, write, touched, world } = await scene({ isBurst: true });
    await visit(async () => (await write('1'))());
    await visit(async () => {});
    world.isBurst = false;
    await clock.advance(ECHO_MS_MAX);
    expect(touched).toEqual([]);
  });
});

describe('what somebody else changes', () => {
  it('during a visit that wrote nothing is looked at as any change', async () => {
    const { visit, write, heard } = await scene({ isBurst: true });
    const foreign = async () => {
      await write('1');
      await heard();
    };
    expect(await visit(foreign)).toEqual(['a Node change']);
  });

  it('after our own write and before its visit ends is no echo', async () => {
    const { visit, write, heard } = await scene({ isBurst: true });
    const both = async () => {
      (await write('1'))();
      await write('2');
      await heard();
    };
    expect(await visit(both)).toEqual(['a Node change']);
  });

  it('between visits touches at once', async () => {
    const { write, heard, touched } = await scene({ isBurst: true });
    await write('1');
    await heard();
    expect(touched).toEqual(['a Node change']);
  });

  it('while a visit fails is looked at all the same', async () => {
    const { visit, write, heard, touched } = await scene();
    const failing = async () => {
      await write('1');
      await heard();
      throw new Error('broken');
    };
    await expect(visit(failing)).rejects.toThrow('broken');
    expect(touched).toEqual(['a Node change']);
  });
});
