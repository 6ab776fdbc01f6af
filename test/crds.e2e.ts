// Definitions and records against a real API server: what it accepts, what it refuses in which words, what people see.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nodeLifecycleType } from '../src/api/keys.ts';
import { kinds } from '../src/api/kinds.ts';
import type { NodeLifecycleStatus } from '../src/api/node-lifecycle.ts';
import { formatTime } from '../src/base/timestamp.ts';
import { resourceName } from '../src/objects/ref.ts';
import { until } from './control-plane/until.ts';
import { headOf, type InstalledCluster, startInstalledCluster } from './support/installed-cluster.ts';

let cluster: InstalledCluster;

beforeAll(async () => {
  cluster = await startInstalledCluster();
});

afterAll(() => cluster?.stop());

describe('the definitions', () => {
  it('are accepted without a complaint about the schema', async () => {
    for (const { type } of kinds) {
      const crd = await cluster.kubectl(['get', 'crd', resourceName(type), '-o', 'json']);
      expect(crd).not.toContain('NonStructuralSchema');
    }
  });

  it('are found under their short names and their category', async () => {
    const resources = await cluster.kubectl(['api-resources', '--categories=muster', '--no-headers']);
    expect(resources).toMatch(/^disruptionpolicies +dp /m);
    expect(resources).toMatch(/^nodelifecycles +nl /m);
  });

  it('explain each field', async () => {
    // The API server publishes the schema of a new kind a moment after it accepts the kind.
    const explained = await until('the schema is published', 30_000, () =>
      cluster.kubectl(['explain', 'nl.status.gateSummary']).catch(() => undefined),
    );
    expect(explained).toContain('The first open gate and how many more, or a dash.');
  });
});

