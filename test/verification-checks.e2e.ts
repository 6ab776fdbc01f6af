// Custom checks, and checks of Services that the operator looks up, on a real control plane: its admission takes their pods in a
// restricted namespace or refuses them, its schema keeps what a policy shows of its problems, its RBAC lets the operator read. The checks are real processes, of our own image because that is what runs here.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NodeLifecycleStatus } from '../src/api/node-lifecycle.ts';
import { until } from './control-plane/until.ts';
import { operatorAccount, startWorld, type World } from './support/cluster-world.ts';
import { type OperatorProcess, startOperator } from './support/operator-process.ts';
import { type SimProcess, startSim } from './support/sim-process.ts';

const closedPort = {
  checks: [
    { name: 'network', tries: 1, params: { targets: [{ address: '127.0.0.2', port: 9, protocol: 'tcp' }] } },
  ],
  allowedTargets: ['127.0.0.2/32'],
};
const image = 'muster';
const customChecks = [
  {
    name: 'sound',
    image,
    command: ['muster'],
    args: ['version'],
    volumeMounts: [{ name: 'room', mountPath: '/room' }],
  },
  { name: 'unsound', image, args: ['worker', '--config-text', JSON.stringify(closedPort)] },
  { name: 'confused', image, args: ['no-such-command'] },
  { name: 'mighty', image, args: ['version'], securityContext: { privileged: true } },
];
const volumes = [{ name: 'room', emptyDir: { sizeLimit: '1Mi' } }];
const disk = { name: 'disk-space', params: { freePercentMin: 1, freeInodesPercentMin: 1 } };

/** Each pool of one node, and what its policy asks for besides the disk. */
const pools = {
  sound: [{ name: 'sound' }],
  unsound: [{ name: 'sound' }, { name: 'unsound' }],
  noted: [{ name: 'unsound', severity: 'advisory' }],
  confused: [{ name: 'confused' }],
  mighty: [{ name: 'mighty' }],
  missing: [{ name: 'nowhere' }],
  reaching: [
    { name: 'dns-endpoints', severity: 'advisory', tries: 1, timeoutSeconds: 1 },
    {
      name: 'service-discovery',
      severity: 'advisory',
      tries: 1,
      timeoutSeconds: 1,
      params: { services: [{ name: 'web.shop.svc.cluster.local.', port: 80 }] },
    },
  ],
};

/** An address that nobody has: what matters is that the worker was told to ask there. */
const dnsPods = {
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  metadata: {
    name: 'kube-dns-1',
    namespace: 'kube-system',
    labels: { 'kubernetes.io/service-name': 'kube-dns' },
  },
  addressType: 'IPv4',
  ports: [{ name: 'dns', protocol: 'UDP', port: 53 }],
  endpoints: [{ addresses: ['192.0.2.53'], conditions: { ready: true } }],
};

let world: World;
let sim: SimProcess;
let operator: OperatorProcess;

beforeAll(async () => {
  world = await startWorld();
  const { path: kubeconfig } = await world.plane.kubeconfigFor(operatorAccount);
  for (const [name, asked] of Object.entries(pools)) await putPolicy(name, [disk, ...asked]);
  const sizes = Object.keys(pools).map((name) => `${name}=1`);
  sim = startSim(world.plane.adminKubeconfig, '--pools', sizes.join(','), '--seed', '7');
  operator = startOperator(kubeconfig, [
    '--no-leader-elect',
    '--worker-image',
    image,
    '--worker-init-containers',
    JSON.stringify(customChecks),
    '--worker-volumes',
    JSON.stringify(volumes),
  ]);
  await operator.waitUntilReady();
});

afterAll(async () => {
  await operator?.stop();
  await sim?.stop();
  await world?.stop();
});

const putPolicy = (name: string, checks: readonly object[]) =>
  world.plane.kubectl(['apply', '-f', '-'], {
    input: JSON.stringify({
      apiVersion: 'muster.dev/v1alpha1',
      kind: 'NodeVerification',
      metadata: { name },
      spec: { nodeSelector: { matchLabels: { 'node.kubernetes.io/pool': name } }, maxRetries: 1, checks },
    }),
  });

type Verification = NonNullable<NodeLifecycleStatus['verification']>;

