// Documents are part of the product: their links resolve, their commands exist, their samples are what the tests saw.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { load } from 'js-yaml';
import { describe, expect, it } from 'vitest';
import { verificationKeys } from '../src/api/keys.ts';
import { optionalRights } from '../src/api/rbac.ts';
import { readOperatorConfig } from '../src/cli/operator-config.ts';
import { daemonsetOptions } from '../src/cli/daemonset-options.ts';
import { operatorOptions } from '../src/cli/operator-options.ts';
import { type OptionList, readFlags, readValues } from '../src/cli/options.ts';
import { reporterOptions } from '../src/cli/reporter/options.ts';
import { simOptions } from '../src/cli/sim-options.ts';
import { upOptions } from '../src/cli/up-options.ts';
import { explainCommand } from '../src/cli/views/explain.ts';
import { nodesCommand } from '../src/cli/views/nodes.ts';
import { rulesCommand } from '../src/cli/views/rules.ts';
import { allOptions } from '../src/cli/views/view-command.ts';
import { parsePools } from '../src/sim/fleet-plan.ts';
import { parseStage } from '../src/sim/parse-stage.ts';
import { fieldsOf, isRecord, textOf } from '../src/objects/raw.ts';
import { readWorkerConfig } from '../src/cli/worker-config.ts';
import { workerOptions } from '../src/cli/worker-options.ts';

const root = path.resolve(import.meta.dirname, '..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const documents = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
  ...markdownIn('docs'),
];

function markdownIn(folder: string): readonly string[] {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .map((file) => path.join(folder, file));
}

function productionFiles(): readonly string[] {
  return readdirSync(path.join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => path.join('src', file));
}

/** Links whose target is not there. */
function brokenLinks(file: string, text: string): readonly string[] {
  const targets = [...text.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)].map(([, target = '']) => target);
  return targets.filter(
    (target) => !/^https?:/.test(target) && !existsSync(path.join(root, path.dirname(file), target)),
  );
}

/** Commands in a document's shell blocks that the package does not have. */
function unknownCommands(text: string): readonly string[] {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const commands = new Set([
    'operator',
    'worker',
    'crds',
    'rbac',
    'admission',
    'migrate',
    'version',
    'apiserver',
    'sim',
    'up',
    'rules',
    'explain',
    'nodes',
  ]);
  const flagsOf = (options: OptionList) =>
    new Set(Object.values(options).flatMap(({ flag }) => [`--${flag}`, `--no-${flag}`, '--help']));
  const byCommand: Readonly<Record<string, ReadonlySet<string>>> = {
    operator: flagsOf(operatorOptions),
    worker: flagsOf({ ...workerOptions, ...daemonsetOptions }),
    sim: flagsOf(simOptions),
    up: flagsOf(upOptions),
    reporter: flagsOf(reporterOptions),
    rules: flagsOf(allOptions(rulesCommand)),
    explain: flagsOf(allOptions(explainCommand)),
    nodes: flagsOf(allOptions(nodesCommand)),
    rbac: new Set(optionalRights.map((right) => `--${right}`)),
    apiserver: new Set(['--port', '--kubeconfig-out', '--snapshot', '--help']),
  };
  const own = [...text.matchAll(/npm run (?:--silent )?([a-z][\w:-]*)/g)].map(([, script = '']) => script);
  const muster = [
    ...text.matchAll(
      /(?<=^|[`$] |run --silent |kubectl-)muster(?: --)? ([a-z]+)((?: [^\s|`]+)*)(?= *(?:[|`]|$))/gm,
    ),
  ];
  const start = [...text.matchAll(/npm (?:--silent )?start --((?: [^\s|`]+)+)/g)].map(([, given = '']) => [
    '',
    'up',
    given,
  ]);
  return [
    ...own.filter((script) => scripts[script] === undefined).map((script) => `npm run ${script}`),
    ...muster.filter(([, command = '']) => !commands.has(command)).map(([, command]) => `muster ${command}`),
    ...[...muster, ...start].flatMap(([, command = '', given = '']) =>
      (given.match(/(?<= )--[\w-]+/g) ?? []).filter((flag) => byCommand[command]?.has(flag) !== true),
    ),
  ];
}

/** Manifests of others that no API server of ours can be asked about, each with the reason. */
const onlyParsed: Readonly<Record<string, string>> = {
  'kubelet.config.k8s.io/v1beta1 KubeletConfiguration':
    'a file that a kubelet reads; no API server serves it',
  'karpenter.sh/v1 NodePool': 'a kind of Karpenter, whose definition is not part of this repository',
};

function kindOf(manifest: unknown): string {
  const { apiVersion, kind } = fieldsOf(manifest);
  return `${textOf(apiVersion)} ${textOf(kind)}`;
}

