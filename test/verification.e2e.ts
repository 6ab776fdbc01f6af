// Verification on a real control plane, with exactly the rights that were generated for the operator: its scheduler places the
// workers, its admission checks them, its garbage collector takes them away. The workers are real processes.

import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemNamespace } from '../src/api/keys.ts';
import type { NodeLifecycleStatus } from '../src/api/node-lifecycle.ts';
import { until } from './control-plane/until.ts';
import { operatorAccount, startWorld, type World } from './support/cluster-world.ts';
import { firstWorkerOf, killPoints, recordsBefore, startMortal } from './support/kill-points.ts';
import { type OperatorProcess, startOperator } from './support/operator-process.ts';
import { type SimProcess, startSim } from './support/sim-process.ts';
import { unhurriedWorkers } from './support/unhurried-worker.ts';

const pool = (name: string) => ({ matchLabels: { 'node.kubernetes.io/pool': name } });
const disk = { name: 'disk-space', params: { freePercentMin: 1, freeInodesPercentMin: 1 } };
const closedPort = {
  name: 'network',
  id: 'licence-server',
  tries: 1,
  params: { targets: [{ address: '127.0.0.2', port: 9, protocol: 'tcp' }] },
};

let world: World;
let sim: SimProcess;
let kubeconfig: string;
let operator: OperatorProcess;

const flags = [
  '--worker-image',
  'muster',
  '--worker-settings',
  JSON.stringify({ allowedTargets: ['127.0.0.2/32'] }),
];

/** Of an image that cannot be run here: stage files say how these workers end. */
const unhurried = ['--worker-image', 'unhurried'];

/** One that nothing happens to, and one for each moment at which the operator is killed. */
const lateNodes = Array.from(
  { length: 1 + Object.keys(killPoints).length },
  (_, index) => `late-0${index + 1}`,
);

/** Its operator dies while its worker is under way, and another takes over. */
const inherited = `late-0${lateNodes.length + 1}`;

/** A Lease that is over soon. */
const elected = [
  ...unhurried,
  '--leader-election-lease-duration=3s',
  '--leader-election-renew-deadline=2s',
  '--leader-election-retry-period=500ms',
];

const isLeading = ({ lines }: OperatorProcess) => lines.some(({ msg }) => msg === 'this replica leads');

/** Without a Lease to wait for, the next one acts at once. */
const alone = [...flags, '--no-leader-elect'];

beforeAll(async () => {
  world = await startWorld();
  kubeconfig = (await world.plane.kubeconfigFor(operatorAccount)).path;
  const stages = unhurriedWorkers(world.plane.dir, 1, [disk.name]);
  const pools = `good=8,bad=1,late=${lateNodes.length + 1}`;
  sim = startSim(world.plane.adminKubeconfig, '--pools', pools, '--seed', '7', '--stages', stages);
  await putPolicy('good', { nodeSelector: pool('good'), checks: [disk] });
  await putPolicy('bad', { nodeSelector: pool('bad'), maxRetries: 2, checks: [disk, closedPort] });
  operator = startOperator(kubeconfig, alone);
  await operator.waitUntilReady();
});

afterAll(async () => {
  await operator?.stop();
  await sim?.stop();
  await world?.stop();
});

const putPolicy = (name: string, spec: object) =>
  world.plane.kubectl(['apply', '-f', '-'], {
    input: JSON.stringify({
      apiVersion: 'muster.dev/v1alpha1',
      kind: 'NodeVerification',
      metadata: { name },
      spec,
    }),
  });

type Lifecycles = {
  readonly items: readonly { readonly metadata: { name: string }; readonly status?: NodeLifecycleStatus }[];
};

async function verificationsOf(prefix: string) {
  const { body } = await world.plane.request('GET', '/apis/muster.dev/v1alpha1/nodelifecycles');
  return (body as Lifecycles).items
    .filter(({ metadata }) => metadata.name.startsWith(prefix))
    .map(({ metadata, status }) => ({ name: metadata.name, ...status?.verification }));
}

