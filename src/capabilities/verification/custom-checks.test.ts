import { describe, expect, it } from 'vitest';
import { nodeView } from '../../../test/support/node-builder.ts';
import { template } from '../../../test/support/verification-scene.ts';
import type { CustomCheck } from '../../api/custom-check.ts';
import { formatProblem } from '../../base/result.ts';
import { checkProblems, chosenChecks } from './custom-checks.ts';
import { defaultPolicy, projectPolicy } from './policy.ts';
import { workerPod, type WorkerTemplate } from './worker-pod.ts';

const gpu: CustomCheck = { name: 'gpu-burn', image: 'gpu-burn:1' };
const licence: CustomCheck = { name: 'licence', image: 'licence:1', command: ['/licence'] };
const modules = { name: 'modules', hostPath: { path: '/lib/modules' } };
const spare = { name: 'spare', emptyDir: {} };

const supply = (checks: readonly CustomCheck[]): WorkerTemplate => ({
  ...template,
  custom: { checks, volumes: [modules, spare] },
});
const policyWith = (checks: readonly object[]) =>
  projectPolicy(
    { metadata: { name: 'gpu' }, spec: { nodeSelector: { matchLabels: { pool: 'gpu' } }, checks } },
    [gpu, licence],
  );

describe('the custom checks that a worker runs', () => {
  const names = (chosen: ReturnType<typeof chosenChecks>) => ({
    own: chosen.own.map(({ name }) => name),
    custom: chosen.custom.map(({ name, severity }) => [name, severity]),
  });
  const all = supply([gpu, licence]);

  it('are all there are by the policy of the configuration, after the usual checks', () => {
    expect(names(chosenChecks(defaultPolicy({}), all))).toEqual({
      own: ['dns', 'api', 'network', 'service-discovery'],
      custom: [
        ['gpu-burn', 'required'],
        ['licence', 'required'],
      ],
    });
  });

  it('are those that a NodeVerification names, in its order and with its severity', () => {
    const { policy } = policyWith([
      { name: 'licence', severity: 'advisory' },
      { name: 'dns' },
      { name: 'gpu-burn' },
    ]);
    expect(names(chosenChecks(policy, all))).toEqual({
      own: ['dns'],
      custom: [
        ['licence', 'advisory'],
        ['gpu-burn', 'required'],
      ],
    });
  });

  it('are none where a NodeVerification names no checks', () => {
    const { policy } = projectPolicy({
      metadata: { name: 'gpu' },
      spec: { nodeSelector: { matchLabels: { pool: 'gpu' } } },
    });
    expect(names(chosenChecks(policy, all)).custom).toEqual([]);
  });
});

describe('a policy', () => {
  const problems = (...checks: readonly { readonly name: string; readonly [key: string]: unknown }[]) =>
    checkProblems(checks, [gpu, licence]).map(formatProblem);

  it.each([
    ['the usual ones', [{ name: 'dns' }, { name: 'api' }]],
    ['one check twice under two ids', [{ name: 'dns' }, { name: 'dns', id: 'dns-public' }]],
    [
      'a custom check beside one of the worker',
      [{ name: 'gpu-burn', severity: 'advisory' }, { name: 'api' }],
    ],
    ['none', []],
  ])('that names %s can be followed', (_, checks) => {
    expect(problems(...checks)).toEqual([]);
  });

  it.each([
    [
      'a check that nobody defined',
      [{ name: 'api' }, { name: 'gpu-bern' }],
      'spec.checks[1].name: must be one of dns, dns-endpoints, api, network, service-discovery, clock-skew, disk-space, fsync-latency, peer-echo, mtu, gpu-burn, licence, not "gpu-bern"; custom checks are defined in the configuration of the operator',
    ],
    [
      'a parameter of another check',
      [{ name: 'disk-space', params: { names: ['web.'], freePercentMin: 5 } }],
      'spec.checks[0].params.names: is no parameter of disk-space, which takes freePercentMin, freeInodesPercentMin, freeMiBMin',
    ],
    [
      'a parameter of a check that takes none',
      [{ name: 'api', params: { port: 1 } }],
      'spec.checks[0].params.port: is no parameter of api, which takes none',
    ],
    [
      'parameters of a custom check',
      [{ name: 'api' }, { name: 'gpu-burn', params: { port: 1 } }],
      'spec.checks[1].params: is {"port":1}, but gpu-burn is a custom check, which takes a severity alone',
    ],
    [
      'tries of a custom check',
      [{ name: 'api' }, { name: 'gpu-burn', tries: 2 }],
      'spec.checks[1].tries: is 2, but gpu-burn is a custom check, which takes a severity alone',
    ],
    [
      'a custom check and another by its name',
      [{ name: 'dns', id: 'licence' }, { name: 'licence' }],
      'spec.checks: has licence more than once; give each its own id',
    ],
    [
      'custom checks alone',
      [{ name: 'gpu-burn' }, { name: 'licence' }],
      'spec.checks: has custom checks only; name one of the worker too, such as api',
    ],
  ])('that names %s cannot be followed', (_, checks, said) => {
    expect(problems(...checks)).toEqual([said]);
  });

  it('that cannot be followed still selects its nodes, so that no other policy lets them in', () => {
    const { policy, problems: found } = policyWith([{ name: 'api' }, { name: 'gpu-bern' }]);
    expect(policy?.refusal).toContain('not "gpu-bern"');
    expect(found).toHaveLength(1);
  });
});

