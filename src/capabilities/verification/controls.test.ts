import { describe, expect, it } from 'vitest';
import { lifecycleView } from '../../../test/support/lifecycle-builder.ts';
import { nodeView } from '../../../test/support/node-builder.ts';
import { template } from '../../../test/support/verification-scene.ts';
import { workerAnnotations, workerLabels } from '../../api/keys.ts';
import { formatTime } from '../../base/timestamp.ts';
import { fieldsOf, recordsIn } from '../../objects/raw.ts';
import { controlPod } from './control-pod.ts';
import {
  arePeersAwaited,
  controlTerms,
  isEchoing,
  isYoung,
  type PeerScene,
  peerProblems,
  peersFor,
  peerTerms,
  withPeers,
} from './controls.ts';
import { defaultPolicy, type PlannedCheck } from './policy.ts';
import { projectWorker, type WorkerView } from './worker-view.ts';

const now = Date.parse('2026-11-01T00:00:00Z');
const own = { address: '10.0.0.9', port: 7 };
const asked: readonly PlannedCheck[] = [{ name: 'dns' }, { name: 'peer-echo', id: 'echo' }, { name: 'mtu' }];

type Sketch = {
  readonly name?: string;
  readonly node?: string;
  readonly ageMs?: number;
  readonly podIP?: string;
  readonly ready?: 'True' | 'False';
  readonly isGoing?: boolean;
};

function control({ name = 'c-1', node = 'v', ageMs = 0, ready = 'True', ...rest }: Sketch = {}) {
  const { podIP = '10.0.0.1', isGoing = false } = rest;
  const metadata = {
    name,
    uid: `uid-${name}`,
    labels: { [workerLabels.component]: 'control' },
    annotations: {
      [workerAnnotations.targetNode]: node,
      [workerAnnotations.policy]: 'all/3',
      [workerAnnotations.createdAt]: formatTime(now - ageMs),
    },
    ...(isGoing ? { deletionTimestamp: formatTime(now) } : {}),
  };
  const conditions = [{ type: 'Ready', status: ready }];
  return projectWorker({ metadata, status: { phase: 'Running', podIP, conditions } }, (text) => text);
}

const seeker = (controls: readonly WorkerView[]) => ({
  nodeName: 'new',
  policy: defaultPolicy({}),
  controls,
  controlNames: ['c-1', 'c-2', 'c-3', 'c-4'],
  now,
});

describe('a control worker', () => {
  it('is known by its label, and belongs to a policy', () => {
    expect(control()).toMatchObject({ isControl: true, policy: 'all', targetNode: 'v', podIP: '10.0.0.1' });
  });

  it.each([
    ['its kubelet says that it does', {}, true],
    ['its kubelet does not say so', { ready: 'False' }, false],
    ['it has no address', { podIP: '' }, false],
    ['it is being deleted', { isGoing: true }, false],
  ] as const)('answers or not where %s', (_sentence, sketch, answers) => {
    expect(isEchoing(control(sketch))).toBe(answers);
  });

  it.each([
    ['on another node', {}, 1],
    ['on the very node that is checked', { node: 'new' }, 0],
    ['near the end of its time', { ageMs: 599_000 }, 1],
    ['whose time is over', { ageMs: 600_000 }, 0],
    ['of another policy', { name: 'other' }, 0],
  ])('is told of to a worker or not: %s', (_sentence, sketch, count) => {
    expect(peersFor(seeker([control(sketch)]))).toHaveLength(count);
  });

  it('is told of with one on another node, and its successor before it', () => {
    const old = [control({ ageMs: 500_000 }), control({ name: 'c-2', node: 'w', ageMs: 499_000 })];
    const next = control({ name: 'c-3', ageMs: 1_000 });
    expect(peersFor(seeker([...old, next])).map(({ name }) => name)).toEqual(['c-3', 'c-2']);
    const last = control({ name: 'c-4', node: 'x' });
    expect(peersFor(seeker([...old, next, last])).map(({ name }) => name)).toEqual(['c-4', 'c-3']);
  });

  it.each([
    ['as long as another one can still be made ready', 60_000, 479_000, true],
    ['not when its own end is near', 60_000, 480_000, false],
    ['for longer where workers run for longer', 3_600_000, 7_079_000, true],
  ])('needs no successor: %s', (_sentence, workerTimeoutMs, ageMs, expected) => {
    expect(isYoung(control({ ageMs }), { workerTimeoutMs }, now)).toBe(expected);
  });

  it('that is being deleted needs a successor', () => {
    expect(isYoung(control({ isGoing: true }), defaultPolicy({}), now)).toBe(false);
  });

  it('has a name that fits and that nothing but its policy decides', () => {
    const policy = { name: 'a'.repeat(253), uid: 'uid-1' };
    const { names } = controlTerms(policy);
    expect(new Set(names).size).toBe(4);
    for (const name of names) expect(name).toMatch(/^node-ready-control-a+-[0-9a-f]{10}-[1-4]$/);
    expect(Math.max(...names.map(({ length }) => length))).toBe(63);
    expect(controlTerms(policy).names).toEqual(names);
    expect(controlTerms({ ...policy, uid: 'uid-2' }).names).not.toEqual(names);
  });
});

