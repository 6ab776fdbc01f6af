// A case is one fact about API servers, as a function that throws when the fact does not hold. Its name is its sentence.

import type { Bench } from './bench.ts';
import type { Feature } from './target.ts';

type Run = (bench: Bench) => Promise<void>;

export type Case = Run | { readonly needs: readonly Feature[]; readonly run: Run };

export type Topic = {
  readonly name: string;
  /** For every case of the topic, on top of its own. */
  readonly needs?: readonly Feature[];
  /** Disturbs the others, so it waits until they are done and runs case by case. */
  readonly isLast?: boolean;
  readonly cases: Readonly<Record<string, Case>>;
};

export function needing(feature: Feature, run: Run): Case {
  return { needs: [feature], run };
}

/** Cases that differ in their data alone. */
export function table<Row>(
  rows: Readonly<Record<string, Row>>,
  run: (bench: Bench, row: Row) => Promise<void>,
): Readonly<Record<string, Case>> {
  return Object.fromEntries(
    Object.entries(rows).map(([sentence, row]) => [sentence, (bench: Bench) => run(bench, row)]),
  );
}

export function needsOf(topic: Topic, theCase: Case): readonly Feature[] {
  return [...(topic.needs ?? []), ...(typeof theCase === 'function' ? [] : theCase.needs)];
}

export function runOf(theCase: Case): Run {
  return typeof theCase === 'function' ? theCase : theCase.run;
}
