// Rights and chart against a real API server and the real Helm.

import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { dump, load, loadAll } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  disruptionPolicyType,
  leaderLeaseName,
  nodeLifecycleType,
  nodeVerificationType,
  systemNamespace,
  workerServiceAccount,
} from '../src/api/keys.ts';
import type { OptionalRight } from '../src/api/rbac.ts';
import { readOperatorConfig } from '../src/cli/operator-config.ts';
import { fieldsOf, isRecord, recordsIn } from '../src/objects/raw.ts';
import { eventType, leaseType } from '../src/objects/ref.ts';
import { type InstalledCluster, root, startInstalledCluster } from './support/installed-cluster.ts';

const chart = join(root, 'charts/muster');
const run = promisify(execFile);
let cluster: InstalledCluster;

beforeAll(async () => {
  cluster = await startInstalledCluster();
});

afterAll(() => cluster?.stop());

describe('the rights of the operator', () => {
  const { group, plural: records } = nodeLifecycleType;
  const leases = { group: leaseType.group, resource: leaseType.plural, namespace: systemNamespace };
  const events = { group: eventType.group, resource: eventType.plural };

  it.each<[string, boolean, object]>([
    ['patch a node', true, { verb: 'patch', resource: 'nodes' }],
    ['replace a node', false, { verb: 'update', resource: 'nodes' }],
    ['delete a node', false, { verb: 'delete', resource: 'nodes' }],
    ['create a record', true, { verb: 'create', group, resource: records }],
    ['replace a record', false, { verb: 'update', group, resource: records }],
    [
      'patch the status of a record',
      true,
      { verb: 'patch', group, resource: records, subresource: 'status' },
    ],
    ['renew its own lease', true, { verb: 'update', ...leases, name: leaderLeaseName }],
    ['renew another lease', false, { verb: 'update', ...leases, name: 'another' }],
    ['create a lease where it runs', true, { verb: 'create', ...leases }],
    ['create a lease elsewhere', false, { verb: 'create', ...leases, namespace: 'kube-system' }],
    ['create an event about a node', true, { verb: 'create', ...events, namespace: 'default' }],
    ['patch the policy', false, { verb: 'patch', group, resource: disruptionPolicyType.plural }],
    ['list secrets', false, { verb: 'list', resource: 'secrets' }],
  ])('to %s: %s', async (_, allowed, resourceAttributes) => {
    const user = `system:serviceaccount:${systemNamespace}:muster-operator`;
    const review = { spec: { user, resourceAttributes } };
    const path = '/apis/authorization.k8s.io/v1/subjectaccessreviews';
    const { status, body } = await cluster.request('POST', path, { body: review });
    expect(status).toBe(201);
    expect(body).toMatchObject({ status: { allowed } });
  });
});

describe('the account of workers', () => {
  const account = { namespace: systemNamespace, name: workerServiceAccount };

  it('has no right that an account without any role has not', async () => {
    await cluster.kubectl(['create', 'serviceaccount', 'nobody', '-n', systemNamespace]);
    const rightsOf = async (name: string) => {
      const { path: kubeconfig } = await cluster.kubeconfigFor({ ...account, name });
      return cluster.kubectl(['auth', 'can-i', '--list', '-n', systemNamespace], { kubeconfig });
    };
    const rights = await rightsOf(workerServiceAccount);
    expect(rights).toContain('selfsubjectreviews.authentication.k8s.io');
    expect(rights).toBe(await rightsOf('nobody'));
    expect(rights).not.toMatch(/\b(nodes|pods|services|endpoints|endpointslices|secrets)\b/);
  });

  it('is told by the API server who it is', async () => {
    const { path: kubeconfig } = await cluster.kubeconfigFor(account);
    expect(await cluster.kubectl(['auth', 'whoami'], { kubeconfig })).toContain(
      `system:serviceaccount:${systemNamespace}:${workerServiceAccount}`,
    );
  });
});