describe('checks against peers', () => {
  it('get the addresses of control workers where they name none', () => {
    const named = { name: 'mtu', id: 'mine', params: { peers: [own] } };
    const peers = [{ address: '10.0.0.1', port: 8007 }];
    expect(withPeers([...asked, named], [control()])).toEqual([
      { name: 'dns' },
      { name: 'peer-echo', id: 'echo', params: { peers } },
      { name: 'mtu', params: { peers } },
      named,
    ]);
  });

  it('decide nothing where there is no control worker', () => {
    expect(withPeers(asked, []).map(({ severity }) => severity)).toEqual([undefined, 'advisory', 'advisory']);
  });

  it('are refused where they want more peers than there can be', () => {
    const wanting = (params: PlannedCheck['params'] & object) =>
      peerProblems([{ name: 'peer-echo', params }]);
    expect(wanting({ peersMin: 3 })).toMatchObject([{ path: 'spec.checks[0].params.peersMin' }]);
    expect(wanting({ peersMin: 2 })).toEqual([]);
    expect(wanting({ peersMin: 3, peers: [own, own, own] })).toEqual([]);
  });

  const lonely = {
    policy: defaultPolicy({ checks: [{ name: 'peer-echo', params: { peersMin: 2 } }, { name: 'mtu' }] }),
    controls: [control()],
    hosts: 1,
  };

  const scene = ({ hosts = 2, ...change }: Partial<PeerScene> & { readonly hosts?: number }) => ({
    policy: defaultPolicy({ checks: [...asked] }),
    nodeName: 'new',
    controls: [control({ ready: 'False' })],
    controlNames: ['c-1', 'c-2'],
    controlHosts: () => hosts,
    now,
    ...change,
  });

  it.each([
    ['while none answers', {}, true],
    ['not when one does', { controls: [control()] }, false],
    ['not where no node could run one', { hosts: 0 }, false],
    ['not when one does and two are wanted, but no other node could run one', lonely, false],
    ['while one does and two are wanted', { ...lonely, hosts: 2 }, true],
    [
      'not for the sake of advisory checks',
      { policy: defaultPolicy({ checks: [{ name: 'mtu', severity: 'advisory' }] }) },
      false,
    ],
    ['not for checks that name their peers', { policy: defaultPolicy({ checks: [{ name: 'dns' }] }) }, false],
  ])('wait for control workers: %s', (_sentence, change, isAwaited) => {
    expect(arePeersAwaited(scene(change))).toBe(isAwaited);
  });
});

