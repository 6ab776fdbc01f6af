import { chmod, mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ensureBinaries } from './build.ts';
import { readRecipes, requiredNames } from './recipes.ts';

let dir: string;
const ignore = () => undefined;

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'muster-build-test-'));
});

afterEach(() => rm(dir, { recursive: true }));

describe('with KUBEBUILDER_ASSETS', () => {
  it('takes the folder as it is, with or without helm', async () => {
    for (const name of requiredNames) await writeFile(join(dir, name), '');
    expect(await ensureBinaries(ignore, { KUBEBUILDER_ASSETS: dir })).toBe(dir);
  });

  it('names every binary that the folder lacks', async () => {
    for (const name of ['etcd', 'kube-apiserver', 'kube-scheduler']) await writeFile(join(dir, name), '');
    const expected = `KUBEBUILDER_ASSETS is ${dir}, which lacks kube-controller-manager, kubectl`;
    await expect(ensureBinaries(ignore, { KUBEBUILDER_ASSETS: dir })).rejects.toThrow(expected);
  });
});

it('says both ways out when there is neither Go nor KUBEBUILDER_ASSETS', async () => {
  const attempt = ensureBinaries(ignore, { PATH: dir, MUSTER_CACHE_DIR: dir });
  await expect(attempt).rejects.toThrow(/put Go on PATH .* or set KUBEBUILDER_ASSETS to a folder with etcd/);
});

describe('with Go', () => {
  const names = readRecipes().map(({ name }) => name);

  it('builds every binary once, also when two ask at the same time', async () => {
    const env = await fakeGo('success');
    const lines: string[] = [];
    const log = (line: string) => void lines.push(line);
    const [first, second] = await Promise.all([ensureBinaries(log, env), ensureBinaries(log, env)]);
    expect(second).toBe(first);
    expect((await readdir(first)).sort()).toEqual([...names].sort());
    expect(await builtPackages()).toEqual(readRecipes().map((recipe) => recipe.package));
    expect(lines).toContainEqual(
      expect.stringMatching(/^building kube-apiserver v\S+ \(2 of 6, about .* cold\)$/),
    );
    expect(lines.filter((line) => line.startsWith('another process is building'))).toHaveLength(1);
  });

  it('builds only what is missing', async () => {
    const env = await fakeGo('success');
    const built = await ensureBinaries(ignore, env);
    await rm(join(built, 'kubectl'));
    await writeFile(join(dir, 'go.log'), '');
    await ensureBinaries(ignore, env);
    expect(await builtPackages()).toEqual(['k8s.io/kubernetes/cmd/kubectl']);
  });

  it('needs no Go once everything is there', async () => {
    const env = await fakeGo('success');
    const built = await ensureBinaries(ignore, env);
    expect(await ensureBinaries(ignore, { ...env, PATH: '' })).toBe(built);
  });

  it('takes over from a builder that died', async () => {
    const env = await fakeGo('success');
    const built = await ensureBinaries(ignore, env);
    await rm(join(built, 'etcd'));
    const lock = join(built, '.lock');
    await mkdir(lock);
    await utimes(lock, 0, 0);
    await ensureBinaries(ignore, env);
    expect((await readdir(built)).sort()).toEqual([...names].sort());
  });

  it('says which build failed and why, and leaves no lock behind', async () => {
    const env = await fakeGo('failure');
    await expect(ensureBinaries(ignore, env)).rejects.toThrow(/^building etcd v\S+ failed: out of luck$/);
    const [built = ''] = await readdir(env.MUSTER_CACHE_DIR);
    expect(await readdir(join(env.MUSTER_CACHE_DIR, built))).toEqual([]);
  });
});

// Stands for the compiler: writes down the package it was asked for and makes the output file.
async function fakeGo(outcome: 'success' | 'failure') {
  const build =
    outcome === 'success'
      ? 'for last; do :; done; echo "$last" >> "$GO_LOG"; : > "$6"'
      : 'echo out of luck >&2; exit 1';
  await writeFile(join(dir, 'go'), `#!/bin/sh\nif [ "$1" = version ]; then exit 0; fi\nshift\n${build}\n`);
  await chmod(join(dir, 'go'), 0o755);
  return {
    PATH: [dir, process.env['PATH']].join(delimiter),
    GO_LOG: join(dir, 'go.log'),
    MUSTER_CACHE_DIR: join(dir, 'cache'),
  };
}

async function builtPackages(): Promise<readonly string[]> {
  return (await readFile(join(dir, 'go.log'), 'utf8')).trim().split('\n');
}
