// Planted bugs of the queue: keys that get lost, tries that do not wait.

import type { Mutant } from './mutant.ts';

export const queueMutants: readonly Mutant[] = [
  {
    name: 'loses-a-key-at-work',
    summary: 'what changes while a key is worked on is forgotten',
    file: 'src/kube/queue.ts',
    replace: 'if (worked.againLevel !== null) this.#add(key, worked.againLevel);',
    by: 'if (worked.againLevel !== null && key === "") this.#add(key, worked.againLevel);',
    scenario: 'owned-record',
    families: ['none', 'slow', 'lag'],
    caughtBy: 'I7 stable convergence',
  },
  {
    name: 'gives-up-after-a-failure',
    summary: 'a key whose work failed is not tried again',
    file: 'src/kube/queue.ts',
    replace: 'else this.#delay(key, level, this.#nowMs() + Math.max(waitMs, afterMs));',
    by: 'else this.#failures.delete(key);',
    scenario: 'births',
    families: ['refusal', 'reset'],
    plan: {
      rules: [
        {
          match: {
            verb: 'patch',
            resource: 'nodelifecycles.muster.dev/status',
            name: 'c',
            nth: 1,
            phase: 'beforeForward',
          },
          action: { kind: 'reset' },
        },
      ],
    },
    caughtBy: 'I7 stable convergence',
  },
  {
    name: 'never-backs-off',
    summary: 'a refused write is tried again at once, for ever',
    file: 'src/kube/queue.ts',
    replace: 'const waitMs = retry.soon && failures <= soonMax ?',
    by: 'const waitMs = retry.soon && failures <= 1_000 * soonMax ?',
    scenario: 'owned-record',
    families: ['refused for long'],
    caughtBy: 'I9 no fight',
  },
  {
    name: 'writes-as-fast-as-the-other',
    summary: 'what is told of a node is written again as often as another leader writes it back',
    file: 'src/runtime/reporters.ts',
    replace: 'const WRITES_IN_A_ROW = 4;',
    by: 'const WRITES_IN_A_ROW = 4_000;',
    scenario: 'readiness-flapping',
    families: ['many leaders'],
    plan: {
      leaders: 3,
      rules: [
        {
          match: {
            verb: 'patch',
            resource: 'nodelifecycles.muster.dev/status',
            name: 'b',
            nth: 4,
            phase: 'beforeForward',
          },
          action: { kind: 'delay', ms: 5000 },
        },
      ],
    },
    caughtBy: 'I9 no fight',
  },
  {
    name: 'hurried-by-every-node',
    summary: 'a refused write of a rule is tried again at every change of any node',
    file: 'src/capabilities/readiness/finalizer-reporter.ts',
    replace: 'const PERIOD_MS = 1_000;',
    by: 'const PERIOD_MS = 0;',
    scenario: 'readiness-mass-join',
    families: ['refused for long'],
    plan: {
      rules: [
        {
          match: {
            verb: 'patch',
            resource: 'nodereadinessgaterules.nodereadiness.io',
            name: 'cni',
            phase: 'beforeForward',
            times: 60,
          },
          action: { kind: 'status', code: 409 },
        },
      ],
    },
    caughtBy: 'I9 no fight',
  },
  {
    name: 'records-as-fast-as-the-other',
    summary: 'a record is written again as often as another leader writes it back',
    file: 'src/runtime/node-writer.ts',
    replace: 'const RECORDS_IN_A_ROW = 12;',
    by: 'const RECORDS_IN_A_ROW = 12_000;',
    scenario: 'births',
    families: ['many leaders'],
    seed: 0,
    plan: {
      leaders: 2,
      rules: [
        {
          match: { verb: 'event', resource: 'nodes', name: 'c', nth: 3, phase: 'afterReply' },
          action: { kind: 'silence' },
        },
      ],
    },
    caughtBy: 'I9 no fight',
  },
];
