// Before the first end-to-end test: the control plane's binaries, which take ten minutes where no cache has them, and the bundles
// of this tree, because the tests run what users run. Here and not in a hook, whose time is limited.

import { buildAll } from '../../scripts/build.ts';
import { ensureBinaries } from '../control-plane/build.ts';

export async function setup(): Promise<void> {
  await ensureBinaries((line) => process.stderr.write(`${line}\n`));
  await buildAll();
}
