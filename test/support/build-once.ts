// End-to-end tests run what users run: the bundles of this tree, built once before the first test.

import { buildAll } from '../../scripts/build.ts';

export async function setup(): Promise<void> {
  await buildAll();
}
