// What a person does first: an administrator's kubeconfig, a thousand nodes made with kubectl, one operator, kubectl get nl.

import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from './control-plane/until.ts';
import { createNode, listLifecycles, startWorld, waitForStage, type World } from './support/cluster-world.ts';
import { musterScript, type OperatorProcess, startOperator } from './support/operator-process.ts';

const run = promisify(execFile);
const muster = (...args: string[]) =>
  run(process.execPath, [musterScript, ...args], { maxBuffer: 16 * 1024 * 1024 });

describe('an operator started by hand', () => {
  let world: World;
  let operator: OperatorProcess;

  beforeAll(async () => {
    world = await startWorld();
    await createNode(world.plane, 'node-001');
    await createNode(world.plane, 'node-002');
    await createNode(world.plane, 'node-003', {
      taints: [{ key: 'karpenter.sh/disrupted', effect: 'NoSchedule' }],
    });
    await world.plane.kubectl(['cordon', 'node-002']);
    const items = Array.from({ length: 997 }, (_, index) => ({
      apiVersion: 'v1',
      kind: 'Node',
      metadata: { name: `plain-${index}` },
    }));
    await world.plane.kubectl(['create', '-f', '-'], {
      input: JSON.stringify({ apiVersion: 'v1', kind: 'List', items }),
    });
    operator = startOperator(world.plane.adminKubeconfig, ['--no-leader-elect']);
  });
  afterAll(async () => {
    await operator?.stop();
    await world?.stop();
  });

  it('records 1,000 nodes', async () => {
    await until('1,000 records have a stage', 120_000, async () => {
      const lifecycles = await listLifecycles(world.plane);
      return lifecycles.filter(({ status }) => status?.stage !== undefined).length === 1000
        ? true
        : undefined;
    });
  });

  it('shows in kubectl get nl, within 80 columns, stage, gates and pool of each node', async () => {
    await waitForStage(world.plane, 'node-002', 'Gated');
    await waitForStage(world.plane, 'node-003', 'Leaving');
    const printed = await world.plane.kubectl(['get', 'nl', 'node-001', 'node-002', 'node-003']);
    const golden = await readFile(path.join(import.meta.dirname, 'golden', 'kubectl-get-nl.txt'), 'utf8');
    expect(withoutAges(printed)).toBe(withoutAges(golden));
  });

  it('prints CRDs and rights that the API server accepts as they are', async () => {
    for (const what of ['crds', 'rbac']) {
      const { stdout } = await muster(what);
      expect(
        await world.plane.kubectl(['apply', '--dry-run=server', '-f', '-'], { input: stdout }),
      ).toContain('server dry run');
    }
  });

  it('prints its version and its help', async () => {
    expect((await muster('version')).stdout).toMatch(/^muster 0\.1\.0 \(node v24\./);
    expect((await muster('operator', '--help')).stdout).toContain('--pool-labels');
    expect((await muster('--help')).stdout).toContain('operator');
  });

  it.each([
    [['operator', '--colour', 'red'], 'muster operator: --colour: is not a flag; --help lists them'],
    [['operator', '--kubeconfig', 'nowhere.yaml'], 'nowhere.yaml'],
    [['dance'], "error: unknown command 'dance'"],
  ])('refuses %j with one sentence and exit code 2', async (args, sentence) => {
    await expect(muster(...args)).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining(sentence),
    });
  });

  it('names the kind it waits for when the CRDs were forgotten', async () => {
    await operator.stop();
    await world.plane.kubectl(['delete', 'crd', 'nodelifecycles.muster.dev']);
    operator = startOperator(world.plane.adminKubeconfig, ['--no-leader-elect']);
    const page = await until('only the missing kind is waited for', 30_000, async () => {
      const { status, text } = await operator.get('health', '/readyz');
      return status === 503 && !text.includes('nodes,') ? text : undefined;
    });
    expect(page).toBe(
      'failed barriers: waiting for the first full list of nodelifecycles.muster.dev; are the CRDs of this version installed (muster crds)?\nok progress\n',
    );
  });
});

/** Ages differ from run to run, and with them the spaces at the end of a line. */
function withoutAges(table: string): string {
  return table.replace(/\s\d+[smh](\d+s)?\s*$/gm, ' AGE').trim();
}
