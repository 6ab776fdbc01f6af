// Verdicts that say the same are one object: ten rules conclude much the same of ten thousand nodes. Bounded, because some
// verdicts name what only one node has.

import type { Verdict } from './node-state.ts';

export type SharedVerdicts = (verdicts: readonly Verdict[]) => readonly Verdict[];

const GENERATION_MAX = 2_048;

/** Two generations: what is said again moves along, what was said once is forgotten with the old one. */
export function createSharedVerdicts(): SharedVerdicts {
  let young = new Map<string, Verdict>();
  let old = new Map<string, Verdict>();
  const share = (verdict: Verdict): Verdict => {
    const words = wordsOf(verdict);
    const known = young.get(words);
    if (known !== undefined) return known;
    const shared = old.get(words) ?? Object.freeze(verdict);
    if (young.size >= GENERATION_MAX) {
      old = young;
      young = new Map();
    }
    young.set(words, shared);
    return shared;
  };
  return (verdicts) => verdicts.map(share);
}

function wordsOf({ capability, parent, outcome, reason, message, detail, holdsIn }: Verdict): string {
  return JSON.stringify([capability, parent, outcome, reason, message, detail, holdsIn]);
}
