// Verdicts that say the same are one object, and lists of the same verdicts one list: ten rules conclude much the same of ten
// thousand nodes, and who counts them reads each list once. Bounded, because some verdicts name what only one node has.

import { createGenerations } from '../base/generations.ts';
import type { Verdict } from './node-state.ts';

export type SharedVerdicts = (verdicts: readonly Verdict[]) => readonly Verdict[];

const VERDICTS_MAX = 4_096;
const LISTS_MAX = 4_096;

/** A number is never given twice, so that it stands for the verdict in the name of a list. */
type Numbered = { readonly number: number; readonly verdict: Verdict };

export function createSharedVerdicts(): SharedVerdicts {
  const known = createGenerations<Numbered>(VERDICTS_MAX);
  const lists = createGenerations<readonly Verdict[]>(LISTS_MAX);
  let count = 0;
  return (verdicts) => {
    const shared = verdicts.map((verdict) =>
      known.recall(wordsOf(verdict), () => ({ number: count++, verdict: Object.freeze(verdict) })),
    );
    const name = shared.map(({ number }) => number).join();
    return lists.recall(name, () => Object.freeze(shared.map(({ verdict }) => verdict)));
  };
}

function wordsOf(verdict: Verdict): string {
  const { capability, parent, outcome, reason, message, detail, holdsIn, isKeptOff } = verdict;
  return JSON.stringify([capability, parent, outcome, reason, message, detail, holdsIn, isKeptOff]);
}
