// The tests that judge a mutant: those of the mutated modules and no others, with few runs of each property.

import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: [
      'src/kube/{reflector,cache,view-table,tombstones,queue,waiting-keys,delayed-keys,lease}*.test.ts',
    ],
    // Each mutant gets a worker of its own in any case; its test files share it, which makes a run several times faster.
    isolate: false,
    setupFiles: ['test/mutation/same-draws.ts'],
    env: { PROPERTY_RUNS: '20' },
    testTimeout: 20_000,
  },
});
