// Verification on a real control plane, with exactly the rights that were generated for the operator: its scheduler places the
// workers, its admission checks them, its garbage collector takes them away. The workers are real processes.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemNamespace } from '../src/api/keys.ts';
import type { NodeLifecycleStatus } from '../src/api/node-lifecycle.ts';
import { until } from './control-plane/until.ts';
import { operatorAccount, startWorld, type World } from './support/cluster-world.ts';
import { type OperatorProcess, startOperator } from './support/operator-process.ts';
import { type SimProcess, startSim } from './support/sim-process.ts';

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

/** Without a Lease to wait for, the next one acts at once. */
const alone = [...flags, '--no-leader-elect'];

beforeAll(async () => {
  world = await startWorld();
  kubeconfig = (await world.plane.kubeconfigFor(operatorAccount)).path;
  sim = startSim(world.plane.adminKubeconfig, '--pools', 'good=8,bad=1,late=6', '--seed', '7');
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

const verified = (prefix: string, count: number) =>
  until(`${count} nodes of ${prefix} are verified`, 90_000, async () => {
    const found = await verificationsOf(prefix);
    const isDone = found.length === count && found.every(({ state }) => state === 'verified');
    return isDone ? found : undefined;
  });

const workers = () =>
  world.plane.kubectl(['get', 'pods', '-n', systemNamespace, '-l', 'component=worker', '-o', 'name']);

type Pods = {
  readonly items: readonly { readonly metadata: { readonly name: string; readonly uid: string } }[];
};

/** Which worker pods there ever were: two of one name are two attempts where there should be one. */
function watchWorkers() {
  const uids = new Map<string, Set<string>>();
  const look = async () => {
    const { body } = await world.plane.request('GET', `/api/v1/namespaces/${systemNamespace}/pods`);
    for (const { metadata } of (body as Pods).items)
      uids.set(metadata.name, (uids.get(metadata.name) ?? new Set()).add(metadata.uid));
  };
  const timer = setInterval(() => void look(), 50);
  return {
    stop: () => clearInterval(timer),
    replaced: () => [...uids].filter(([, all]) => all.size > 1).map(([name]) => name),
  };
}

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

  it('makes each attempt once however often the operator is killed', async () => {
    const seen = watchWorkers();
    await putPolicy('late', { nodeSelector: pool('late'), onboarding: 'Verify', checks: [disk] });
    for (let kills = 0; kills < 6; kills++) {
      const before = await verificationsOf('late');
      await until('something has moved', 20_000, async () => {
        const now = await verificationsOf('late');
        return JSON.stringify(now) === JSON.stringify(before) && now.some(({ state }) => state !== 'verified')
          ? undefined
          : true;
      });
      operator.signal('SIGKILL');
      await operator.exited;
      operator = startOperator(kubeconfig, alone);
      await operator.waitUntilReady();
    }
    const found = await verified('late', 6);
    expect(found.map(({ attempt, round }) => ({ attempt, round }))).toEqual(
      found.map(() => ({ attempt: 1, round: 1 })),
    );
    seen.stop();
    expect(seen.replaced()).toEqual([]);
    await until('no worker is left', 30_000, async () => ((await workers()) === '' ? true : undefined));
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