type Checked = { readonly node: string; readonly worker: string };

async function verifiedInTurn(checked: Checked): Promise<void> {
  await world.plane.kubectl(['label', 'node', checked.node, 'turn=now']);
  await isVerified(checked);
}

/** By its first attempt; nothing is left of its worker. */
async function isVerified({ node, worker }: Checked): Promise<void> {
  const [found] = await verified(node, 1);
  expect(found).toMatchObject({ state: 'verified', round: 1, attempt: 1, workerPod: worker });
  expect([found?.failedAttempts, found?.inconclusiveAttempts]).toEqual([undefined, undefined]);
  await until(`${node} is let in and its worker is gone`, 30_000, async () => {
    const label = await world.plane.kubectl([
      'get',
      'node',
      node,
      '-o',
      'jsonpath={.metadata.labels.node-ready/verified}',
    ]);
    return label === 'true' && !(await workers()).includes(worker) ? true : undefined;
  });
}

const verified = (prefix: string, count: number) =>
  until(`${count} nodes of ${prefix} are verified`, 90_000, async () => {
    const found = await verificationsOf(prefix);
    const isDone = found.length === count && found.every(({ state }) => state === 'verified');
    return isDone ? found : undefined;
  });

const workers = () =>
  world.plane.kubectl(['get', 'pods', '-n', systemNamespace, '-l', 'component=worker', '-o', 'name']);

/** What was ever made of the workers of a node, by name. */
const madeFor = (node: string) =>
  world
    .writes()
    .filter(({ verb, resource, code }) => verb === 'create' && resource === 'pods' && code === 201)
    .map(({ name }) => name)
    .filter((name) => name.startsWith(`node-ready-worker-${node}-`));

