import { describe, expect, it } from 'vitest';
import { apiFailure } from '../../test/support/api-failure.ts';
import { manualClock } from '../../test/support/manual-clock.ts';
import { createMemoryKubeApi, type FaultHook } from '../../test/support/memory-kube-api.ts';
import { daemonsetDefaults } from '../../test/support/daemonset-defaults.ts';
import { newNode } from '../../test/support/node-builder.ts';
import { silentLog } from '../base/log.ts';
import { seededRandom } from '../base/random.ts';
import type { CheckVerdict, WorkerReport } from '../base/worker-report.ts';
import { fieldsOf, recordsIn } from '../objects/raw.ts';
import { nodeType } from '../objects/ref.ts';
import { untilStopped, verifySelf } from './self-verification.ts';

const taint = { key: 'node-ready/unverified', value: 'true', effect: 'NoSchedule' };
const verified = { 'node-ready/verified': 'true' };

describe('a node that verifies itself', () => {
  it('is released after one run that passes', async () => {
    const { run, node, checked } = scene({ verdicts: ['pass'] });
    expect(await run()).toBe('done');
    expect(node().metadata?.labels).toEqual(verified);
    expect(recordsIn(fieldsOf(node().spec)['taints'])).toEqual([]);
    expect(checked()).toEqual([0]);
  });

  it('is checked again after 1, 2, 4 and 8 seconds, and then no more', async () => {
    const { run, node, checked } = scene({
      verdicts: ['fail', 'inconclusive', 'fail', 'fail', 'fail', 'pass'],
    });
    expect(await run()).toBe('fail');
    expect(checked()).toEqual([0, 1000, 3000, 7000, 15_000]);
    expect(recordsIn(fieldsOf(node().spec)['taints'])).toEqual([taint]);
    expect(node().metadata?.labels).toEqual({});
  });

  it('is released when a later run passes', async () => {
    const { run, node, checked } = scene({ verdicts: ['fail', 'pass'], changes: { backoff: 'linear' } });
    expect(await run()).toBe('done');
    expect(checked()).toEqual([0, 5000]);
    expect(node().metadata?.labels).toEqual(verified);
  });

  it.each<[string, readonly CheckVerdict[], string]>([
    ['failed', ['inconclusive', 'fail'], 'fail'],
    ['said nothing', ['fail', 'inconclusive'], 'inconclusive'],
  ])('ends as its last run did when that %s', async (_, verdicts, end) => {
    expect(await scene({ verdicts, changes: { attemptsMax: 2 } }).run()).toBe(end);
  });

  it('is not checked when it has the label and no taint of ours', async () => {
    const { run, checked } = scene({ verdicts: [], labels: verified, taints: [] });
    expect(await run()).toBe('done');
    expect(checked()).toEqual([]);
  });

  it('is not checked while an autoscaler removes it, and is when that was called off', async () => {
    const leaving = { key: 'ToBeDeletedByClusterAutoscaler', value: '', effect: 'NoSchedule' };
    const { api, run, node, checked } = scene({
      verdicts: ['pass'],
      taints: [taint, leaving],
      before: ({ verb }) => {
        const gets = api.calls.filter((call) => call.verb === 'get').length;
        if (verb === 'get' && gets === 3) api.put(nodeType, { ...node(), spec: { taints: [taint] } });
        return null;
      },
    });
    expect(await run()).toBe('done');
    expect(checked()).toEqual([3000]);
    expect(node().metadata?.labels).toEqual(verified);
  });

  it('gives up when its time is over, in the middle of a pause', async () => {
    const { run, checked } = scene({
      verdicts: ['fail', 'fail', 'fail'],
      changes: { initialTimeoutMs: 2500 },
    });
    expect(await run()).toBe('inconclusive');
    expect(checked()).toEqual([0, 1000]);
  });

  it('tries again when the API server is away, and checks only what it could read', async () => {
    let isAway = true;
    const { run, checked } = scene({
      verdicts: ['pass'],
      before: ({ verb }) => {
        const failure = isAway && verb === 'get' ? apiFailure('Unreachable') : null;
        isAway = false;
        return failure;
      },
    });
    expect(await run()).toBe('done');
    expect(checked()).toEqual([1000]);
  });

  it('checks once more when its release was refused', async () => {
    const { run, checked, node } = scene({
      verdicts: ['pass', 'pass'],
      changes: { attemptsMax: 2 },
      before: ({ verb }) => (verb === 'patch' ? apiFailure('Forbidden') : null),
    });
    expect(await run()).toBe('inconclusive');
    expect(checked()).toEqual([0, 1000]);
    expect(recordsIn(fieldsOf(node().spec)['taints'])).toEqual([taint]);
  });

  it('stops at once when another node has taken its name', async () => {
    const { api, run, checked } = scene({
      verdicts: ['pass', 'pass'],
      onCheck: () => {
        api.remove(nodeType, 'a');
        api.put(nodeType, newNode({ taints: [taint] }));
      },
    });
    expect(await run()).toBe('inconclusive');
    expect(checked()).toEqual([0]);
    expect(api.calls.filter(({ verb }) => verb === 'patch')).toEqual([]);
  });
});

describe('a worker that is done', () => {
  it('stays for days, with something that keeps its process alive, until it is stopped', async () => {
    const clock = manualClock();
    const stop = new AbortController();
    let isOver = false;
    const waiting = untilStopped(clock, stop.signal).then(() => (isOver = true));
    await clock.advance(3 * 86_400_000);
    expect({ isOver, timers: clock.pendingTimers() }).toEqual({ isOver: false, timers: 1 });
    stop.abort();
    await waiting;
    expect(clock.pendingTimers()).toBe(0);
  });
});

type Sketch = {
  readonly verdicts: readonly CheckVerdict[];
  readonly labels?: Readonly<Record<string, string>>;
  readonly taints?: readonly (typeof taint)[];
  readonly changes?: object;
  readonly before?: FaultHook;
  readonly onCheck?: () => void;
};

function scene({ verdicts, labels = {}, taints = [taint], changes = {}, before, onCheck }: Sketch) {
  const clock = manualClock();
  const api = createMemoryKubeApi({ clock, ...(before === undefined ? {} : { before }) });
  api.put(nodeType, newNode({ taints, labels }));
  const left = [...verdicts];
  const times: number[] = [];
  const check = async (): Promise<WorkerReport> => {
    times.push(clock.monotonicMs());
    onCheck?.();
    return reportOf(left.shift() ?? 'inconclusive');
  };
  const settings = { ...daemonsetDefaults(), nodeName: 'a', runTimeoutMs: 55_000, ...changes };
  const run = async () => {
    const stop = new AbortController().signal;
    const ports = { api, clock, random: seededRandom(1), log: silentLog };
    const ending = verifySelf({ ...ports, settings, check, stop });
    await clock.advance(600_000);
    return ending;
  };
  return { api, run, node: () => api.objects(nodeType)[0] ?? {}, checked: () => times };
}

function reportOf(verdict: CheckVerdict): WorkerReport {
  return {
    nodeName: 'a',
    nodeUID: '',
    nonce: '',
    verdict,
    isComplete: true,
    isForAnnotation: false,
    checks: [],
    problems: [],
  };
}
