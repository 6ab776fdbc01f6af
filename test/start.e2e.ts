// The first run as a newcomer has it: the built bundle, stock kubectl, and every command of the README and the guide.

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseReport } from '../src/base/worker-report.ts';
import { ensureBinaries } from './control-plane/build.ts';
import { until } from './control-plane/until.ts';
import { musterScript } from './support/operator-process.ts';
import { startUp, stillStages, type UpProcess } from './support/up-process.ts';

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, '..');
const read = (file: string) => readFileSync(path.resolve(root, file), 'utf8');

type Shell = (command: string) => Promise<string>;

/** A shell in which kubectl is the one of the end-to-end tests and leads to this world. */
async function shellFor(kubeconfig: string): Promise<Shell> {
  const binaries = await ensureBinaries((line) => process.stderr.write(`${line}\n`));
  const env = { ...process.env, PATH: `${binaries}:${process.env['PATH'] ?? ''}`, KUBECONFIG: kubeconfig };
  return async (command) => (await run('bash', ['-c', command], { env, cwd: root })).stdout;
}

/** `$ command` and what it printed, one after the other. */
function transcriptIn(text: string): readonly { readonly command: string; readonly printed: string }[] {
  return text
    .trim()
    .split(/^\$ /m)
    .filter((part) => part !== '')
    .map((part) => {
      const [command = '', ...printed] = part.split('\n');
      return { command, printed: printed.join('\n').trim() };
    });
}

/** Ages differ from run to run, and with them the width of their column. */
function withoutAges(table: string): string {
  return table
    .replaceAll(/\b\d+[smh](?:\d+[sm])?\b/g, 'AGE')
    .replaceAll(/ +/g, ' ')
    .replaceAll(/ $/gm, '')
    .trim();
}

