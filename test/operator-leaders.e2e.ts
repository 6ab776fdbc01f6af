// Two operators on one cluster: one leads and writes, the other is warm and passive, whatever happens to the first.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from './control-plane/until.ts';
import {
  createNode,
  createNodes,
  nodeNames,
  operatorAccount,
  readLifecycle,
  startWorld,
  waitForStage,
  type World,
} from './support/cluster-world.ts';
import { type OperatorProcess, startOperator } from './support/operator-process.ts';

describe('two operators', () => {
  let world: World;
  let kubeconfig: string;
  const started: OperatorProcess[] = [];
  const start = async () => {
    const operator = startOperator(kubeconfig);
    started.push(operator);
    await operator.waitUntilReady();
    return operator;
  };

  beforeAll(async () => {
    world = await startWorld();
    await createNodes(world.plane, nodeNames('node', 10));
    ({ path: kubeconfig } = await world.plane.kubeconfigFor(operatorAccount));
  });
  afterAll(async () => {
    for (const operator of started) {
      operator.signal('SIGCONT');
      await operator.stop();
    }
    await world?.stop();
  });

  it('one leads; the standby is ready and writes nothing', async () => {
    const leader = await start();
    await leader.waitForLine('this replica leads', 20_000);
    const standby = await start();
    await createNode(world.plane, 'first');
    await waitForStage(world.plane, 'first', 'InService');
    expect(linesOf(standby, 'write')).toEqual([]);
    expect(linesOf(standby, 'this replica leads')).toEqual([]);
    expect((await standby.get('health', '/readyz')).status).toBe(200);
  });

  it('on SIGTERM of the leader the other acts within 3 s', async () => {
    const [leader, standby] = lastTwo(started);
    const stoppedAt = Date.now();
    expect(await leader.stop()).toBe(0);
    await createNode(world.plane, 'second');
    await waitForRecord(world, 'second', stoppedAt + 3_000 - Date.now());
    expect(linesOf(standby, 'this replica leads')).toHaveLength(1);
  });

  it('on SIGKILL of the leader the other acts within 20 s', async () => {
    const standby = await start();
    const leader = lastTwo(started)[0];
    const killedAt = Date.now();
    leader.signal('SIGKILL');
    await leader.exited;
    await createNode(world.plane, 'third');
    await waitForRecord(world, 'third', killedAt + 20_000 - Date.now());
    expect(linesOf(standby, 'this replica leads')).toHaveLength(1);
  });

  it('a leader that was stopped past its lease writes nothing when it wakes, and exits', async () => {
    const heir = await start();
    const stale = lastTwo(started)[0];
    stale.signal('SIGSTOP');
    await createNode(world.plane, 'fourth');
    await heir.waitForLine('this replica leads', 30_000);
    await waitForStage(world.plane, 'fourth', 'InService');
    const writesBefore = linesOf(stale, 'write').length;
    await createNode(world.plane, 'fifth');
    stale.signal('SIGCONT');
    expect(await stale.exited).toBe(1);
    await waitForStage(world.plane, 'fifth', 'InService');
    const late = linesOf(stale, 'write').slice(writesBefore);
    expect(late.filter(({ outcome }) => outcome === 'done')).toEqual([]);
  });
});

function linesOf(operator: OperatorProcess, msg: string) {
  return operator.lines.filter((line) => line.msg === msg);
}

function lastTwo(operators: readonly OperatorProcess[]): readonly [OperatorProcess, OperatorProcess] {
  const [older, newer] = operators.slice(-2);
  if (older === undefined || newer === undefined) throw new Error('two operators are needed');
  return [older, newer];
}

/** A record is the first thing a leader writes about a new node. */
function waitForRecord({ plane }: World, name: string, timeoutMs: number): Promise<true> {
  return until(`${name} has a record`, timeoutMs, async () =>
    (await readLifecycle(plane, name)) === null ? undefined : (true as const),
  );
}