describe('the chart', () => {
  const digest = `sha256:${'0'.repeat(64)}`;
  const everything = [
    'poolLabels={a,b}',
    'kubeApi.qps=50',
    'kubeApi.burst=100',
    'kubeApi.http1=true',
    'verification.everyNode=true',
    'verification.reportResultsToAPI=true',
    'verification.nodeCondition=true',
    `image.digest=${digest}`,
    'worker.initContainers[0].name=licence',
    'worker.initContainers[0].image=licence:1',
    'worker.initContainers[0].args={--level,a b}',
    'worker.volumes[0].name=modules',
    'worker.volumes[0].hostPath.path=/lib/modules',
  ];

  it('passes the lint of Helm', async () => {
    expect(await helm(['lint', '--strict', chart])).toContain('0 chart(s) failed');
  });

  it.each<[string, readonly string[]]>([
    ['its defaults', []],
    ['every option', everything],
    ['a single replica', ['replicas=1', 'metrics.service=false']],
  ])('renders what an API server accepts with %s', async (_, values) => {
    const input = await render(values);
    await cluster.kubectl(['apply', '--dry-run=server', '--validate=strict', '-f', '-'], { input });
  });

  it('passes its values on as flags', async () => {
    const rendered = await render(everything);
    for (const flag of [
      '--pool-labels=a,b',
      '--kube-api-qps=50',
      '--kube-api-burst=100',
      '--http1',
      '--verify-nodes',
      '--report-results-to-api',
      '--node-condition',
      `@${digest}`,
    ]) {
      expect(rendered).toContain(flag);
    }
  });

  it('passes custom checks on as the operator reads them', async () => {
    const [deployment] = documents(await render(everything)).filter(({ kind }) => kind === 'Deployment');
    const flags = argumentsIn(deployment).filter((flag) => flag.startsWith('--worker-'));
    const files = { environment: {}, read: async () => ({ kind: 'error', error: 'ENOENT' }) as const };
    expect(await readOperatorConfig(flags, files)).toMatchObject({
      kind: 'ok',
      value: {
        custom: {
          checks: [{ name: 'licence', image: 'licence:1', args: ['--level', 'a b'] }],
          volumes: [{ name: 'modules', hostPath: { path: '/lib/modules' } }],
        },
      },
    });
  });

  it('refuses a value that it does not know', async () => {
    await expect(render(['replcias=3'])).rejects.toThrow('replcias');
  });

  it('runs as many replicas as asked for, and refuses to run none', async () => {
    const deployment = documents(await render(['replicas=2'])).find(({ kind }) => kind === 'Deployment');
    expect(deployment).toMatchObject({ spec: { replicas: 2 } });
    await expect(render(['replicas=0'])).rejects.toThrow('/replicas');
  });

  it('renders the values of the guide of verification as they are', async () => {
    const guide = await readFile(join(root, 'docs/guides/verification.md'), 'utf8');
    const [, sample = ''] = /```yaml\n(verification:\n[^]*?)```/.exec(guide) ?? [];
    const { verification } = load(sample) as { verification: { policies: { name: string; spec: object }[] } };
    const input = await renderPolicies(verification.policies);
    expect(verificationsIn(input)).toEqual(verification.policies);
    expect(verificationsIn(input).map(({ spec }) => spec)).toMatchObject([
      { taints: [{ key: 'example.com/new' }] },
      { taints: [] },
    ]);
    await cluster.kubectl(['apply', '--dry-run=server', '--validate=strict', '-f', '-'], { input });
  });

  it.each<[string, object, string]>([
    ['no attempt at all', { maxRetries: 0 }, 'spec.maxRetries: Invalid value: 0'],
    ['a backoff of 0', { retryBackoff: '0' }, 'spec.retryBackoff: Unsupported value: "0"'],
    ['a misspelt field', { maxRetires: 3 }, 'unknown field "spec.maxRetires"'],
  ])('lets the API server refuse a policy with %s', async (_, change, words) => {
    const spec = { nodeSelector: { matchLabels: { pool: 'a' } }, ...change };
    const input = await renderPolicies([{ name: 'a', spec }]);
    const applied = cluster.kubectl(['apply', '--dry-run=server', '--validate=strict', '-f', '-'], { input });
    await expect(applied).rejects.toThrow(words);
  });

  it('takes a policy that asks for deletion without limits, which nothing carries out', async () => {
    const spec = { nodeSelector: { matchLabels: { pool: 'a' } }, deleteFailedNodes: true };
    const input = await renderPolicies([{ name: 'a', spec }]);
    await cluster.kubectl(['apply', '--dry-run=server', '--validate=strict', '-f', '-'], { input });
    expect(JSON.stringify(rulesIn(input))).not.toMatch(/"nodes"\],"verbs":\[[^\]]*"delete"/);
  });

  it('renders the policies on the birth of nodes where they are asked for, and only for a cluster that has them', async () => {
    const asked = ['admission.nodeBirth=true'];
    const policies = await readFile(join(root, 'config/admission/node-birth.yaml'), 'utf8');
    const rendered = await render(asked, '1.36.0');
    expect(documents(rendered)).toEqual(expect.arrayContaining([...documents(policies)]));
    await cluster.kubectl(['apply', '--dry-run=server', '--validate=strict', '-f', '-'], { input: rendered });
    expect(await render([], '1.36.0')).not.toContain('MutatingAdmissionPolicy');
    await expect(render(asked, '1.35.4')).rejects.toThrow(
      'admission.nodeBirth needs Kubernetes 1.36 or newer, and this is v1.35.4',
    );
  });

  it('gives the operator the same rights as the manifests', async () => {
    const manifests = await readFile(join(root, 'config/rbac/operator.yaml'), 'utf8');
    expect(rulesIn(await render([]))).toEqual(rulesIn(manifests));
  });

  it.each<[OptionalRight, string]>([
    ['report-results-to-api', 'verification.reportResultsToAPI=true'],
    ['node-condition', 'verification.nodeCondition=true'],
  ])('grants what --%s needs only where %s says so, as the manifests do', async (right, value) => {
    const manifests = await readFile(join(root, 'config/rbac-optional', `${right}.yaml`), 'utf8');
    const granted = rulesIn(manifests).flat().filter(isRecord);
    expect(granted).toHaveLength(1);
    expect(rulesIn(await render([])).flat()).not.toContainEqual(granted[0]);
    expect(rulesIn(await render([value])).flat()).toContainEqual(granted[0]);
    await cluster.kubectl(['apply', '--dry-run=server', '--validate=strict', '-f', '-'], {
      input: manifests,
    });
  });

  it('runs a pod that a restricted namespace admits', async () => {
    const deployment = documents(await render([])).find(({ kind }) => kind === 'Deployment');
    const template = isRecord(deployment?.['spec']) ? deployment['spec']['template'] : undefined;
    if (!isRecord(template)) throw new Error('the chart has no Deployment');
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'operator', namespace: systemNamespace },
      spec: template['spec'],
    };
    await cluster.kubectl(['create', '--dry-run=server', '-f', '-'], { input: dump(pod) });
    const free = { ...pod, spec: { containers: [{ name: 'operator', image: 'a' }] } };
    const refused = cluster.kubectl(['create', '--dry-run=server', '-f', '-'], { input: dump(free) });
    await expect(refused).rejects.toThrow('violates PodSecurity "restricted');
  });
});

