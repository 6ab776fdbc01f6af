// Planted bugs of the election: two who lead at once.

import type { Mutant } from './mutant.ts';

export const leaseMutants: readonly Mutant[] = [
  {
    name: 'takes-a-held-lease',
    summary: 'a lease is taken before its holder has let it run out',
    file: 'src/kube/lease-step.ts',
    replace: 'return nowMs - seen.sinceMs >= durationSeconds * 1000;',
    by: 'return nowMs - seen.sinceMs >= durationSeconds * 100;',
    scenario: 'leader-change',
    families: ['none', 'crash', 'slow', 'pause'],
    plan: {
      rules: [
        {
          match: {
            verb: 'replace',
            resource: 'leases.coordination.k8s.io',
            name: 'muster',
            nth: 1,
            phase: 'beforeForward',
          },
          action: { kind: 'delay', ms: 40000 },
        },
      ],
    },
    caughtBy: 'I3 leader only',
  },
  {
    name: 'writes-past-the-deadline',
    summary: 'who was stopped for longer than the lease lasts goes on to write',
    file: 'src/kube/lease-state.ts',
    replace: 'renewDeadlineMs: 10_000,',
    by: 'renewDeadlineMs: 10_000_000,',
    scenario: 'leader-change',
    families: ['pause'],
    plan: {
      rules: [
        {
          match: {
            verb: 'patch',
            resource: 'nodelifecycles.muster.dev/status',
            name: 'a',
            nth: 2,
            phase: 'afterForward',
          },
          action: { kind: 'pause', ms: 25000 },
        },
      ],
    },
    caughtBy: 'I3 leader only',
  },
  {
    name: 'does-not-ask-before-writing',
    summary: 'leadership is asked for once at the beginning of a visit and not before each write',
    file: 'src/runtime/act.ts',
    replace: "if (epoch === null) return { kind: 'notLeading' };",
    by: "if (epoch === null && action.kind === 'WriteStatus') return { kind: 'notLeading' };",
    scenario: 'leader-change',
    families: ['pause'],
    plan: {
      rules: [
        {
          match: {
            verb: 'patch',
            resource: 'stamps.test.muster.dev/status',
            name: 'gate',
            nth: 1,
            phase: 'afterReply',
          },
          action: { kind: 'pause', ms: 25000 },
        },
      ],
    },
    caughtBy: 'I3 leader only',
  },
  {
    name: 'leads-without-a-lease',
    summary: 'a Lease that is not there any more is taken for one that nobody else can hold',
    file: 'src/kube/lease-step.ts',
    replace: "if (failure.reason !== 'NotFound') return rest(state);",
    by: `if (failure.reason !== 'NotFound') return rest(state);
  if (state.phase === 'leading') return create({ ...state, renewedAtMs: moment.nowMs }, acquired(state, moment));`,
    scenario: 'lease-namespace-deleted',
    families: ['none'],
    caughtBy: 'I3 leader only',
  },
];