describe('the first run', () => {
  let up: UpProcess;
  let shell: Shell;

  beforeAll(async () => {
    up = startUp(musterScript, ['--port', '0', '--seed', '7', '--stages', stillStages]);
    await up.waitUntilReady();
    shell = await shellFor(up.kubeconfig);
  });
  afterAll(() => up?.remove());

  it('prints what the README shows, but for ages', async () => {
    for (const { command, printed } of transcriptIn(read('test/golden/first-run.txt'))) {
      expect(`$ ${command}\n${withoutAges(await shell(command))}`).toBe(
        `$ ${command}\n${withoutAges(printed)}`,
      );
    }
  });

  it('keeps gpu-04 from work by a check that really ran there, and says by which', async () => {
    const verification = JSON.parse(
      await shell("kubectl get nl gpu-04 -o jsonpath='{.status.verification}'"),
    ) as Record<string, unknown>;
    expect(verification).toMatchObject({ state: 'failed', verdict: 'fail', policy: 'licensed' });
    expect(verification['lastError']).toMatch(/^licence-server: /);
    expect(verification['checks']).toContainEqual(
      expect.objectContaining({ name: 'licence-server', verdict: 'fail' }),
    );
    expect(await shell("kubectl get node gpu-04 -o jsonpath='{.spec.taints[*].key}'")).toContain(
      'node-ready/unverified',
    );
    expect(await shell('kubectl get nl gpu-04')).toMatch(/^gpu-04 +Verifying +unverified: licence-server /m);
  });

  it('takes every kubectl command of the guide', async () => {
    const blocks = [...read('docs/guides/first-run.md').matchAll(/```sh\n([^]*?)```/g)];
    const commands = blocks
      .flatMap(([, block = '']) => block.split('\n'))
      .filter((line) => line.startsWith('kubectl'));
    expect(commands.length).toBeGreaterThan(12);
    for (const command of commands)
      expect([command, await shell(command).then(() => 'taken', String)]).toEqual([command, 'taken']);
  });

  it('does what the guide says of it', async () => {
    const shown = (what: string, field: string) => shell(`kubectl get ${what} -o jsonpath='{${field}}'`);
    const becomes = (what: string, field: string, wanted: string) =>
      until(`${what} ${field} is ${wanted}`, 60_000, async () =>
        (await shown(what, field).catch(() => '')).includes(wanted) ? true : undefined,
      );
    await becomes('node spot-02', '.spec.taints', 'node.kubernetes.io/disk-pressure');
    await becomes('nl spot-05', '.status.gates', 'example.com/broken');
    await becomes('nl spot-06', '.status.stage', 'InService');
    await becomes('pod told', '.status.containerStatuses[0].state.terminated.reason', 'OOMKilled');
    await becomes('pod version', '.status.phase', 'Succeeded');
    expect(await shell('kubectl logs version')).toMatch(/^muster 0\.1\.0 /);
    await becomes('pod web', '.status.phase', 'Running');
    await becomes('node spot-03', '.spec.taints', 'node.kubernetes.io/unreachable');
  });

  it('runs a worker as a real process and shows its report as the termination message', async () => {
    const spec = {
      nodeName: 'spot-01',
      restartPolicy: 'Never',
      containers: [
        {
          name: 'worker',
          image: 'muster',
          args: ['worker', '--checks', 'disk-space', '--scratch-dir', '/tmp'],
          env: [{ name: 'NODE_NAME', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } }],
        },
      ],
    };
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'checked', namespace: 'default' }, spec };
    await shell(`kubectl create -f - <<'EOF'\n${JSON.stringify(pod)}\nEOF`);
    const terminated = '.status.containerStatuses[0].state.terminated';
    const text = await until('the worker has reported', 30_000, async () => {
      const message = await shell(`kubectl get pod checked -o jsonpath='{${terminated}.message}'`);
      return message === '' ? undefined : message;
    });
    const report = parseReport(text);
    expect(report).toMatchObject({
      kind: 'ok',
      value: { nodeName: 'spot-01', verdict: 'pass', checks: [{ id: 'disk-space', verdict: 'pass' }] },
    });
    expect(await shell(`kubectl get pod checked -o jsonpath='{${terminated}.exitCode}'`)).toBe('0');
  });

  it('ends with 0 on Ctrl-C and says so once', async () => {
    up.signal('SIGINT');
    expect(await up.exited).toBe(0);
    expect(JSON.parse(await up.stdout)).toMatchObject({ endedBy: 'signal', operator: { exitCode: 0 } });
  });
});

describe('a run of its own length', () => {
  it('is ready within 10 s, lets things happen, and ends by itself', async () => {
    const up = startUp(musterScript, ['--port', '0', '--duration', '40s', '--seed', '7']);
    expect(await up.exited).toBe(0);
    const summary = JSON.parse(await up.stdout) as { readyMs: number; happenings: Record<string, number> };
    process.stderr.write(`24 nodes in service after ${summary.readyMs} ms\n`);
    expect(summary).toMatchObject({ endedBy: 'duration', records: 24 });
    expect(summary.readyMs).toBeLessThan(10_000);
    expect(Object.keys(summary.happenings)).toEqual(
      expect.arrayContaining(['node-becomes-ready', 'node-is-deleted', 'node-reboots', 'node-registers']),
    );
    await up.remove();
  });

  it('ends with 1 and a sentence when the operator is killed, and its server is gone', async () => {
    const up = startUp(musterScript, ['--port', '0', '--nodes', '3']);
    await up.waitUntilReady();
    const children = read(`/proc/${up.pid}/task/${up.pid}/children`).trim().split(' ');
    for (const child of children) process.kill(Number(child), 'SIGKILL');
    expect(await up.exited).toBe(1);
    expect(up.stderr()).toContain('muster up: the operator ended with code 137; everything is stopped');
    const { clusters } = JSON.parse(read(up.kubeconfig)) as { clusters: [{ cluster: { server: string } }] };
    await expect(fetch(clusters[0].cluster.server)).rejects.toThrow('fetch failed');
    await up.remove();
  });
});
