// Planted bugs of readiness: proofs that are not there yet, silence taken for an answer, rules that do not hear each other.

import type { FaultAction, FaultPlan } from '../../../src/sim/faults/rule.ts';
import type { Mutant } from './mutant.ts';

export const readinessMutants: readonly Mutant[] = [
  {
    name: 'rule-proves-too-early',
    summary: 'a rule that nothing keeps is taken for proof of its taints',
    file: 'src/capabilities/readiness/decide.ts',
    replace: "return isAnchored ? 'object' : 'record';",
    by: "return isAnchored === null ? 'record' : 'object';",
    scenario: 'readiness-deleted',
    families: ['conflict'],
    caughtBy: 'I5 no gate bypass',
  },
  {
    name: 'unserved-is-gone',
    summary: 'rules of a kind that the server does not know just now are taken for deleted',
    file: 'src/capabilities/readiness/gather.ts',
    replace: 'const isServed = (front: Front) => rulesIn(caches, specs, front).isServed();',
    by: 'const isServed = (front: Front) => rulesIn(caches, specs, front).size >= 0;',
    scenario: 'readiness-created',
    families: ['unserved'],
    caughtBy: 'I5 no gate bypass',
  },
  {
    name: 'forgets-former-taints',
    summary: 'a rule that names another taint does not know the one before any more',
    file: 'src/fleet/readiness-rule.ts',
    replace: 'return rule?.taint === taint || notedTaints.includes(taint);',
    by: 'return rule?.taint === taint || notedTaints.length < 0;',
    scenario: 'readiness-edited',
    families: ['refused for long'],
    caughtBy: 'I7 stable convergence',
  },
  {
    name: 'gates-after-bootstrap',
    summary: 'a rule of mode bootstrap-only gates a node again that it was done with',
    file: 'src/capabilities/readiness/policies/stance.ts',
    replace: '  if (!marker.isComplete) return null;\n',
    by: '  if (!marker.isComplete || assessment.readiness !== "ready") return null;\n',
    scenario: 'readiness-bootstrap',
    families: ['none'],
    caughtBy: 'I5 no gate bypass',
  },
  {
    name: 'released-by-the-other',
    summary: 'one of two rules with one taint takes it off while the other wants it',
    file: 'src/capabilities/readiness/claims.ts',
    replace: "const gate = wanting('gate');",
    by: "const gate = wanting('release') === undefined ? wanting('gate') : undefined;",
    scenario: 'readiness-two-fronts',
    families: ['none'],
    caughtBy: 'I5 no gate bypass',
  },
  {
    name: 'believes-every-flap',
    summary: 'how long a rule waits before it believes a condition is not read',
    file: 'src/fleet/readiness-rule.ts',
    replace: "const ms = typeof raw === 'string' ? parseDuration(raw) : null;",
    by: "const ms = typeof raw === 'string' && parseDuration(raw) !== null ? 0 : null;",
    scenario: 'readiness-flapping',
    families: ['none'],
    caughtBy: 'I8 no needless harm',
  },
  {
    name: 'evaluation-without-an-anchor',
    summary: 'an evaluation is made for a rule that may be gone, against the garbage collector',
    file: 'src/capabilities/readiness/decide.ts',
    replace: 'isPending: isTaintPending || isMarkerPending || !view.isAnchored,',
    by: 'isPending: isTaintPending || isMarkerPending,',
    scenario: 'readiness-deleted',
    families: ['hidden event', 'expired watch', 'unserved', 'silent watch'],
    caughtBy: 'I9 no fight',
  },
  {
    name: 'evaluations-outlive-their-pair',
    summary: 'the evaluation of a node that left its rule stays',
    file: 'src/capabilities/readiness/evaluation-reporter.ts',
    replace:
      "return have === undefined ? null : { kind: 'DeleteObject', target: targetOf(have), cause: 'unselected' };",
    by: 'return null;',
    scenario: 'readiness-relabelled',
    families: ['none'],
    caughtBy: 'I7 stable convergence',
  },
  {
    name: 'leads-on-hearsay',
    summary: 'a replica that begins to lead writes on what it has heard so far',
    file: 'src/bin/wire.ts',
    replace: 'await sources.readDeciding(ending.signal);',
    by: 'await Promise.resolve();',
    scenario: 'readiness-edited',
    families: ['stale start'],
    caughtBy: 'I5 no gate bypass',
  },
  {
    name: 'late-gate-unlisted',
    summary: 'a taint that may still arrive is not recorded before its rule is let go',
    file: 'src/capabilities/readiness/decide.ts',
    replace: '    ...unfulfilled.map(departingClaim),\n',
    by: '',
    scenario: 'readiness-let-go',
    families: ['pause'],
    plan: late('a', { kind: 'pause', ms: 25_000 }),
    caughtBy: 'I7 stable convergence',
  },
  {
    name: 'late-gate-of-a-dry-run-unlisted',
    summary:
      'a taint that was decided before its rule became a dry run is not recorded before the rule is let go',
    file: 'src/capabilities/readiness/decide.ts',
    replace: 'const mayGate = !(rule.isDryRun || rule.isSuspended) || wasEdited(view);',
    by: 'const mayGate = !(rule.isDryRun || rule.isSuspended) || wasEdited({ ...view, generation: 1 });',
    scenario: 'readiness-let-go',
    families: ['pause'],
    plan: late('c', { kind: 'pause', ms: 25_000 }),
    caughtBy: 'I7 stable convergence',
  },
  {
    name: 'keeps-markers-of-the-gone',
    summary: 'the marker of a rule that is gone stays unless the record lists it',
    file: 'src/capabilities/readiness/gather.ts',
    replace: "if (isOrphan(entry)) return [{ ...entry, basis: 'named' }];",
    by: "if (isOrphan(entry)) return [{ ...entry, basis: 'recorded' }];",
    scenario: 'readiness-let-go',
    families: ['slow'],
    plan: late('b', { kind: 'delay', ms: 40_000 }),
    caughtBy: 'I7 stable convergence',
  },
];

/** The first patch of a node is held up. */
function late(name: string, action: FaultAction): FaultPlan {
  const match = { verb: 'patch', resource: 'nodes', name, nth: 1, phase: 'beforeForward' } as const;
  return { rules: [{ match, action }] };
}
