// The policies on the birth of nodes before a real API server: what a node is created with, and that every node joins.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadAll } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { controlPlaneRole, systemTaintKeys, verificationKeys } from '../src/api/keys.ts';
import { fieldsOf, isRecord, recordsIn, textOf } from '../src/objects/raw.ts';
import { type ControlPlane, startControlPlane } from './control-plane/control-plane.ts';
import { until } from './control-plane/until.ts';
import { root } from './support/installed-cluster.ts';

const { bornUnverified, taint: unverified, verifiedLabel: verified } = verificationKeys;
const optIn = { [bornUnverified]: 'true' };
const ours = `${unverified}=true:NoSchedule`;
const notReady = `${systemTaintKeys.notReady}=:NoSchedule`;
const nodes = '/api/v1/nodes';
const policies = '/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicies';
const bindings = '/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicybindings';

let plane: ControlPlane;

beforeAll(async () => {
  plane = await startControlPlane();
  await plane.kubectl(['apply', '--validate=strict', '-f', join(root, 'config/admission')]);
  // The API server takes a policy into use a moment after it accepts it.
  await until('both policies are in use', 30_000, async () => {
    const probe = { name: 'probe', labels: { ...optIn, [verified]: 'true' } };
    const { body } = await plane.request('POST', `${nodes}?dryRun=All`, { body: nodeOf(probe) });
    return taintsOf(body).includes(ours) && labelsOf(body)[verified] === undefined ? true : undefined;
  });
});

afterAll(() => plane?.stop());

describe('a node that asks to be born unverified', () => {
  it.each<[string, readonly Taint[], readonly string[]]>([
    ['without taints', [], [ours, notReady]],
    [
      'with taints of others',
      [{ key: 'dedicated', value: 'gpu', effect: 'NoSchedule' }],
      ['dedicated=gpu:NoSchedule', ours, notReady],
    ],
    [
      'with the taint already there',
      [{ key: unverified, value: 'true', effect: 'NoSchedule' }],
      [ours, notReady],
    ],
    [
      'with the taint under another value',
      [{ key: unverified, value: 'mine', effect: 'NoSchedule' }],
      [`${unverified}=mine:NoSchedule`, notReady],
    ],
    [
      'with the key under another effect',
      [{ key: unverified, value: 'true', effect: 'PreferNoSchedule' }],
      [`${unverified}=true:PreferNoSchedule`, ours, notReady],
    ],
  ])('%s has it once, though the server asks twice', async (_, taints, expected) => {
    const node = await born({ name: nextName(), labels: optIn, taints });
    expect(taintsOf(node).toSorted()).toEqual(expected.toSorted());
  });

  it('loses a verified label that nobody has earned, and keeps its others', async () => {
    const labels = { ...optIn, [verified]: 'true', team: 'a' };
    const node = await born({ name: nextName(), labels });
    expect(labelsOf(node)).toEqual({ ...optIn, team: 'a' });
    expect(taintsOf(node)).toContain(ours);
  });

  it('is left alone from then on', async () => {
    const name = nextName();
    await born({ name, labels: optIn });
    const body = { metadata: { labels: { [verified]: 'true' } }, spec: { taints: null } };
    const released = await plane.request('PATCH', `${nodes}/${name}`, { body });
    expect(released.status).toBe(200);
    const touched = await plane.request('PATCH', `${nodes}/${name}`, {
      body: { metadata: { labels: { team: 'b' } } },
    });
    expect(taintsOf(touched.body)).toEqual([]);
    expect(labelsOf(touched.body)).toMatchObject({ [verified]: 'true', team: 'b' });
  });
});

describe('a node that does not ask', () => {
  it.each<[string, NodeParts]>([
    ['and has no labels', {}],
    ['and says no', { labels: { [bornUnverified]: 'false' } }],
    ['and carries the taint of the control plane', { labels: optIn, taints: [controlPlaneTaint()] }],
    ['and carries the label of the control plane', { labels: { ...optIn, [controlPlaneRole]: '' } }],
  ])('%s is born without the taint', async (_, parts) => {
    const name = nextName();
    const node = await born({ name, ...parts });
    const given = (parts.taints ?? []).map(formatTaint);
    expect(taintsOf(node).toSorted()).toEqual([...given, notReady].toSorted());
    expect(labelsOf(node)).toEqual(parts.labels ?? {});
  });

  it('is not born verified either', async () => {
    expect(labelsOf(await born({ name: nextName(), labels: { [verified]: 'true' } }))).toEqual({});
  });
});

