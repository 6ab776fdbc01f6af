// A case is one fact about API servers, as a function that throws when the fact does not hold. Its name is its sentence.

import type { Bench } from './bench.ts';
import type { Feature } from './target.ts';

export type Case = (bench: Bench) => Promise<void>;

export type Topic = {
  readonly name: string;
  readonly needs?: Feature;
  /** Disturbs the others, so it waits until they are done and runs case by case. */
  readonly isLast?: boolean;
  readonly cases: Readonly<Record<string, Case>>;
};

/** Cases that differ in their data alone. */
export function table<Row>(
  rows: Readonly<Record<string, Row>>,
  run: (bench: Bench, row: Row) => Promise<void>,
): Readonly<Record<string, Case>> {
  return Object.fromEntries(
    Object.entries(rows).map(([sentence, row]) => [sentence, (bench: Bench) => run(bench, row)]),
  );
}
