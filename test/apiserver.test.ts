// `muster apiserver` as a process, from source: what it refuses, and what it keeps.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const script = path.resolve(import.meta.dirname, '../src/bin/muster.ts');

describe('muster apiserver', { timeout: 60_000 }, () => {
  let folder: string;
  const running: ChildProcess[] = [];
  const start = (...flags: string[]) => {
    const child = spawn(process.execPath, [script, 'apiserver', '--port', '0', ...flags], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    running.push(child);
    return child;
  };
  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), 'muster-apiserver-'));
  });
  afterEach(async () => {
    for (const child of running.splice(0)) if (child.exitCode === null) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(['--snapshot', '--kubeconfig-out'])(
    'refuses a place for %s that cannot be written to, before it serves anything',
    async (flag) => {
      const child = start(flag, path.join(folder, 'nowhere', 'file'));
      const said = text(child.stderr);
      const [code] = await once(child, 'close');
      expect(code).toBe(2);
      expect(await said).toContain(`muster apiserver: ${flag} ${path.join(folder, 'nowhere', 'file')}: `);
    },
  );

  it('keeps its objects in the snapshot over a restart', async () => {
    const files = [
      '--snapshot',
      path.join(folder, 'objects.json'),
      '--kubeconfig-out',
      path.join(folder, 'kubeconfig'),
    ];
    const first = start(...files);
    await once(first.stdout, 'data');
    const made = await fetch(`${urlIn(folder)}/api/v1/namespaces`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ metadata: { name: 'kept' } }),
    });
    expect(made.status).toBe(201);
    // A second signal while the first is obeyed changes nothing.
    first.kill('SIGINT');
    setImmediate(() => first.kill('SIGINT'));
    expect(await once(first, 'close')).toEqual([0, null]);
    const second = start(...files);
    await once(second.stdout, 'data');
    expect((await fetch(`${urlIn(folder)}/api/v1/namespaces/kept`)).status).toBe(200);
  });
});

function urlIn(folder: string): string {
  const config = JSON.parse(readFileSync(path.join(folder, 'kubeconfig'), 'utf8')) as {
    clusters: [{ cluster: { server: string } }];
  };
  return config.clusters[0].cluster.server;
}