describe('a kubelet', () => {
  const name = 'kubelet-1';

  it('registers its node with the label and gets the taint', async () => {
    const kubeconfig = await kubeletOf(name);
    const input = JSON.stringify(nodeOf({ name, labels: { ...optIn, [verified]: 'true' } }));
    await plane.kubectl(['create', '-f', '-'], { kubeconfig, input });
    const { body } = await plane.request('GET', `${nodes}/${name}`);
    expect(taintsOf(body)).toContain(ours);
    expect(labelsOf(body)).toEqual(optIn);
  });

  it('cannot take the taint away', async () => {
    const patch = ['patch', 'node', name, '--type=merge', '-p', '{"spec":{"taints":null}}'];
    const refused = plane.kubectl(patch, { kubeconfig: await kubeletOf(name) });
    await expect(refused).rejects.toThrow('is not allowed to modify taints');
  });

  it('can still label its node as verified later: the label proves nothing', async () => {
    const kubeconfig = await kubeletOf(name);
    await plane.kubectl(['label', 'node', name, `${verified}=true`], { kubeconfig });
    const { body } = await plane.request('GET', `${nodes}/${name}`);
    expect(labelsOf(body)).toMatchObject({ [verified]: 'true' });
    expect(taintsOf(body)).toContain(ours);
  });
});

describe('another policy', () => {
  const name = 'another';

  beforeAll(async () => {
    const [policy, binding] = loadAll(
      await readFile(join(root, 'config/admission/node-birth.yaml'), 'utf8'),
    ).filter(isRecord);
    const marks = patching('[JSONPatch{op: "add", path: "/metadata/labels/marked", value: "yes"}]');
    const spec = { ...fieldsOf(policy?.['spec']), mutations: [marks] };
    const created = await plane.request('POST', policies, { body: { ...policy, metadata: { name }, spec } });
    expect(created.status).toBe(201);
    const bound = { ...binding, metadata: { name }, spec: { policyName: name } };
    expect((await plane.request('POST', bindings, { body: bound })).status).toBe(201);
    await until('it is in use', 30_000, async () => ((await tryBirth()).isMarked ? true : undefined));
  });

  it('that adds a taint without a look is asked twice, and the node is refused: ours looks', async () => {
    const taint = '{"key": "twice", "effect": "NoSchedule"}';
    await change(`has(object.spec.taints)
      ? [JSONPatch{op: "add", path: "/spec/taints/-", value: ${taint}}]
      : [JSONPatch{op: "add", path: "/spec/taints", value: [${taint}]}]`);
    const { status, body } = await tryBirth();
    expect(status).toBe(422);
    expect(JSON.stringify(body)).toContain('Duplicate value');
  });

  it('that breaks lets the node join, and does not stop ours', async () => {
    await change('[JSONPatch{op: "add", path: "/nowhere/at/all", value: "a"}]');
    expect(taintsOf(await born({ name: nextName(), labels: optIn }))).toContain(ours);
  });

  /** Seen in use when the mark of the policy before, or its refusal, is gone. */
  async function change(expression: string): Promise<void> {
    const before = await tryBirth();
    const body = { spec: { mutations: [patching(expression)] } };
    expect((await plane.request('PATCH', `${policies}/${name}`, { body })).status).toBe(200);
    await until('the change is in use', 30_000, async () => {
      const { status, isMarked } = await tryBirth();
      return status !== before.status || isMarked !== before.isMarked ? true : undefined;
    });
  }

  async function tryBirth() {
    const node = nodeOf({ name: 'probe', labels: optIn });
    const { status, body } = await plane.request('POST', `${nodes}?dryRun=All`, { body: node });
    return { status, body, isMarked: labelsOf(body)['marked'] === 'yes' };
  }
});

function patching(expression: string): object {
  return { patchType: 'JSONPatch', jsonPatch: { expression } };
}

type Taint = { readonly key: string; readonly value: string; readonly effect: string };
type NodeParts = {
  readonly labels?: Readonly<Record<string, string>>;
  readonly taints?: readonly Taint[];
};

let count = 0;
function nextName(): string {
  count += 1;
  return `node-${count}`;
}

function nodeOf({ name, labels, taints }: NodeParts & { readonly name: string }): object {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, ...(labels === undefined ? {} : { labels }) },
    ...(taints === undefined || taints.length === 0 ? {} : { spec: { taints } }),
  };
}

/** As the API server keeps it, not as it answered. */
async function born(parts: NodeParts & { readonly name: string }): Promise<unknown> {
  const { status, body } = await plane.request('POST', nodes, { body: nodeOf(parts) });
  expect([status, body]).toEqual([201, expect.anything()]);
  return (await plane.request('GET', `${nodes}/${parts.name}`)).body;
}

function kubeletOf(name: string): Promise<string> {
  return plane.kubeconfigForUser({ name: `system:node:${name}`, groups: ['system:nodes'] });
}

function controlPlaneTaint(): Taint {
  return { key: controlPlaneRole, value: '', effect: 'NoSchedule' };
}

function formatTaint({ key, value, effect }: Taint): string {
  return `${key}=${value}:${effect}`;
}

function taintsOf(node: unknown): readonly string[] {
  return recordsIn(fieldsOf(fieldsOf(node)['spec'])['taints']).map(
    ({ key, value, effect }) => `${textOf(key)}=${textOf(value)}:${textOf(effect)}`,
  );
}

function labelsOf(node: unknown): Readonly<Record<string, unknown>> {
  return fieldsOf(fieldsOf(fieldsOf(node)['metadata'])['labels']);
}
