import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'scripts/**/*.test.ts', 'bench/**/*.test.ts'],
          pool: 'threads',
          isolate: false,
          // By itself it leaves one core to others: on a machine with two that takes nearly twice as long.
          maxWorkers: '100%',
          testTimeout: 20_000,
        },
      },
      {
        test: {
          name: 'e2e',
          include: ['test/**/*.e2e.ts'],
          globalSetup: ['test/support/build-once.ts'],
          pool: 'forks',
          // Each file has a control plane of its own, and waits most of the time.
          maxWorkers: 2,
          testTimeout: 120_000,
          hookTimeout: 300_000,
        },
      },
      { test: { name: 'browser', include: ['test/**/*.browser.ts'] } },
    ],
  },
});
