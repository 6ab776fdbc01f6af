// Bundles the processes of the bench the way the product is bundled: run from source, Node would carry a TypeScript parser
// along, and its memory would be counted.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

export type BundledFiles = {
  readonly server: string;
  readonly load: string;
  readonly worlds: string;
  readonly remove: () => Promise<void>;
};

const sources = {
  server: new URL('./server.ts', import.meta.url),
  load: new URL('./load.ts', import.meta.url),
  worlds: new URL('./worlds.ts', import.meta.url),
};

export async function bundle(): Promise<BundledFiles> {
  const outdir = await mkdtemp(join(tmpdir(), 'muster-bench-'));
  await build({
    entryPoints: Object.fromEntries(Object.entries(sources).map(([name, url]) => [name, fileURLToPath(url)])),
    outdir,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node24',
    logLevel: 'warning',
  });
  const fileOf = (name: keyof typeof sources) => join(outdir, `${name}.cjs`);
  return {
    server: fileOf('server'),
    load: fileOf('load'),
    worlds: fileOf('worlds'),
    remove: () => rm(outdir, { recursive: true, force: true }),
  };
}