const reached = (node: string, what: (found: Verification) => boolean) =>
  until(`${node} is there`, 60_000, async () => {
    const reply = await world.plane.request('GET', `/apis/muster.dev/v1alpha1/nodelifecycles/${node}`);
    const { status } = reply.body as { readonly status?: NodeLifecycleStatus };
    const found = status?.verification;
    return found !== undefined && what(found) ? found : undefined;
  });
const hasEnded = ({ verdict }: Verification) => verdict !== undefined;

describe('checks on a real API server', () => {
  it('of an administrator let a node in that passes them, from a pod that a restricted namespace admits', async () => {
    const found = await reached('sound-01', ({ state }) => state === 'verified');
    expect(found.checks?.map(({ name, verdict }) => [name, verdict])).toEqual([
      ['sound', 'pass'],
      ['disk-space', 'pass'],
    ]);
  });

  it('of an administrator keep a node from work that fails one, and name it wherever people look', async () => {
    const found = await reached('unsound-01', hasEnded);
    expect(found).toMatchObject({ state: 'failed', verdict: 'fail', failedAttempts: 1 });
    expect(found.lastError).toMatch(/^unsound: ExitedWith1, /);
    expect(found.checks?.[0]).toMatchObject({ name: 'unsound', verdict: 'fail', reason: 'ExitedWith1' });
    await until('the summary says so', 40_000, async () =>
      /unverified: unsound/.test(await world.plane.kubectl(['get', 'nl', 'unsound-01'])) ? true : undefined,
    );
    await until('an event says so', 20_000, async () =>
      /VerificationGivenUp.*unsound: ExitedWith1/.test(
        await world.plane.kubectl(['get', 'events', '-n', 'default', '-o', 'wide']),
      )
        ? true
        : undefined,
    );
  });

  it('of an administrator let a node in that fails one that is advisory, and note it', async () => {
    const found = await reached('noted-01', ({ state }) => state === 'verified');
    expect(found.checks?.[0]).toMatchObject({ name: 'unsound', verdict: 'fail', reason: 'ExitedWith1' });
  });

  it('of an administrator count nothing against a node where one does not know what to do', async () => {
    const found = await reached('confused-01', hasEnded);
    expect(found).toMatchObject({ verdict: 'inconclusive', reason: 'CheckInconclusive' });
    expect(found.lastError).toMatch(/^confused: ExitedOtherwise, exit code 2/);
    expect(found).not.toHaveProperty('failedAttempts');
  });

  it('of an administrator are refused by the namespace where the administrator asks for more than it admits', async () => {
    const found = await reached('mighty-01', hasEnded);
    expect(found).toMatchObject({ verdict: 'inconclusive', reason: 'WorkerRejected' });
    expect(found.lastError).toContain('violates PodSecurity "restricted');
  });

  it('of Services wait for them, and are then told where they are', async () => {
    await until('the node waits', 45_000, async () =>
      /Service kube-system\/kube-dns has no endpoints; Service shop\/web does not exist/.test(
        await world.plane.kubectl(['get', 'nl', 'reaching-01', '-o', 'json']),
      )
        ? true
        : undefined,
    );
    await world.plane.kubectl(['create', '-f', '-'], { input: JSON.stringify(dnsPods) });
    await world.plane.kubectl(['create', 'namespace', 'shop']);
    await world.plane.kubectl(['create', 'service', 'clusterip', 'web', '--tcp=80', '-n', 'shop']);
    const found = await reached('reaching-01', ({ state }) => state === 'verified');
    expect(found.checks).toContainEqual(
      expect.objectContaining({
        name: 'dns-endpoints',
        verdict: expect.stringMatching(/fail|inconclusive/),
        message: expect.stringContaining('0 of 1 DNS pods answered'),
      }),
    );
    expect(found.attempt).toBe(1);
  });

  it('that the operator does not have refuse the policy that names them, where people see it', async () => {
    await until('the policy says so', 20_000, async () =>
      /^missing .*spec\.checks\[1\]\.name: must be one of .* not "nowhere"/.test(
        await world.plane.kubectl(['get', 'nv', 'missing', '--no-headers']),
      )
        ? true
        : undefined,
    );
    const found = await reached('missing-01', () => true);
    expect(found).toMatchObject({ state: 'unverified', attempt: 0 });
  });
});
