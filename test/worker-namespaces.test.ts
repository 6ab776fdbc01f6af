// The worker in networks and on filesystems of their own: a path that swallows large packets, a peer that is gone, a disk without
// inodes. Where the machine allows no namespaces to ordinary users, each test prints why and proves only that.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildWorker, runWorker, type WorkerEnd } from './support/worker-process.ts';

let bundle: Awaited<ReturnType<typeof buildWorker>>;
let scratch = '';

beforeAll(async () => {
  bundle = await buildWorker();
  scratch = mkdtempSync(join(tmpdir(), 'muster-scratch-'));
});
afterAll(() => {
  bundle.remove();
  rmSync(scratch, { recursive: true });
});

const config = {
  nodeName: 'worker-1',
  kubernetesServiceHost: '10.96.0.1',
  checkTimeout: '2s',
  checkTries: 1,
  echo: { word: 'between-us' },
};
const peer = { address: '10.77.0.2', port: 7007 };
const toPeer = {
  ...config,
  checks: [
    { name: 'mtu', params: { peers: [peer] } },
    { name: 'peer-echo', params: { peers: [peer], packets: 5 } },
  ],
};

/** Two network namespaces joined by a cable; a second worker echoes at its far end. `$1` is what is done to the cable. */
const CABLE = `
# As in a pod: /sys shows the interfaces of the namespace.
mount -t sysfs sysfs /sys
ip link set lo up
unshare -n sleep 60 & far=$!
ip link add near type veth peer name far
# The new namespace is there as soon as an interface can be moved into it.
until ip link set far netns $far 2>/dev/null && ! ip link show far >/dev/null 2>&1; do :; done
ip addr add 10.77.0.1/24 dev near
ip link set near up
nsenter -t $far -n ip addr add 10.77.0.2/24 dev far
nsenter -t $far -n ip link set far up
mkfifo "$SCRATCH/echo"
TERMINATION_LOG=/dev/null nsenter -t $far -n "$NODE" "$BUNDLE" worker --node-name control --kubernetes-service-host 10.96.0.1 --checks disk-space \\
  --echo-bind-address 10.77.0.2:7007 --echo-word between-us --echo-duration 50s >/dev/null 2>"$SCRATCH/echo" & control=$!
read -r _ < "$SCRATCH/echo"
rm "$SCRATCH/echo"
eval "$1"
shift
code=0
"$@" || code=$?
kill $control $far
exit $code
`;

function overCable(damage: string): Promise<WorkerEnd> {
  return runWorker({
    script: bundle.script,
    config: toPeer,
    prefix: ['unshare', '--map-root-user', '--net', '--mount', 'sh', '-ec', CABLE, 'sh', damage],
    environment: { SCRATCH: scratch, NODE: process.execPath, BUNDLE: bundle.script },
  });
}

/** Why namespaces cannot be had here; empty when they can. */
function refusal(probe: string): string {
  const { status, stderr, error } = spawnSync('unshare', [
    '--map-root-user',
    '--net',
    '--mount',
    'sh',
    '-ec',
    probe,
  ]);
  if (status === 0) return '';
  return (error?.message ?? stderr.toString().trim()).slice(0, 200) || 'refused';
}

const refusals = {
  network: refusal(
    'mount -t sysfs sysfs /sys; ip link add near type veth peer name far; nsenter --version >/dev/null',
  ),
  mount: refusal('mount -t tmpfs -o nr_inodes=9 tmpfs /mnt'),
};

function isRefused(what: keyof typeof refusals): boolean {
  if (refusals[what] === '') return false;
  process.stderr.write(`not tested, no ${what} namespaces on this machine: ${refusals[what]}\n`);
  expect(refusals[what]).not.toBe('');
  return true;
}

describe('a path between two nodes', () => {
  it('that carries packets of full size passes', async () => {
    if (isRefused('network')) return;
    const end = await overCable(':');
    expect(end.check('mtu')).toMatchObject({
      verdict: 'pass',
      message: 'packets of 1500 bytes reach 10.77.0.2',
    });
    expect(end).toMatchObject({ code: 0, report: { verdict: 'pass' } });
  });

  it('that swallows large packets fails, while small ones pass', async () => {
    if (isRefused('network')) return;
    const end = await overCable('nsenter -t $far -n ip link set far mtu 1400');
    expect(end.check('mtu')).toMatchObject({ verdict: 'fail', code: 'MtuBlackhole' });
    expect(end.check('peer-echo')).toMatchObject({ verdict: 'pass' });
    expect(end.code).toBe(1);
  });

  it('that is cut fails the echo, and says nothing about large packets', async () => {
    if (isRefused('network')) return;
    const end = await overCable('nsenter -t $far -n ip addr flush dev far');
    expect(end.check('peer-echo')).toMatchObject({ verdict: 'fail' });
    expect(end.check('mtu')).toMatchObject({ verdict: 'inconclusive', code: 'PeerUnreachable' });
  });

  it('that does not exist fails as unreachable', async () => {
    if (isRefused('network')) return;
    const end = await overCable('ip addr flush dev near');
    expect(end.check('peer-echo')).toMatchObject({ verdict: 'fail', code: 'Unreachable' });
  });
});

describe('an emptyDir', () => {
  const onTmpfs = (options: string, fill: string) =>
    runWorker({
      script: bundle.script,
      config: { ...config, scratchDirectory: scratch, checks: [{ name: 'disk-space' }] },
      prefix: [
        'unshare',
        '--map-root-user',
        '--mount',
        'sh',
        '-ec',
        `mount -t tmpfs -o ${options} tmpfs "$SCRATCH"; (cd "$SCRATCH"; ${fill}); exec "$@"`,
        'sh',
      ],
      environment: { SCRATCH: scratch },
    });

  it('with too few inodes fails with what was measured', async () => {
    if (isRefused('mount')) return;
    const end = await onTmpfs('size=4m,nr_inodes=100', 'for i in $(seq 97); do : > $i; done');
    expect(end.check('disk-space')).toMatchObject({
      code: 'InodesExhausted',
      message: expect.stringContaining('and 2 inodes (2.0 %) free; 5 % of the inodes are required'),
    });
    expect(end.code).toBe(1);
  });

  it('with too little space fails with what was measured', async () => {
    if (isRefused('mount')) return;
    const end = await onTmpfs('size=4m', 'head -c 3900000 /dev/zero > full');
    expect(end.check('disk-space')).toMatchObject({
      code: 'DiskFull',
      message: expect.stringMatching(/^0 MiB \(/),
    });
  });

  it('with room for both passes', async () => {
    if (isRefused('mount')) return;
    expect(await onTmpfs('size=4m', ':')).toMatchObject({ code: 0 });
  });
});
