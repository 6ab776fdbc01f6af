// The tests that judge a mutant: those of the mutated modules and no others, with few runs of each property.

import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: [
      'src/kube/{reflector,cache,view-table,tombstones,queue,waiting-keys,delayed-keys,lease}*.test.ts',
    ],
    setupFiles: ['test/mutation/same-draws.ts'],
    env: { PROPERTY_RUNS: '20' },
    testTimeout: 20_000,
  },
});
