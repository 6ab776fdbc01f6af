// Finds or builds the binaries of the control plane, outside the tree. Never downloads a binary: what is missing is
// compiled from the Go module proxy, checked against the committed go.sum.

import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rename } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { withBuildLock } from './build-lock.ts';
import { type Recipe, readRecipes, requiredNames } from './recipes.ts';

type Log = (line: string) => void;
type Env = Readonly<Record<string, string | undefined>>;

/** The folder that holds etcd, kube-apiserver and the rest, ready to run. */
export async function ensureBinaries(log: Log, env: Env = process.env): Promise<string> {
  if (env['KUBEBUILDER_ASSETS']) return checkAssets(env['KUBEBUILDER_ASSETS']);
  const recipes = readRecipes();
  const dir = join(cacheDir(env), `control-plane-${cacheKey(recipes)}`);
  const isMissing = (recipe: Recipe) => !existsSync(join(dir, recipe.name));
  if (!recipes.some(isMissing)) return dir;
  await requireGo(env);
  await mkdir(dir, { recursive: true });
  const onWait = () => log(`another process is building the control plane in ${dir}; waiting for it`);
  await withBuildLock(join(dir, '.lock'), onWait, async () => {
    // Asked again under the lock: the process waited for may have built them all.
    const missing = recipes.filter(isMissing);
    for (const [index, recipe] of missing.entries()) {
      const place = `${index + 1} of ${missing.length}, ${recipe.coldBuild} cold`;
      log(`building ${recipe.name} ${recipe.version} (${place})`);
      await build(recipe, dir, env);
    }
  });
  return dir;
}

function checkAssets(dir: string): string {
  const missing = requiredNames.filter((name) => !existsSync(join(dir, name)));
  if (missing.length === 0) return dir;
  throw new Error(`KUBEBUILDER_ASSETS is ${dir}, which lacks ${missing.join(', ')}`);
}

function cacheDir({ MUSTER_CACHE_DIR, XDG_CACHE_HOME }: Env): string {
  return MUSTER_CACHE_DIR || join(XDG_CACHE_HOME || join(homedir(), '.cache'), 'muster');
}

function cacheKey(recipes: readonly Recipe[]): string {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}\n`);
  for (const { name, linkerFlags, moduleDir } of recipes) {
    hash.update(`${name} ${linkerFlags}\n`);
    for (const file of ['go.mod', 'go.sum']) hash.update(readFileSync(join(moduleDir, file)));
  }
  return hash.digest('hex').slice(0, 12);
}

async function build(recipe: Recipe, dir: string, env: Env): Promise<void> {
  const unfinished = join(dir, `.${recipe.name}.${process.pid}`);
  const flags = ['-trimpath', '-buildvcs=false', '-ldflags', recipe.linkerFlags];
  const { code, stderr } = await go(
    ['build', ...flags, '-o', unfinished, recipe.package],
    recipe.moduleDir,
    env,
  );
  if (code !== 0) throw new Error(`building ${recipe.name} ${recipe.version} failed: ${stderr.trim()}`);
  await rename(unfinished, join(dir, recipe.name));
}

async function requireGo(env: Env): Promise<void> {
  const { code } = await go(['version'], import.meta.dirname, env).catch(() => ({ code: null }));
  if (code === 0) return;
  throw new Error(
    `No control plane to test with: either put Go on PATH (1.21 or later; the servers are then built once, ` +
      `in about ten minutes), or set KUBEBUILDER_ASSETS to a folder with ${requiredNames.join(', ')}.`,
  );
}

async function go(
  args: readonly string[],
  cwd: string,
  env: Env,
): Promise<{ readonly code: number | null; readonly stderr: string }> {
  // GOWORK: a workspace file above the tree must not change what is built.
  const buildEnv = { ...env, CGO_ENABLED: '0', GOWORK: 'off' };
  const child = spawn('go', args, { cwd, env: buildEnv, stdio: ['ignore', 'ignore', 'pipe'] });
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  return { code, stderr };
}