describe('documents', () => {
  it.each(documents)('%s links only to what is there', (file) =>
    expect(brokenLinks(file, read(file))).toEqual([]),
  );

  it.each(documents.filter((file) => !file.startsWith('docs/adr')))(
    '%s names only commands and flags that exist',
    (file) => {
      expect(unknownCommands(read(file))).toEqual([]);
    },
  );

  it('notices a broken link, an unknown script, an unknown command and an unknown flag', () => {
    expect(brokenLinks('README.md', '[a](nowhere.md)')).toEqual(['nowhere.md']);
    expect(
      unknownCommands(
        'npm run dance\nmuster fly\nmuster operator --wings\nmuster sim --nodes 3 --tail\nnpm start -- --feet 2',
      ),
    ).toEqual(['npm run dance', 'muster fly', '--wings', '--tail', '--feet']);
  });

  it('shows a config file that the operator takes', async () => {
    const [, sample = ''] = /```yaml\n([^]*?)```/.exec(read('docs/reference/operator.md')) ?? [];
    const files = { environment: {}, read: async () => ({ kind: 'ok', value: load(sample) }) as const };
    expect(await readOperatorConfig(['--config', 'sample'], files)).toMatchObject({
      kind: 'ok',
      value: { leaseNamespace: 'muster-system', resyncMs: 900_000 },
    });
  });

  it('shows a config file that the worker takes', async () => {
    const [, sample = ''] = /```yaml\n([^]*?)```/.exec(read('docs/reference/checks.md')) ?? [];
    const parsed = async () => ({ kind: 'ok', value: load(sample) }) as const;
    const config = await readWorkerConfig({
      args: ['--config', 'sample'],
      environment: { KUBERNETES_SERVICE_HOST: '10.96.0.1' },
      readFile: parsed,
      parseText: parsed,
    });
    expect(config).toMatchObject({ kind: 'ok', value: { nodeName: 'worker-1', isForAnnotation: true } });
  });

  it.each(['README.md', 'docs/guides/first-run.md', 'docs/reference/sim.md'])(
    '%s gives flags of up and sim only values that are taken',
    (file) => {
      const lines = [...read(file).matchAll(/^(npm (?:--silent )?start|muster sim)(?: -- | )?(.*)$/gm)];
      expect(lines).not.toEqual([]);
      for (const [line, command, given = ''] of lines) {
        const options: OptionList = command === 'muster sim' ? simOptions : upOptions;
        const flags = readFlags(
          options,
          given.split(' ').filter((word) => word !== ''),
        );
        const values = flags.kind === 'ok' ? readValues(options, flags.value, {}) : flags;
        const pools = parsePools(/--pools (\S+)/.exec(given)?.[1] ?? 'a=1');
        expect([line, values.kind, pools.kind]).toEqual([line, 'ok', 'ok']);
      }
    },
  );

  it.each(['docs/guides/first-run.md', 'docs/reference/sim.md'])(
    '%s shows stage files that are taken',
    (file) => {
      const samples = [...read(file).matchAll(/```yaml\n(stage:[^]*?)```/g)].map(([, sample = '']) => sample);
      expect(samples).not.toEqual([]);
      for (const sample of samples) expect(parseStage(load(sample))).toMatchObject({ kind: 'ok' });
    },
  );

  it('shows in the guide of verification manifests of known kinds alone, with the taint as it is spelled', () => {
    const guide = read('docs/guides/verification.md');
    const all = [...guide.matchAll(/```yaml\n([^]*?)```/g)].map(([, sample = '']) => load(sample));
    // Those of ours, values of the chart and the config file are applied or read by tests of their own.
    const samples = all.filter(
      (sample) =>
        !kindOf(sample).endsWith(' NodeVerification') && !hasValuesOfChart(sample) && !isConfig(sample),
    );
    const taint = { key: verificationKeys.taint, value: 'true', effect: 'NoSchedule' };
    expect(samples.map((sample) => kindOf(sample))).toEqual(Object.keys(onlyParsed));
    expect(samples).toMatchObject([
      { registerWithTaints: [taint] },
      { spec: { template: { spec: { startupTaints: [taint] } } } },
    ]);
    for (const key of Object.values(verificationKeys)) expect(guide).toContain(key);
  });

  it('lists every metric that the sources name', () => {
    const named = new Set(
      productionFiles().flatMap(
        (file) =>
          read(file).match(
            /'(?:muster|node_readiness|kube_node_ready|workqueue|controller_runtime|rest_client|leader_election)_\w+'/g,
          ) ?? [],
      ),
    );
    const page = read('docs/reference/operator.md');
    expect(named.size).toBeGreaterThan(15);
    for (const name of named) expect(page).toContain(`\`${name.slice(1, -1)}\``);
  });

  it.each(['rules', 'explain-held', 'nodes-gated'])(
    'shows in the reference of the commands what %s really printed',
    (name) => expect(read('docs/reference/cli.md')).toContain(read(`test/golden/${name}.txt`).trim()),
  );

  it('keeps the README within 150 lines', () =>
    expect(read('README.md').split('\n').length).toBeLessThanOrEqual(150));

  it('shows in the README what kubectl really printed', () => {
    const golden = read('test/golden/first-run.txt').trim();
    expect(read('README.md')).toContain(golden);
    for (const line of golden.split('\n')) expect(line.length).toBeLessThanOrEqual(84);
  });
});

/** Of the operator. */
function isConfig(sample: unknown): boolean {
  return isRecord(sample) && 'worker' in sample;
}

function hasValuesOfChart(sample: unknown): boolean {
  return isRecord(sample) && isRecord(sample['verification']);
}
