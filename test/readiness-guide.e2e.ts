// The chapter of the guide that everybody reads first, run on a real API server as it is printed: its manifest, its commands, and
// what the words beside them promise.

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from './control-plane/until.ts';
import { createNode, operatorAccount, startWorld, type World } from './support/cluster-world.ts';
import { blocksOf, shellFor } from './support/guide.ts';
import { type OperatorProcess, startOperator } from './support/operator-process.ts';

const guide = 'docs/guides/readiness.md';
const chapter = 'First rule';
const labels = { 'node.kubernetes.io/pool': 'general' };
const calico = 'network.k8s.io/CalicoReady';

/** As the guide prints them, without what is said beside. */
const commands = [
  'kubectl apply -f rule.yaml',
  'kubectl get nrgr',
  'kubectl get nre -l rule=network',
  'kubectl get nre -l node=general-01',
  'kubectl describe nrgr network',
  'muster rules',
  'muster explain rule network',
  'muster explain rule network --node general-01',
  'muster nodes --gated',
] as const;

let world: World;
let operator: OperatorProcess;
let shell: Awaited<ReturnType<typeof shellFor>>;

beforeAll(async () => {
  world = await startWorld();
  await createNode(world.plane, 'general-01', { labels });
  await createNode(world.plane, 'general-02', { labels });
  await createNode(world.plane, 'elsewhere');
  await report('general-02', 'True');
  operator = startOperator((await world.plane.kubeconfigFor(operatorAccount)).path);
  await operator.waitUntilReady();
  shell = await shellFor(world.plane);
});

afterAll(async () => {
  await operator?.stop();
  await world?.stop();
});

async function report(name: string, status: string): Promise<void> {
  const at = new Date().toISOString();
  const said = (type: string, value: string) => ({ type, status: value, lastTransitionTime: at });
  const body = { status: { conditions: [said('Ready', 'True'), said(calico, status)] } };
  await world.plane.request('PATCH', `/api/v1/nodes/${name}/status`, { body });
}

const manifest = async () => (await blocksOf(guide, chapter, 'yaml'))[0] ?? '';
const writeRule = (text: string) => shell(`cat > rule.yaml <<'END'\n${text}END`);
const linesOf = (text: string) => text.trim().split('\n');
const rule = async (jsonPath: string) => shell(`kubectl get nrgr network -o jsonpath='${jsonPath}'`);

describe('the first rule of the guide', () => {
  it('has exactly the commands that are run here', async () => {
    const [block = ''] = await blocksOf(guide, chapter, 'sh');
    expect(linesOf(block).map((line) => line.replace(/\s+#.*$/, ''))).toEqual(commands);
  });

  it('says as a dry run what it would do, and touches nothing', async () => {
    expect(await readFile(path.resolve(import.meta.dirname, '..', guide), 'utf8')).toContain(
      '`dryRun: true`',
    );
    await writeRule(`${await manifest()}  dryRun: true\n`);
    await shell(commands[0]);
    const wouldAdd = () => rule('{.status.dryRunResults.taintsToAdd}');
    await until('the dry run says so', 30_000, async () => ((await wouldAdd()) === '1' ? true : undefined));
    expect(await shell('kubectl get nodes -o jsonpath={.items[*].spec.taints}')).toBe('');
    await shell('kubectl delete nrgr network --timeout=30s');
  });

  it('gates the node of the pool that lacks the condition, and no other', async () => {
    await writeRule(await manifest());
    await shell(commands[0]);
    await until('it is applied', 30_000, async () =>
      (await rule('{.status.observedGeneration}')) === '1' ? true : undefined,
    );
    const taints = await shell(
      "kubectl get nodes -o jsonpath='{range .items[*]}{.metadata.name}={.spec.taints[*].key};{end}'",
    );
    expect(taints).toBe('elsewhere=;general-01=readiness.k8s.io/NetworkReady;general-02=;');
    await until('the records say so', 60_000, async () =>
      (await shell('kubectl get nl general-01')).includes('Gated') ? true : undefined,
    );
    await until('the evaluations say so', 60_000, async () => {
      const said = await shell('kubectl get nre');
      return /general-01 .*Present/.test(said) && /general-02 .*Absent/.test(said) ? true : undefined;
    });
    await until('the rule counts them', 60_000, async () =>
      (await rule('{.status.summary.nodesReady} {.status.summary.nodesWithTaint}')) === '1 1'
        ? true
        : undefined,
    );
  });

  it.each<[string, string, RegExp, number]>([
    [commands[1], 'one line per rule', /^network +continuous .*2 +1 +True/m, 2],
    [
      commands[2],
      'one line per node of the rule',
      /^network-general-01 +general-01 +network +Present +false/m,
      3,
    ],
    [
      commands[3],
      'what holds this node back',
      /^network-general-01 +general-01 +network +Present +false/m,
      2,
    ],
    [
      commands[5],
      'the rules of both kinds',
      /^nrgr\/network +continuous +NetworkReady +1\/2 +1 +0 +Applied/m,
      2,
    ],
    [
      commands[8],
      'every open gate of the fleet, who and why',
      /^general-01 +nrgr\/network .*CalicoReady is missing/m,
      2,
    ],
  ])('%s shows %s', async (command, _, line, lines) => {
    const said = await shell(command);
    expect(said).toMatch(line);
    expect(linesOf(said)).toHaveLength(lines);
  });

  it(`${commands[4]} shows the conditions and their reasons`, async () => {
    const said = await shell(commands[4]);
    for (const words of [/Reason: +Applied[^]*Type: +Ready/, /Type: +Conflict/, /Type: +Degraded/])
      expect(said).toMatch(words);
  });

  it('is explained in words, and the exit code says that it keeps a node back', async () => {
    const explained = (command: string) => shell(`${command} || test $? -eq 3`);
    await expect(shell(commands[6])).rejects.toMatchObject({ code: 3 });
    expect(await explained(commands[6])).toContain(
      'NodeReadinessGateRule network: 1 of 2 nodes are ready, 1 gated.',
    );
    expect(await explained(commands[7])).toContain(
      'Node general-01 and NodeReadinessGateRule network: it is gated',
    );
  });

  it('lets the node go when the condition is met, and takes everything along when it is deleted', async () => {
    const [, reporting = ''] = await blocksOf(guide, chapter, 'sh');
    const [asAnAgent = '', look = ''] = linesOf(reporting);
    await shell(asAnAgent);
    await until('the node is free', 30_000, async () => ((await shell(look)) === '' ? true : undefined));
    await shell('kubectl delete nrgr network --timeout=30s');
    expect(await shell('kubectl get nre -o name')).toBe('');
  });
});
