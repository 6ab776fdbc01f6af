// What the operator holds in memory by kind, weighed in a process of its own that reads the same cluster.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { bundle } from '../bundle.ts';
import type { Cluster } from '../cluster/cluster.ts';

export type HeldRow = { readonly what: string; readonly objects: number; readonly bytes: number };

const heldMsMax = 600_000;

export async function weighHeld({ dir, operatorKubeconfig }: Cluster): Promise<readonly HeldRow[]> {
  const files = await bundle({ held: new URL('held-client.ts', import.meta.url) }, dir);
  const args = ['--expose-gc', files.fileOf('held'), operatorKubeconfig];
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: heldMsMax });
  await files.remove();
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as HeldRow);
}
