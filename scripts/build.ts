// Bundles the entries into dist/: one CommonJS file per entry and per lazily imported module. CommonJS, because an ES module
// that imports node:http makes Node load its fetch stack as well: 13 MB and 45 ms that an operator never uses.

import { chmod, cp, mkdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { build, type Metafile, type Plugin } from 'esbuild';
import { inputsOf, isCurrent, markCurrent } from './build-mark.ts';
import { bundleProblems } from './bundle-rules.ts';

const root = path.resolve(import.meta.dirname, '..');
const dist = path.join(root, 'dist');
const entry = 'src/bin/muster.ts';

export type Bundle = { readonly name: string; readonly bytes: number; readonly packages: readonly string[] };

export async function buildAll(outdir = dist): Promise<readonly Bundle[]> {
  // Taken before anything is read: what changes during a build makes the next one necessary.
  const inputs = await inputsOf(root);
  await rm(outdir, { recursive: true, force: true });
  await mkdir(outdir, { recursive: true });
  const { version } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as {
    version: string;
  };
  const bundles: Bundle[] = [];
  const waiting = [path.join(root, entry)];
  const seen = new Set<string>();
  for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
    if (seen.has(file)) continue;
    seen.add(file);
    bundles.push(await buildOne(file, { outdir, version, onLazy: (lazy) => waiting.push(lazy) }));
  }
  await cp(path.join(root, 'src/sim/stages'), path.join(outdir, 'stages'), { recursive: true });
  if (outdir === dist) await markCurrent(root, inputs);
  return bundles;
}

type Target = {
  readonly outdir: string;
  readonly version: string;
  readonly onLazy: (file: string) => void;
};

async function buildOne(file: string, { outdir, version, onLazy }: Target): Promise<Bundle> {
  const name = chunkName(file);
  const isEntry = file === path.join(root, entry);
  const outfile = path.join(outdir, `${name}.cjs`);
  const { metafile } = await build({
    entryPoints: [file],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node24',
    define: { MUSTER_VERSION: JSON.stringify(version) },
    banner: isEntry ? { js: '#!/usr/bin/env node' } : {},
    plugins: [leftOut, lazyChunks(onLazy)],
    // Names stay, so that a stack trace can be read.
    minifySyntax: true,
    minifyWhitespace: true,
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  });
  // kubectl runs a plugin as a program, and a link to this file is one.
  if (isEntry) await chmod(outfile, 0o755);
  return { name, bytes: (await stat(outfile)).size, packages: packagesOf(metafile) };
}

/**
 * What libraries load and we never use, a fifth of the operator: traces that prom-client links to, the digest of its summaries, and the
 * thread in which pino would run transports.
 */
const leftOutPackages = /^(@opentelemetry\/api|tdigest|thread-stream)$/;

const leftOut: Plugin = {
  name: 'left-out',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: leftOutPackages }, ({ path: wanted }) => ({ path: wanted, namespace: 'left-out' }));
    onLoad({ filter: /.*/, namespace: 'left-out' }, () => ({ contents: 'module.exports = {};' }));
  },
};

/** `await import(x)` stays an import of a file of its own, loaded when it is needed. */
function lazyChunks(onLazy: (file: string) => void): Plugin {
  return {
    name: 'lazy-chunks',
    setup({ onResolve, resolve }) {
      onResolve({ filter: /.*/ }, async ({ path: wanted, kind, resolveDir, pluginData }) => {
        if (kind !== 'dynamic-import' || pluginData === 'lazy' || wanted.startsWith('node:'))
          return undefined;
        const found = await resolve(wanted, { kind: 'import-statement', resolveDir, pluginData: 'lazy' });
        if (found.errors.length > 0) return { errors: found.errors };
        onLazy(found.path);
        return { path: `./${chunkName(found.path)}.cjs`, external: true };
      });
    },
  };
}

/** A capability is named for its folder, every other file of ours for itself, a package for itself. */
function chunkName(file: string): string {
  const capability = /src\/capabilities\/([\w-]+)\/capability\.ts$/.exec(file)?.[1];
  if (capability !== undefined) return capability;
  const inside = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1];
  return inside === undefined ? path.basename(file, '.ts') : inside.replace(/^@/, '').replace('/', '-');
}

function packagesOf({ inputs }: Metafile): readonly string[] {
  const names = Object.keys(inputs).flatMap(
    (input) => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1] ?? [],
  );
  return [...new Set(names)].sort();
}

if (import.meta.main) {
  const isNeeded = !process.argv.includes('--if-needed') || !(await isCurrent(root));
  const bundles = isNeeded ? await buildAll() : [];
  const problems = bundles.flatMap(bundleProblems);
  for (const { name, bytes, packages } of process.argv.includes('--quiet') ? [] : bundles) {
    console.log(
      `dist/${name}.cjs`.padEnd(28),
      `${(bytes / 1000).toFixed(0)} KB`.padStart(8),
      packages.join(', '),
    );
  }
  for (const problem of problems) console.error(problem);
  process.exitCode = problems.length === 0 ? 0 : 1;
}
