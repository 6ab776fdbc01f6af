// Bundles the processes of a bench the way the product is bundled: run from source, Node would carry a TypeScript parser and an
// unused fetch stack along, and their memory would be counted.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

export type BundledFiles<Name extends string> = {
  readonly fileOf: (name: Name) => string;
  readonly remove: () => Promise<void>;
};

export async function bundle<const Name extends string>(
  sources: Readonly<Record<Name, URL>>,
  parentDir = tmpdir(),
): Promise<BundledFiles<Name>> {
  const outdir = await mkdtemp(join(parentDir, 'muster-bench-'));
  const files = Object.entries<URL>(sources).map(([name, url]) => [name, fileURLToPath(url)]);
  await build({
    entryPoints: Object.fromEntries(files),
    outdir,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node24',
    logLevel: 'warning',
  });
  return {
    fileOf: (name) => join(outdir, `${name}.cjs`),
    remove: () => rm(outdir, { recursive: true, force: true }),
  };
}
