// Verdicts that say the same are one object: ten rules conclude much the same of ten thousand nodes. Bounded, because some
// verdicts name what only one node has.

import { createGenerations } from '../base/generations.ts';
import type { Verdict } from './node-state.ts';

export type SharedVerdicts = (verdicts: readonly Verdict[]) => readonly Verdict[];

const VERDICTS_MAX = 4_096;

export function createSharedVerdicts(): SharedVerdicts {
  const known = createGenerations<Verdict>(VERDICTS_MAX);
  return (verdicts) =>
    verdicts.map((verdict) => known.recall(wordsOf(verdict), () => Object.freeze(verdict)));
}

function wordsOf({ capability, parent, outcome, reason, message, detail, holdsIn }: Verdict): string {
  return JSON.stringify([capability, parent, outcome, reason, message, detail, holdsIn]);
}
