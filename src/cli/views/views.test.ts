// What people see of a fleet with rules in every state, at 80 columns: compared with golden files, letter by letter.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { disruptionPolicyType } from '../../api/keys.ts';
import { startViewScene, type ViewScene } from '../../../test/support/view-scene.ts';
import { explainCommand } from './explain.ts';
import { nodesCommand } from './nodes.ts';
import { rulesCommand } from './rules.ts';

const calico = 'network.k8s.io/CalicoReady';
const names = Array.from({ length: 24 }, (_, index) => `blue-${String(index + 1).padStart(2, '0')}`);
const golden = (name: string) => `../../../test/golden/${name}.txt`;
const spec = {
  conditions: [{ type: calico, requiredStatus: 'True' }],
  enforcementMode: 'continuous',
  taint: { key: 'readiness.k8s.io/NetworkReady', effect: 'NoSchedule' },
  nodeSelector: { matchLabels: { pool: 'blue' } },
};

let scene: ViewScene;

beforeAll(async () => {
  scene = await startViewScene();
  for (const name of names)
    await scene.join(name, { labels: { pool: 'blue' }, conditions: { [calico]: 'True' } });
  await scene.join('gpu-01', {
    labels: { pool: 'gpu' },
    taints: [{ key: 'dedicated', effect: 'NoSchedule', value: 'gpu' }],
  });
  await scene.putRule('network', spec);
  await scene.putUpstreamRule('storage', {
    ...spec,
    conditions: [{ type: 'storage.k8s.io/CSIReady', requiredStatus: 'True' }],
    enforcementMode: 'bootstrap-only',
    taint: { key: 'readiness.k8s.io/StorageReady', effect: 'NoSchedule' },
    dryRun: true,
  });
  await scene.putRule('suspended', {
    ...spec,
    suspend: true,
    taint: { key: 'example.com/gpu-driver', effect: 'NoSchedule' },
    nodeSelector: { matchLabels: { pool: 'gpu' } },
  });
  scene.startOperator();
  await scene.run(40_000);
  // Younger than the rule whose taint it has.
  await scene.putRule('network-again', spec);
  await scene.run(3_600_000 / 60);
  for (const name of names.slice(0, 20))
    await scene.report(name, { type: calico, status: 'False', reason: 'BGPPeerDown' });
  await scene.merge({ group: '', version: 'v1', plural: 'nodes', kind: 'Node', scope: 'Cluster' }, 'gpu-01', {
    spec: { unschedulable: true },
  });
  await scene.run(90_000);
});
afterAll(() => scene.stop());

