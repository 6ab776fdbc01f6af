// Bundles the measured programs the way the product is bundled: run from source, Node would carry a TypeScript parser and an
// unused fetch stack along, and their memory would be counted.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { type ClientName, clientNames } from './clients.ts';

export type BundledFiles = {
  readonly clients: Readonly<Record<ClientName, string>>;
  readonly footprint: string;
  readonly remove: () => Promise<void>;
};

const sources = {
  transport: new URL('./clients/transport.ts', import.meta.url),
  parsing: new URL('./clients/parsing.ts', import.meta.url),
  muster: new URL('./clients/muster.ts', import.meta.url),
  'client-node': new URL('./clients/client-node.ts', import.meta.url),
  footprint: new URL('./footprint.ts', import.meta.url),
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
  const fileOf = (name: string) => join(outdir, `${name}.cjs`);
  return {
    clients: Object.fromEntries(clientNames.map((name) => [name, fileOf(name)])) as Record<
      ClientName,
      string
    >,
    footprint: fileOf('footprint'),
    remove: () => rm(outdir, { recursive: true, force: true }),
  };
}