describe('verification on a real API server', () => {
  it('verifies nodes by workers that the real scheduler places in a restricted namespace', async () => {
    const found = await verified('good', 8);
    expect(found).toEqual(
      found.map(({ name }) =>
        expect.objectContaining({
          name,
          attempt: 1,
          checks: [expect.objectContaining({ name: 'disk-space', verdict: 'pass' })],
        }),
      ),
    );
    await until('nobody is kept from work', 20_000, async () => {
      const nodes = await world.plane.kubectl([
        'get',
        'nodes',
        '-l',
        'node-ready/verified=true',
        '-o',
        'jsonpath={range .items[*]}{.metadata.name}:{.spec.taints[*].key}{"\\n"}{end}',
      ]);
      const lines = nodes.trim().split('\n');
      return lines.length === 8 && lines.every((line) => line.endsWith(':')) ? true : undefined;
    });
    await until('the workers are gone', 20_000, async () =>
      (await workers()).includes('good') ? undefined : true,
    );
  });

  it('keeps a node that fails from work, and says which check', async () => {
    const [bad] = await until('the node has failed for good', 60_000, async () => {
      const found = await verificationsOf('bad');
      return found[0]?.reason === 'VerificationGivenUp' ? found : undefined;
    });
    expect(bad).toMatchObject({ state: 'failed', attempt: 2, failedAttempts: 2, verdict: 'fail' });
    expect(bad?.lastError).toMatch(/^licence-server: Refused, /);
    expect(await world.plane.kubectl(['get', 'nl', 'bad-01'])).toMatch(
      /Verifying +unverified: licence-server /,
    );
    await until('the policy says so', 20_000, async () =>
      /^bad +1 +0 +0 +0 +1 /.test(await world.plane.kubectl(['get', 'nv', 'bad', '--no-headers']))
        ? true
        : undefined,
    );
    const events = await world.plane.kubectl(['get', 'events', '-n', 'default', '-o', 'wide']);
    expect(events).toContain('VerificationGivenUp');
  });

  it('serves every figure that the reference names after a pass and a failure, and names no node in any', async () => {
    const reference = readFileSync(new URL('../docs/reference/operator.md', import.meta.url), 'utf8');
    const named = [...reference.matchAll(/^\| `((?:kube_node_ready|muster_verification)_\w+)`/gm)];
    expect(named.length).toBeGreaterThan(9);
    const { text } = await operator.get('metrics', '/metrics');
    const samples = text.split('\n').filter((line) => !line.startsWith('#'));
    const missing = named
      .map(([, name = '']) => name)
      .filter((name) => !samples.some((line) => new RegExp(`^${name}(_bucket)?[ {]`).test(line)));
    expect(missing).toEqual([]);
    expect(samples).toContain('kube_node_ready_node_verification_total{result="success"} 8');
    expect(samples).toContain('kube_node_ready_node_verification_total{result="failure"} 2');
    expect(samples.filter((line) => /\b(?:good|bad|late)-\d/.test(line))).toEqual([]);
  });

  it('makes each attempt once, wherever the operator is killed', async () => {
    await operator.stop();
    await putPolicy('late', {
      nodeSelector: { matchLabels: { turn: 'now' } },
      onboarding: 'Verify',
      checks: [disk],
    });
    const nodes = await Promise.all(
      lateNodes.map(async (node) => ({ node, worker: await firstWorkerOf(world, node) })),
    );
    const [calm, ...doomed] = nodes;
    if (calm === undefined) throw new Error('no node is left to itself');
    const untouched = await startMortal(world, unhurried, []);
    await verifiedInTurn(calm);
    await untouched.end();
    const before = recordsBefore(untouched.calls, calm);
    const points = Object.entries(killPoints);
    const mortal = await startMortal(
      world,
      unhurried,
      points.map(([, point], index) => point(doomed[index] ?? calm, before)),
    );
    for (const [index, [when]] of points.entries()) {
      const each = doomed[index] ?? calm;
      await verifiedInTurn(each);
      expect({ when, kills: mortal.strikes.length, made: madeFor(each.node) }).toEqual({
        when,
        kills: index + 1,
        made: [each.worker],
      });
    }
    await mortal.end();
    operator = startOperator(kubeconfig, alone);
    await operator.waitUntilReady();
  });

  it('goes on with the attempt under way when another replica takes over, which wrote nothing before', async () => {
    await operator.stop();
    const worker = await firstWorkerOf(world, inherited);
    const replicas = [startOperator(kubeconfig, elected), startOperator(kubeconfig, elected)];
    try {
      const leader = await until('one of them leads', 30_000, () => replicas.find(isLeading));
      const heir = replicas.find((each) => each !== leader) ?? leader;
      await heir.waitUntilReady();
      await world.plane.kubectl(['label', 'node', inherited, 'turn=now']);
      await until('its worker is there', 30_000, async () =>
        (await workers()).includes(worker) ? true : undefined,
      );
      expect((await heir.get('health', '/readyz')).status).toBe(200);
      expect(heir.lines.filter(({ msg }) => msg === 'write')).toEqual([]);
      leader.signal('SIGKILL');
      await isVerified({ node: inherited, worker });
      expect(isLeading(heir)).toBe(true);
      expect(madeFor(inherited)).toEqual([worker]);
    } finally {
      await Promise.all(replicas.map((each) => each.stop()));
    }
    operator = startOperator(kubeconfig, alone);
    await operator.waitUntilReady();
  });

  it('leaves no worker of a node that goes', async () => {
    await world.plane.kubectl(['annotate', 'node', 'good-01', 'muster.dev/verify=now']);
    await until('its second round has begun', 20_000, async () =>
      (await verificationsOf('good-01'))[0]?.round === 2 ? true : undefined,
    );
    await world.plane.kubectl(['delete', 'node', 'good-01']);
    await until('no worker of it is left', 60_000, async () =>
      (await workers()).includes('good-01') ? undefined : true,
    );
  });

  it('uses nothing that it was not granted', () => {
    expect(world.writes().filter(({ code }) => code === 403)).toEqual([]);
  });
});