describe('a NodeVerification', () => {
  const nodeSelector = { matchLabels: { pool: 'a' } };
  it.each<[string, object, string]>([
    [
      'a taint of the control plane',
      { taints: [{ key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' }] },
      'the taint belongs to Kubernetes or to an autoscaler',
    ],
    ['a taint key that is none', { taints: [{ key: 'a/b/c', effect: 'NoSchedule' }] }, 'should match'],
    [
      'a label that names the pool of a node',
      { verifiedLabel: { key: 'karpenter.sh/nodepool' } },
      'the label is set by Kubernetes or by a provider',
    ],
  ])('does not name %s', async (_, change, words) => {
    const policy = {
      apiVersion: 'muster.dev/v1alpha1',
      kind: 'NodeVerification',
      metadata: { name: 'refused' },
      spec: { nodeSelector, ...change },
    };
    await expect(cluster.create(policy)).rejects.toThrow(words);
  });
});

describe('a NodeLifecycle', () => {
  it('drops its status when it is created', async () => {
    await cluster.create(record('born', { stage: 'Joined' }));
    expect(await cluster.kubectl(['get', 'nl', 'born', '-o', 'jsonpath={.status}'])).toBe('');
  });

  it('is named like its node', async () => {
    const refused = cluster.create({ ...record('one'), metadata: { name: 'another' } });
    await expect(refused).rejects.toThrow('metadata.name must be spec.nodeName');
  });

  it.each(['nodeName', 'nodeUID'])('keeps its %s for ever', async (field) => {
    await cluster.apply(record('immutable'));
    const refused = cluster.patch('nl/immutable', { spec: { [field]: 'another' } });
    await expect(refused).rejects.toThrow(
      `spec.${field}: Invalid value: "another": is immutable: a node that is re-created`,
    );
  });

  it.each<[string, object, string]>([
    ['a stage that does not exist', { stage: 'Retired' }, 'status.stage: Unsupported value: "Retired"'],
    [
      'a message beyond its bound',
      { stageMessage: 'x'.repeat(129) },
      'status.stageMessage: Too long: may not be more than 128',
    ],
    [
      'a timeline beyond its bound',
      { timeline: transitions(33) },
      'status.timeline: Too many: 33: must have at most 32 items',
    ],
    [
      'a gate without a reason',
      { gates: [{ kind: 'Own', key: 'a' }] },
      'status.gates[0].reason: Required value',
    ],
    ['a time that is none', { stageSince: 'yesterday' }, 'status.stageSince: Invalid value: "yesterday"'],
  ])('refuses %s', async (_, status, words) => {
    await cluster.apply(record('bounded'));
    await expect(patchStatus('bounded', status)).rejects.toThrow(words);
  });

  it('accepts a status that is filled to its bounds', async () => {
    await cluster.apply(record('full'));
    await patchStatus('full', {
      gates: Array.from({ length: 16 }, (_, index) => ({
        kind: 'Foreign',
        key: `a/${index}`,
        reason: 'ForeignTaint',
        message: 'x'.repeat(128),
      })),
      conflicts: Array.from({ length: 4 }, (_, index) => ({
        owner: `${index}`.padEnd(317, 'x'),
        reason: 'RuleConflict'.padEnd(64, 'x'),
        message: 'x'.repeat(128),
      })),
      timeline: transitions(32),
    });
    expect(
      JSON.parse(await cluster.kubectl(['get', 'nl', 'full', '-o', 'jsonpath={.status.timeline}'])),
    ).toHaveLength(32);
  });
});

describe('kubectl get nl', () => {
  // The longest stage, and name, gates and pool of 52 characters together: as much as 80 columns hold.
  const name = 'worker-0123.eu-west.example.io';

  beforeAll(async () => {
    await cluster.kubectl(['delete', 'nl', '--all']);
    const since = (days: number) => formatTime(Date.now() - days * 86_400_000 - 60_000);
    const calm: NodeLifecycleStatus = {
      stage: 'InService',
      stageSince: since(6),
      gateSummary: '-',
      pool: 'gp-arm',
    };
    const gated: NodeLifecycleStatus = { ...calm, stage: 'Gated', gateSummary: 'cni-not-ready +2' };
    await cluster.apply(record('a'));
    await patchStatus('a', { ...gated, update: { phase: 'Draining' } });
    await cluster.apply(record('b'));
    await patchStatus('b', { ...calm, stage: 'Configuring', stageSince: since(400) });
    await cluster.apply(record('c'));
    await cluster.apply(record(name));
    await patchStatus(name, calm);
  });

  it('shows stage, gates, pool and time within 80 columns', async () => {
    const lines = (await cluster.kubectl(['get', 'nl'])).split('\n').map((line) => line.trimEnd());
    expect(lines).toEqual([
      'NAME                             STAGE         GATES              POOL     SINCE',
      'a                                Gated         cni-not-ready +2   gp-arm   6d',
      'b                                Configuring   -                  gp-arm   400d',
      'c',
      'worker-0123.eu-west.example.io   InService     -                  gp-arm   6d',
      '',
    ]);
    expect(Math.max(...lines.map((line) => line.length))).toBe(80);
  });

  it('shows more when asked for wide output', async () => {
    const [heading] = (await cluster.kubectl(['get', 'nl', '-o', 'wide'])).split('\n');
    expect(heading?.split(/ {2,}/).filter(Boolean)).toEqual([
      'NAME',
      'STAGE',
      'GATES',
      'POOL',
      'SINCE',
      'CONFLICT',
      'PHASE',
      'NODE UID',
      'BOOT ID',
      'AGE',
    ]);
  });

  it('narrows to a stage on the server', async () => {
    const gated = await cluster.kubectl([
      'get',
      'nl',
      '--field-selector',
      'status.stage=Gated',
      '-o',
      'name',
    ]);
    expect(gated.trim()).toBe(
      `${resourceName(nodeLifecycleType).replace('nodelifecycles', 'nodelifecycle')}/a`,
    );
  });
});

function record(name: string, status?: NodeLifecycleStatus) {
  const spec = { nodeName: name, nodeUID: `uid-of-${name}` };
  return { ...headOf(nodeLifecycleType, name), spec, ...(status === undefined ? {} : { status }) };
}

function transitions(count: number) {
  return Array.from({ length: count }, () => ({
    at: '2026-11-15T10:42:00Z',
    stage: 'InService',
    reason: 'NoOpenGate',
  }));
}

function patchStatus(name: string, status: object): Promise<string> {
  return cluster.patch(`nl/${name}`, { status }, '--subresource=status');
}
