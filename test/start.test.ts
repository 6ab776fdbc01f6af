// The first run as a process, from source: up, looked at, stopped by Ctrl-C, and refused where it should be.

import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { startUp, stillStages, type UpProcess } from './support/up-process.ts';

const script = path.resolve(import.meta.dirname, '../src/bin/muster.ts');

// Processes that start from source take their time where others work too.
describe('muster up', { timeout: 90_000 }, () => {
  const started: UpProcess[] = [];
  const up = (...flags: string[]) => {
    const run = startUp(script, flags);
    started.push(run);
    return run;
  };
  afterEach(async () => {
    for (const each of started.splice(0)) await each.remove();
  });

  it('brings a fleet into service, serves it to any client, and ends with 0 and one summary on Ctrl-C', async () => {
    const run = up('--port', '0', '--pools', 'a=4,gpu=2', '--seed', '7', '--stages', stillStages);
    await run.waitUntilReady();
    const { clusters } = JSON.parse(readFileSync(run.kubeconfig, 'utf8')) as {
      clusters: [{ cluster: { server: string } }];
    };
    const reply = await fetch(`${clusters[0].cluster.server}/apis/muster.dev/v1alpha1/nodelifecycles`);
    expect(((await reply.json()) as { items: unknown[] }).items).toHaveLength(6);
    // Twice, as with npm, which passes on what the terminal has sent already.
    run.signal('SIGINT');
    setImmediate(() => run.signal('SIGINT'));
    expect(await run.exited).toBe(0);
    expect(JSON.parse(await run.stdout)).toMatchObject({
      endedBy: 'signal',
      seed: 7,
      pools: { a: 4, gpu: 2 },
      nodes: 6,
      records: 6,
      stages: { InService: 6 },
      happenings: { 'node-registers': 6, 'node-becomes-ready': 6 },
      samples: [
        'DisruptionPolicy default',
        'NodeReadinessGateRule network',
        'NodeReadinessRule storage',
        'NodeVerification accelerators',
        'NodeVerification licensed',
      ],
      operator: { exitCode: 0 },
    });
    expect((await run.stdout).trim().split('\n')).toHaveLength(1);
    expect(run.stderr()).toContain('kubectl get nl');
    await expect(fetch(clusters[0].cluster.server)).rejects.toThrow();
  });

  it('refuses a port that is in use with one sentence and exit code 2', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const run = up('--port', String(port));
    expect(await run.exited).toBe(2);
    expect(run.stderr()).toMatch(
      /^muster up: 127\.0\.0\.1:\d+ is in use, .*--port 0 for any that is free\n$/,
    );
    server.close();
  });

  it('refuses a bad flag with one sentence and exit code 2', async () => {
    const run = up('--nodes', 'many');
    expect(await run.exited).toBe(2);
    expect(run.stderr()).toBe('muster up: --nodes: must be a whole number from 0 to 10000, not "many"\n');
    expect(await run.stdout).toBe('');
  });
});
