// The oracles, by the invariant that each stands for. Of the sixteen invariants, budgets of what destroys (the rest of I3), webhooks
// (I12) and isolation (I16) have no subject yet; a clean exit (I13) is what scenarios expect of their ends.

import { accountable } from './oracles/accountable.ts';
import { atMostOne } from './oracles/at-most-one.ts';
import { bounded } from './oracles/bounded.ts';
import { failStatic } from './oracles/fail-static.ts';
import { freshEvidence } from './oracles/fresh-evidence.ts';
import { leaderOnly } from './oracles/leader-only.ts';
import { noFight } from './oracles/no-fight.ts';
import { noGateBypass } from './oracles/no-gate-bypass.ts';
import { noNeedlessHarm } from './oracles/no-needless-harm.ts';
import type { Breach, Oracle } from './oracles/oracle.ts';
import { ownOnly } from './oracles/own-only.ts';
import { rightIncarnation } from './oracles/right-incarnation.ts';
import { stableConvergence } from './oracles/stable-convergence.ts';
import { trueAttempts } from './oracles/true-attempts.ts';
import { trueControls } from './oracles/true-controls.ts';
import { verifiedFirst } from './oracles/verified-first.ts';
import { withinBrake } from './oracles/within-brake.ts';
import { withinRights } from './oracles/within-rights.ts';
import type { Run } from './run.ts';

export const oracles: readonly Oracle[] = [
  failStatic,
  ownOnly,
  rightIncarnation,
  leaderOnly,
  withinBrake,
  freshEvidence,
  noGateBypass,
  verifiedFirst,
  atMostOne,
  stableConvergence,
  noNeedlessHarm,
  trueAttempts,
  trueControls,
  noFight,
  bounded,
  accountable,
  withinRights,
];

export function judge(run: Run, reference: Run): readonly Breach[] {
  return oracles.flatMap(({ name, judge: ask }) =>
    ask(run, reference).map((message) => ({ oracle: name, message })),
  );
}