describe('a failure against peers', () => {
  const first = control();
  const second = control({ name: 'c-2', node: 'w' });
  const told = 'uid-c-1,uid-c-2';

  it('counts while two on different nodes stand', () => {
    expect(peerTerms(asked, told, [first, second])).toEqual({ planned: asked, doubtful: [] });
  });

  it.each([
    ['one has gone', told, [first]],
    ['one does not answer any more', told, [first, control({ name: 'c-2', node: 'w', ready: 'False' })]],
    ['both are on one node', told, [first, control({ name: 'c-2' })]],
    ['it was told of one alone', 'uid-c-1', [first, second]],
    ['another has taken the place of one', told, [first, control({ name: 'c-3', node: 'w' })]],
  ])('is in doubt where %s', (_sentence, uids, controls) => {
    expect(peerTerms(asked, uids, controls)).toEqual({ planned: asked, doubtful: ['echo', 'mtu'] });
  });

  it('is of no importance to a worker that was told of none', () => {
    const { planned, doubtful } = peerTerms(asked, 'none', [first, second]);
    expect(planned).toEqual(withPeers(asked, []));
    expect(doubtful).toEqual([]);
  });

  it('is of no importance to one that wants more than its worker was told of', () => {
    const wanting = { name: 'peer-echo', params: { peersMin: 2 } };
    expect(peerTerms([wanting, { name: 'mtu' }], 'uid-c-1', [first])).toEqual({
      planned: [{ ...wanting, severity: 'advisory' }, { name: 'mtu' }],
      doubtful: ['mtu'],
    });
  });

  it('is missed in the report of a worker that was made before anybody asked', () => {
    expect(peerTerms(asked, '', [first, second])).toEqual({ planned: asked, doubtful: [] });
  });
});

describe('the pod of a control worker', () => {
  const podOf = (checks: readonly PlannedCheck[]) => {
    const pod = controlPod({
      name: 'node-ready-control-all-0123456789-1',
      word: 'between-us',
      node: nodeView({ name: 'v', uid: 'uid-v' }),
      lifecycle: lifecycleView({}, 'uid-v'),
      policy: { ...defaultPolicy({ checks: [...checks] }), name: 'all', generation: 3 },
      template,
      now,
    });
    const spec = fieldsOf(pod.spec);
    const [container = {}] = recordsIn(spec['containers']);
    const text = recordsIn(container['env']).find(({ name }) => name === 'WORKER_CONFIG')?.['value'];
    return { pod, spec, container, config: JSON.parse(String(text)) };
  };

  it('goes with the record of its node, and with the node where an autoscaler removes that', () => {
    expect(podOf(asked).pod.metadata).toMatchObject({
      labels: { app: 'kube-node-ready', component: 'control', node: 'v' },
      annotations: {
        'kube-node-ready/target-node': 'v',
        'kube-node-ready/node-uid': 'uid-v',
        'kube-node-ready/policy': 'all/3',
        'cluster-autoscaler.kubernetes.io/safe-to-evict': 'true',
      },
      ownerReferences: [{ kind: 'NodeLifecycle', uid: 'record-of-uid-v', blockOwnerDeletion: false }],
    });
  });

  it('is restricted, tells its kubelet when it answers, and ends by itself, or else by its kubelet', () => {
    const { spec, container, config } = podOf(asked);
    expect(config.echo).toEqual({ bindAddress: ':8007', duration: '660s', word: 'between-us' });
    expect(spec).toMatchObject({
      restartPolicy: 'Never',
      automountServiceAccountToken: false,
      activeDeadlineSeconds: 810,
      securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
    });
    expect(container).toMatchObject({
      readinessProbe: { tcpSocket: { port: 8007 } },
      securityContext: { readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
    });
    expect(JSON.stringify(spec)).not.toMatch(/hostPath|hostNetwork|hostPort|privileged/);
  });

  it.each([
    ['what its policy checks, but for what needs others', asked, [{ name: 'dns' }]],
    [
      'nothing that has to be looked up for it',
      [{ name: 'dns-endpoints' }, { name: 'api' }],
      [{ name: 'api' }],
    ],
    ['that it reaches the API server, where nothing else is left', [{ name: 'mtu' }], [{ name: 'api' }]],
  ])('checks %s', (_sentence, given, checks) => {
    expect(podOf(given).config).toMatchObject({ mode: 'control', checks });
  });
});
