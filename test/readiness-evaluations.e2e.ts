// Evaluations on a real API server in unusual times: their definition is deleted under the operator, and rules are deleted in such
// a way that they leave their evaluations behind.

import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nodeReadinessEvaluationType } from '../src/api/keys.ts';
import { resourceName } from '../src/objects/ref.ts';
import { until } from './control-plane/until.ts';
import {
  createNode,
  createNodes,
  nodeNames,
  operatorAccount,
  startWorld,
  type World,
} from './support/cluster-world.ts';
import { type LogLine, type OperatorProcess, startOperator } from './support/operator-process.ts';

const crd = resourceName(nodeReadinessEvaluationType);
const definitions = path.resolve(import.meta.dirname, '../config/crds');
const names = nodeNames('worker', 20);
const rule = (name: string) => ({
  apiVersion: 'nodereadiness.io/v1alpha2',
  kind: 'NodeReadinessGateRule',
  metadata: { name },
  spec: {
    conditions: [{ type: 'network.k8s.io/CalicoReady', requiredStatus: 'True' }],
    enforcementMode: 'continuous',
    taint: { key: `readiness.k8s.io/${name}`, effect: 'NoSchedule' },
    nodeSelector: { matchLabels: { pool: 'blue' } },
  },
});

let world: World;
let operator: OperatorProcess;

beforeAll(async () => {
  world = await startWorld();
  await createNodes(world.plane, names, { labels: { pool: 'blue' } });
  operator = await started();
  await world.plane.kubectl(['apply', '-f', '-'], { input: JSON.stringify(rule('cni')) });
  await evaluationsAre(names.length);
});

afterAll(async () => {
  await operator?.stop();
  await world?.stop();
});

async function started(): Promise<OperatorProcess> {
  const { path: kubeconfig } = await world.plane.kubeconfigFor(operatorAccount);
  const process = startOperator(kubeconfig, ['--gate-budget', '100%']);
  await process.waitUntilReady();
  return process;
}

async function evaluations(): Promise<readonly string[]> {
  const printed = await world.plane.kubectl(['get', 'nre', '-o', 'name']);
  return printed.split('\n').filter((line) => line !== '');
}

const evaluationsAre = (count: number) =>
  until(`${count} evaluations`, 60_000, async () =>
    (await evaluations()).length === count ? true : undefined,
  );

const isFailedWrite = ({ msg, level, object = '' }: LogLine) =>
  msg === 'write' && level === 'warn' && String(object).startsWith('NodeReadinessEvaluation');

describe('evaluations whose definition is deleted', () => {
  it('are not tried again and again, and the log says that nobody serves them', {
    timeout: 120_000,
  }, async () => {
    const from = operator.lines.length;
    await world.plane.kubectl(['delete', 'crd', crd, '--timeout=60s']);
    await createNode(world.plane, 'late', { labels: { pool: 'blue' } });
    const noticed = await until('the operator knows', 60_000, () =>
      operator.lines.slice(from).find(({ msg }) => msg.startsWith('nobody serves this kind')),
    );
    expect(noticed).toMatchObject({ level: 'warn', kind: 'NodeReadinessEvaluation' });
    // The watch has been told often enough then to believe it.
    await until('the watch rests', 60_000, () =>
      operator.lines.slice(from).filter(({ msg }) => msg === 'a list failed').length >= 3 ? true : undefined,
    );
    const failed = operator.lines.slice(from).filter(isFailedWrite);
    const reasons = new Set(failed.map(({ reason }) => reason));
    // Forbidden is what the API server says while it takes a definition away.
    expect([...reasons].filter((reason) => reason !== 'Forbidden')).toEqual(['NotServed']);
    expect(failed.filter(({ reason }) => reason === 'NotServed').length).toBeLessThanOrEqual(16);
    const gated = await world.plane.kubectl(['get', 'node', 'late', '-o', 'jsonpath={.spec.taints[*].key}']);
    expect(gated).toBe('readiness.k8s.io/cni');
  });

  it('are all there again when it is back', { timeout: 120_000 }, async () => {
    await world.plane.kubectl(['apply', '-f', definitions]);
    await until(`${names.length + 1} evaluations`, 90_000, async () =>
      (await evaluations().catch(() => [])).length === names.length + 1 ? true : undefined,
    );
  });
});

describe('a rule that is deleted with --cascade=orphan', () => {
  it('takes its evaluations along, though the API server took their owner from them', {
    timeout: 120_000,
  }, async () => {
    await operator.stop();
    await world.plane.kubectl(['delete', 'nrgr', 'cni', '--cascade=orphan', '--wait=false']);
    await until('no evaluation has an owner', 30_000, async () => {
      const owners = await world.plane.kubectl([
        'get',
        'nre',
        '-o',
        'jsonpath={.items[*].metadata.ownerReferences}',
      ]);
      return owners === '' ? true : undefined;
    });
    expect(await evaluations()).toHaveLength(names.length + 1);
    operator = await started();
    await evaluationsAre(0);
    await until('the rule is gone', 30_000, async () =>
      (await world.plane.kubectl(['get', 'nrgr', '-o', 'name'])) === '' ? true : undefined,
    );
  });
});
