// The lines of a trace that a reader needs first: those around the breach where it is known, else those around the last strike and
// the end; and every strike, marked, wherever it is. What is left out is counted.

import type { TraceLine } from '../../src/sim/faults/trace.ts';

export type ExcerptOptions = {
  /** Which lines are wrong, as far as it is known. */
  readonly breached: readonly number[];
  readonly linesMax: number;
};

/** A storm is told by its first strikes. */
const STRIKES_MAX = 20;
/** What led to it matters more than what came of it. */
const SHARE_BEFORE = 2 / 3;

export function excerptOf(lines: readonly TraceLine[], options: ExcerptOptions): readonly string[] {
  const shown = shownIn(lines, options);
  const breached = new Set(options.breached);
  const told: string[] = [];
  let leftOut = 0;
  for (const [index, { text, isStrike }] of lines.entries()) {
    if (!shown.has(index)) {
      leftOut++;
      continue;
    }
    if (leftOut > 0) told.push(leftOutWords(leftOut));
    leftOut = 0;
    told.push(`${breached.has(index) ? '>' : isStrike ? '!' : ' '} ${text}`);
  }
  return leftOut > 0 ? [...told, leftOutWords(leftOut)] : told;
}

function leftOutWords(count: number): string {
  return `  ... ${count} ${count === 1 ? 'line' : 'lines'} left out; all by --trace`;
}

function shownIn(lines: readonly TraceLine[], { breached, linesMax }: ExcerptOptions): ReadonlySet<number> {
  if (lines.length <= linesMax) return new Set(lines.keys());
  const last = lines.length - 1;
  const strikes = lines.flatMap(({ isStrike }, index) => (isStrike ? [index] : []));
  const told = strikes.slice(0, STRIKES_MAX);
  const focuses = breached.length > 0 ? [...new Set(breached)] : [...strikes.slice(-1), last];
  const room = Math.max(1, Math.floor((linesMax - told.length) / focuses.length));
  const windows = focuses.flatMap((focus) => {
    // At the end of the trace all of the room lies before it.
    const from = Math.max(0, Math.min(focus - Math.floor(room * SHARE_BEFORE), last - room + 1));
    return Array.from({ length: Math.min(room, lines.length) }, (_, index) => from + index);
  });
  return new Set([...told, ...windows]);
}
