// Planted bugs of the brake: budgets and pauses that are not heeded, and places that are given away before they are free.

import type { Mutant } from './mutant.ts';

const scenario = 'readiness-braked';
const caughtBy = 'I3 within the brake';

export const brakeMutants: readonly Mutant[] = [
  {
    name: 'brake-without-budget',
    summary: 'the budget of a pool is never spent',
    file: 'src/runtime/arbitrate.ts',
    replace: 'if (inPool < max) return null;',
    by: 'if (inPool < max + poolSize) return null;',
    scenario,
    families: ['none'],
    caughtBy,
  },
  {
    name: 'pause-without-end-unheeded',
    summary: 'only a pause that says when it ends is heeded',
    file: 'src/runtime/arbitrate.ts',
    replace: 'const pause = policy.pauses.find((each) => isStanding(each, now));',
    by: 'const pause = policy.pauses.find((each) => each.until !== null && isStanding(each, now));',
    scenario,
    families: ['none'],
    caughtBy,
  },
  {
    name: 'place-free-before-release',
    summary: 'a node that is to be released leaves its place before its taint is gone',
    file: 'src/runtime/brake.ts',
    replace: 'const standing = standingGates(node);',
    by: 'const standing = standingGates(node).filter(({ taint }) => !isLeaving(taint, order));',
    scenario,
    families: ['reset'],
    plan: {
      rules: [
        {
          match: { verb: 'patch', resource: 'nodes', name: 'a', nth: 2, phase: 'beforeForward' },
          action: { kind: 'reset' },
        },
      ],
    },
    caughtBy,
  },
  {
    name: 'unserved-policy-is-none',
    summary: 'a policy of a kind that the server does not know just now is taken for deleted',
    file: 'src/runtime/known-policy.ts',
    replace: 'known()?.gating',
    by: 'cache.get(disruptionPolicyName)?.gating',
    scenario,
    families: ['unserved'],
    caughtBy,
  },
  {
    name: 'deaf-while-writing',
    summary: 'a gate that another leader sets is not counted before a write of ours about its node is over',
    file: 'src/runtime/brake.ts',
    replace: 'if (before === undefined || gates.length === 0) return;',
    by: 'if (before === undefined || gates.length >= 0) return;',
    scenario,
    families: ['many leaders'],
    seed: 0,
    plan: {
      leaders: 2,
      rules: [
        {
          match: {
            verb: 'create',
            resource: 'nodelifecycles.muster.dev',
            name: 'a',
            nth: 1,
            phase: 'beforeForward',
          },
          action: { kind: 'delay', ms: 40_000 },
        },
      ],
    },
    caughtBy,
  },
  {
    name: 'no-brake-by-default',
    summary: 'without a policy every node may be gated',
    file: 'src/api/disruption-vocabulary.ts',
    replace: 'gating: { percent: 25, nodes: 10 },',
    by: 'gating: { percent: 100, nodes: 10 },',
    scenario: 'readiness-default-brake',
    families: ['none'],
    caughtBy,
  },
];
