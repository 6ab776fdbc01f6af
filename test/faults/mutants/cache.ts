// Planted bugs of the cache: deletions that are not seen, states that come back.

import type { Mutant } from './mutant.ts';

export const cacheMutants: readonly Mutant[] = [
  {
    name: 'relist-keeps-the-dead',
    summary: 'what vanished between two lists stays in the cache',
    file: 'src/kube/cache.ts',
    replace: 'if (all.has(key) || !this.#isGoneAsOf(resourceVersion, view)) continue;',
    by: 'if (all.has(key) || key !== "") continue;',
    scenario: 'owned-record',
    families: ['expired watch'],
    plan: {
      rules: [
        {
          match: {
            verb: 'event',
            resource: 'stamps.test.muster.dev',
            name: 'team',
            nth: 3,
            phase: 'afterReply',
          },
          action: { kind: 'cut', ending: 'expiredStatus' },
        },
      ],
    },
    caughtBy: 'I7 stable convergence',
  },
  {
    name: 'deletion-unheard',
    summary: 'the end of an object changes nothing',
    file: 'src/kube/cache.ts',
    replace: "if (change === 'DELETED') this.#delete(seen);",
    by: "if (change === 'DELETED' && seen.key === '') this.#delete(seen);",
    scenario: 'departures',
    families: ['none'],
    caughtBy: 'I10 bounded',
  },
  {
    name: 'skips-the-live-read',
    summary: 'after a conflict the next decision is taken on the same cached state',
    file: 'src/runtime/visit.ts',
    replace: 'if (mayWrite && !(await writer.resolveDoubt(name)))',
    by: 'if (mayWrite && name === "" && !(await writer.resolveDoubt(name)))',
    scenario: 'owned-record',
    families: ['conflict'],
    caughtBy: 'I4 fresh evidence',
  },
];