function argumentsIn(deployment: unknown): readonly string[] {
  const template = fieldsOf(fieldsOf(fieldsOf(deployment)['spec'])['template']);
  const [container] = recordsIn(fieldsOf(template['spec'])['containers']);
  const flags = container?.['args'];
  return Array.isArray(flags) ? flags.filter((flag) => typeof flag === 'string') : [];
}

function render(values: readonly string[], kubeVersion?: string): Promise<string> {
  const sets = values.flatMap((value) => ['--set', value]);
  const version = kubeVersion === undefined ? [] : ['--kube-version', kubeVersion];
  return helm(['template', 'muster', chart, '--namespace', systemNamespace, ...version, ...sets]);
}

function renderPolicies(policies: readonly object[]): Promise<string> {
  const json = `verification.policies=${JSON.stringify(policies)}`;
  return helm(['template', 'muster', chart, '--namespace', systemNamespace, '--set-json', json]);
}

async function helm(args: readonly string[]): Promise<string> {
  const { stdout } = await run(cluster.bin('helm'), [...args], { env: { HOME: cluster.dir } });
  return stdout;
}

function documents(text: string): readonly Readonly<Record<string, unknown>>[] {
  return loadAll(text).filter(isRecord);
}

function verificationsIn(text: string): readonly { readonly name: unknown; readonly spec: unknown }[] {
  return documents(text)
    .filter(({ kind }) => kind === nodeVerificationType.kind)
    .map(({ metadata, spec }) => ({ name: fieldsOf(metadata)['name'], spec }));
}

function rulesIn(text: string): readonly unknown[] {
  return ['ClusterRole', 'Role'].map(
    (kind) => documents(text).find((document) => document['kind'] === kind)?.['rules'],
  );
}