describe('muster rules', () => {
  it('shows one line per rule of both kinds within 80 columns', async () => {
    const { code, out } = await scene.print(rulesCommand);
    expect(code).toBe(0);
    for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    await expect(`${out}\n`).toMatchFileSnapshot(golden('rules'));
  });

  it('gives programs every state and count', async () => {
    const { out } = await scene.print(rulesCommand, '--output json');
    const { rules } = JSON.parse(out) as { rules: { name: string }[] };
    expect(rules.map(({ name }) => name)).toEqual(['network', 'network-again', 'suspended', 'storage']);
    expect(rules[0]).toMatchObject({
      kind: 'NodeReadinessGateRule',
      states: ['GatingIsHeld'],
      nodes: { matched: 24, ready: 4, notReady: 20, unknown: 0, gated: 10, held: 10, failing: 0 },
      servedBy: null,
    });
    expect(rules[1]).toMatchObject({ states: ['RuleConflict'] });
  });

  it('gives names that kubectl understands', async () => {
    const { out } = await scene.print(rulesCommand, '-o name');
    expect(out.split('\n')).toContain('nodereadinessgaterules.nodereadiness.io/network');
  });

  it('colours nothing but on a terminal that has colours', async () => {
    const plain = await scene.print(rulesCommand);
    const coloured = await scene.print(rulesCommand, '', { hasColour: true });
    expect(plain.out).not.toContain('\u001B');
    expect(coloured.out).toContain('\u001B[33mGatingIsHeld');
    // oxlint-disable-next-line no-control-regex -- escape sequences begin with one
    expect(coloured.out.replaceAll(/\u001B\[\d+m/g, '').replaceAll(/ +$/gm, '')).toBe(plain.out);
  });
});

describe('muster explain rule', () => {
  it('says what the rule asks, whom it gates and holds, why, and the command that lifts it', async () => {
    const { code, out } = await scene.print(explainCommand, 'rule network');
    expect(code).toBe(3);
    for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    await expect(`${out}\n`).toMatchFileSnapshot(golden('explain-held'));
  });

  it('tells the younger of two rules with one taint who has the say', async () => {
    const { out } = await scene.print(explainCommand, 'rule network-again');
    await expect(`${out}\n`).toMatchFileSnapshot(golden('explain-conflict'));
  });

  it('says what a dry run would do, and that it holds nobody', async () => {
    const { code, out } = await scene.print(explainCommand, 'rule nrr/storage');
    expect(code).toBe(0);
    await expect(`${out}\n`).toMatchFileSnapshot(golden('explain-dry-run'));
  });

  it('follows one node from its condition to what is done about it', async () => {
    const { code, out } = await scene.print(explainCommand, 'rule network --node blue-01');
    expect(code).toBe(3);
    await expect(`${out}\n`).toMatchFileSnapshot(golden('explain-node'));
  });

  it('is fine about a node that meets the rule', async () => {
    const { code, out } = await scene.print(explainCommand, 'rule network --node blue-24');
    expect(code).toBe(0);
    expect(out).toContain('Node blue-24 and NodeReadinessGateRule network: it is free');
  });

  it('names the labels that a node lacks for the rule', async () => {
    const { code, out } = await scene.print(explainCommand, 'rule network --node gpu-01');
    expect(code).toBe(0);
    expect(out).toContain('gpu-01 would need pool=blue (it has pool=gpu).');
    expect(out).toMatch(/What else keeps pods away[^]*unschedulable: the node is cordoned/);
  });

  it('gives programs every node by name', async () => {
    const { code, out } = await scene.print(explainCommand, 'rule network -o json');
    const document = JSON.parse(out) as { evaluations: { group: string }[]; brake: object };
    const groups = Map.groupBy(document.evaluations, ({ group }) => group);
    expect(Object.fromEntries([...groups].map(([group, some]) => [group, some.length]))).toEqual({
      free: 4,
      gated: 10,
      held: 10,
    });
    expect(document.brake).toMatchObject({ wantedNodes: 20, pools: [{ name: 'blue', gated: 10, held: 10 }] });
    expect(code).toBe(3);
  });

  it('lists names that come near one that is not there', async () => {
    const { code, out, err } = await scene.print(explainCommand, 'rule netwrok');
    expect([code, out]).toEqual([1, '']);
    expect(err).toBe('muster explain: netwrok: there is no such rule; did you mean nrgr/network?');
  });

  it('lists nodes that come near one that is not there', async () => {
    const { code, err } = await scene.print(explainCommand, 'rule network --node blue-011');
    expect(code).toBe(1);
    expect(err).toMatch(
      /^muster explain: --node: there is no node blue-011; did you mean blue-01, blue-11, /,
    );
  });

  it.each([
    ['nothing at all', '', 'muster explain: rule: is missing\nmuster explain: RULE: is missing'],
    [
      'what cannot be explained',
      'weather today',
      'muster explain: weather: cannot be explained; what can is: rule',
    ],
    [
      'a name that is none',
      'rule A_b',
      `muster explain: A_b: must be lower-case letters, digits, '-' and '.', not "A_b"`,
    ],
    [
      'a kind that is none',
      'rule pod/a',
      'muster explain: pod/a: pod is not a kind of rules; they are nrgr and nrr',
    ],
    ['a bad value', 'rule a --output xml', 'muster explain: --output: must be one of text, json, not "xml"'],
    ['a flag that is none', 'rule a --wings', 'muster explain: --wings: is not a flag; --help lists them'],
    ['one word too many', 'rule a b', 'muster explain: b: is not expected here'],
  ])('refuses %s with exit code 2', async (_sentence, line, err) => {
    expect(await scene.print(explainCommand, line)).toEqual({ code: 2, out: '', err });
  });
});

describe('muster nodes', () => {
  it('shows one line per node within 80 columns', async () => {
    const { code, out } = await scene.print(nodesCommand);
    expect(code).toBe(0);
    for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    await expect(`${out}\n`).toMatchFileSnapshot(golden('nodes'));
  });

  it('shows open gates alone, with who and why', async () => {
    const { out } = await scene.print(nodesCommand, '--gated');
    await expect(`${out}\n`).toMatchFileSnapshot(golden('nodes-gated'));
  });

  it('selects by pool and by stage', async () => {
    const byPool = await scene.print(nodesCommand, '--pool gpu -o name');
    expect(byPool.out).toBe('node/gpu-01');
    const byStage = await scene.print(nodesCommand, '--stage Gated --pool blue --output json');
    expect((JSON.parse(byStage.out) as { nodes: object[] }).nodes).toHaveLength(10);
    expect(await scene.print(nodesCommand, '--pool none')).toEqual({
      code: 0,
      out: '',
      err: 'There are no such nodes.',
    });
  });

  it.each([
    ['--gated --pool none', 'There are no such nodes.'],
    ['--gated --stage InService --pool blue', 'No gate is open on these 14 nodes.'],
  ])('does not call nodes free of gates that it does not speak of: %s', async (flags, err) => {
    expect(await scene.print(nodesCommand, flags)).toEqual({ code: 0, out: '', err });
  });

  it.each([
    [
      '--stage Gone',
      '--stage: must be one of Joined, Configuring, Verifying, Gated, InService, Updating, Leaving, not "Gone"',
    ],
    ['--pool=', '--pool: must not be empty'],
    [
      '--pool a=b',
      `--pool: "a=b" is not empty or up to 63 letters, digits, '-', '_' or '.', with a letter or digit at both ends`,
    ],
  ])('refuses %s with exit code 2', async (line, err) => {
    expect(await scene.print(nodesCommand, line)).toEqual({ code: 2, out: '', err: `muster nodes: ${err}` });
  });
});

describe('what the policy says', () => {
  it('comes before any consent: a pause is named with who asked and why', async () => {
    await scene.put(disruptionPolicyType, {
      metadata: { name: 'default' },
      spec: { pauseRequests: [{ by: 'ana', reason: 'release day' }] },
    });
    await scene.run(10_000);
    const { out } = await scene.print(explainCommand, 'rule network');
    expect(out).toContain(
      'Gating is paused. ana: release day. To end the pause:\n    kubectl edit dp default',
    );
    expect(out).not.toContain('confirm-impact');
  });
});
