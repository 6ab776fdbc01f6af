// Planted bugs of the reflector: places to go on from that are none.

import type { Mutant } from './mutant.ts';

export const reflectorMutants: readonly Mutant[] = [
  {
    name: 'resumes-in-the-start',
    summary: 'the place to go on from moves before the bookmark that ends the initial events',
    file: 'src/kube/reflector-step.ts',
    replace:
      "if (state.phase === 'syncing') return { state, effects: [{ kind: 'stageObject', change, object }] };",
    by: `if (state.phase === 'syncing')
    return {
      state: proven(state, object.metadata?.resourceVersion ?? ''),
      effects: [{ kind: 'stageObject', change, object }],
    };`,
    scenario: 're-creation',
    families: ['cut watch'],
    caughtBy: 'I7 stable convergence',
  },
  {
    name: 'resumes-after-410',
    summary: 'a place that the server has forgotten is asked for again and again',
    file: 'src/kube/reflector-step.ts',
    replace: "if (failure.reason === 'Expired') return again({ ...state, resumeFrom: null }, begun);",
    by: "if (failure.reason === 'Expired') return again(state, begun);",
    scenario: 'owned-record',
    families: ['expired watch'],
    plan: {
      rules: [
        {
          match: {
            verb: 'event',
            resource: 'stamps.test.muster.dev',
            name: 'gate',
            nth: 2,
            phase: 'afterReply',
          },
          action: { kind: 'cut', ending: 'expiredStatus' },
        },
      ],
    },
    caughtBy: 'I7 stable convergence',
  },
  {
    name: 'stops-on-reset',
    summary: 'a broken connection ends the watch for good',
    file: 'src/kube/reflector-step.ts',
    replace:
      "  if (failure.reason === 'NotFound') return onAbsence({ ...state, resumeFrom: null }, begun);\n  return after(state, failure, begun);",
    by: `  if (failure.reason === 'NotFound') return onAbsence({ ...state, resumeFrom: null }, begun);
  return { state, effects: begun };`,
    scenario: 'owned-record',
    families: ['cut watch'],
    plan: {
      rules: [
        {
          match: {
            verb: 'event',
            resource: 'stamps.test.muster.dev',
            name: 'gate',
            nth: 2,
            phase: 'afterReply',
          },
          action: { kind: 'cut', ending: 'reset' },
        },
      ],
    },
    caughtBy: 'I7 stable convergence',
  },
  {
    name: 'resumes-too-late',
    summary: 'a watch goes on from the newest revision it has heard of, of whatever object, plus one',
    file: 'src/kube/reflector-step.ts',
    replace: "const start: WatchStart = { kind: 'after', resourceVersion: resumeFrom };",
    by: "const start: WatchStart = { kind: 'after', resourceVersion: String(Number(resumeFrom) + 3) };",
    scenario: 'births',
    families: ['cut watch'],
    plan: {
      rules: [
        {
          match: { verb: 'event', resource: 'nodes', name: 'b', nth: 3, phase: 'afterReply' },
          action: { kind: 'cut', ending: 'reset' },
        },
      ],
    },
    caughtBy: 'I7 stable convergence',
  },
  {
    name: 'trusts-a-silent-stream',
    summary: 'a watch over which nothing comes any more is never given up',
    file: 'src/kube/reflector.ts',
    replace: "if (leftMs <= 0) this.#take({ kind: 'silent' });",
    by: 'if (leftMs <= 0) return;',
    scenario: 'births',
    families: ['silent watch'],
    plan: {
      rules: [
        {
          match: { verb: 'event', resource: 'nodes', name: 'a', nth: 2, phase: 'afterReply' },
          action: { kind: 'silence' },
        },
      ],
    },
    caughtBy: 'I7 stable convergence',
  },
];
