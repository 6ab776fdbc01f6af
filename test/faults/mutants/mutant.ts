// A planted bug: one piece of one production module, replaced while it is loaded. The piece must be there exactly once, so that a
// mutant which no longer applies fails instead of passing for one that was caught.

import type { FaultPlan } from '../../../src/sim/faults/rule.ts';

export type Mutant = {
  readonly name: string;
  /** What was done wrong, and where it has been done wrong before. */
  readonly summary: string;
  readonly file: string;
  readonly replace: string;
  readonly by: string;
  /** Where to look first: the harness must find it there. */
  readonly scenario: string;
  readonly families: readonly string[];
  /** The fault of those families that unmasks it, tried first; none at all when it needs none. */
  readonly plan?: FaultPlan;
  /** The schedule on which that plan, which need not be a single fault then, unmasks it. */
  readonly seed?: number;
  /** The oracle that must notice. */
  readonly caughtBy: string;
};