type Container = Readonly<Record<string, unknown>> & { readonly name: string };
type PodSpec = {
  readonly activeDeadlineSeconds: number;
  readonly initContainers?: readonly Container[];
  readonly containers: readonly Container[];
  readonly volumes: readonly { readonly name: string }[];
};

function specOf(checks: readonly CustomCheck[], asked: readonly object[] | null = null): PodSpec {
  const policy = asked === null ? defaultPolicy({}) : policyWith(asked).policy;
  if (policy === null) throw new Error('the policy cannot be read');
  const record = { state: 'pending', workerPod: 'w' } as const;
  const lifecycle = { name: 'a', uid: 'uid-of-lifecycle' } as Parameters<typeof workerPod>[0]['lifecycle'];
  const pod = workerPod({ node: nodeView(), policy, record, lifecycle, template: supply(checks), now: 0 });
  return pod.spec as PodSpec;
}

describe('the pod of a worker with custom checks', () => {
  it('runs required ones first and one after the other, advisory ones beside the worker', () => {
    const asked = [{ name: 'licence', severity: 'advisory' }, { name: 'gpu-burn' }, { name: 'api' }];
    const { initContainers = [], containers } = specOf([gpu, licence], asked);
    expect(initContainers.map(({ name }) => name)).toEqual(['gpu-burn']);
    expect(containers.map(({ name }) => name)).toEqual(['worker', 'licence']);
    const env = (containers[0]?.['env'] ?? []) as readonly { name: string; value?: string }[];
    const config: unknown = JSON.parse(env.find(({ name }) => name === 'WORKER_CONFIG')?.value ?? '');
    expect(config).toMatchObject({ checks: [{ name: 'api' }] });
  });

  it('has no init containers where there are none', () => {
    expect(specOf([])).not.toHaveProperty('initContainers');
  });

  it('gives their images time to be pulled before its kubelet ends it', () => {
    expect([specOf([]), specOf([gpu])].map(({ activeDeadlineSeconds }) => activeDeadlineSeconds)).toEqual([
      90, 270,
    ]);
  });

  it('is restricted, bounded and without a token unless the administrator says otherwise', () => {
    expect(specOf([gpu]).initContainers).toEqual([
      {
        name: 'gpu-burn',
        image: 'gpu-burn:1',
        env: [
          { name: 'NODE_NAME', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } },
          { name: 'POD_NAMESPACE', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } },
        ],
        resources: { requests: { cpu: '50m', memory: '64Mi' }, limits: { memory: '128Mi' } },
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        },
        terminationMessagePolicy: 'FallbackToLogsOnError',
      },
    ]);
  });

  it('carries what the administrator says, and the volumes that are mounted alone', () => {
    const said: CustomCheck = {
      ...gpu,
      command: ['/burn'],
      args: ['5'],
      workingDir: '/tmp',
      env: [{ name: 'LEVEL', value: '3' }],
      volumeMounts: [{ name: 'modules', mountPath: '/lib/modules', readOnly: true, subPath: undefined }],
      securityContext: { runAsUser: 0, runAsNonRoot: false, privileged: undefined },
    };
    const { initContainers = [], volumes } = specOf([said]);
    expect(initContainers[0]).toMatchObject({
      command: ['/burn'],
      args: ['5'],
      workingDir: '/tmp',
      securityContext: { runAsUser: 0, runAsNonRoot: false, capabilities: { drop: ['ALL'] } },
    });
    expect(initContainers[0]?.['env']).toContainEqual({ name: 'LEVEL', value: '3' });
    expect(JSON.stringify(initContainers[0]?.['volumeMounts'])).toBe(
      '[{"name":"modules","mountPath":"/lib/modules","readOnly":true}]',
    );
    expect(volumes.map(({ name }) => name)).toEqual(['scratch', 'account', 'modules']);
  });

  it.each([
    ['is privileged', { privileged: true }],
    ['may do what root may', { capabilities: { add: ['SYS_ADMIN'] } }],
  ])('does not forbid a check to gain privileges that %s: the API server refuses both', (_, security) => {
    const [container] = specOf([{ ...gpu, securityContext: security }]).initContainers ?? [];
    expect(container?.['securityContext']).not.toHaveProperty('allowPrivilegeEscalation');
  });

  it.each([
    [
      'a request is the limit too where none is given',
      { requests: { memory: '1Gi' } },
      { requests: { cpu: '50m', memory: '1Gi' }, limits: { memory: '1Gi' } },
    ],
    [
      'a limit is the request too where none is given',
      { limits: { memory: '32Mi', cpu: '10m', 'nvidia.com/gpu': '1' } },
      {
        requests: { cpu: '10m', memory: '32Mi' },
        limits: { memory: '32Mi', cpu: '10m', 'nvidia.com/gpu': '1' },
      },
    ],
  ])('has resources in which %s', (_, resources, result) => {
    const [container] = specOf([{ ...gpu, resources }]).initContainers ?? [];
    expect(container?.['resources']).toEqual(result);
  });
});
