// Lists of conditions that say the same are one list: nodes that joined within one second are told of in the same words. Bounded,
// because each second has its own.

import { createGenerations } from '../base/generations.ts';
import type { Condition } from '../objects/condition.ts';

export type SharedConditions = (conditions: readonly Condition[]) => readonly Condition[];

const LISTS_MAX = 1_024;

export function createSharedConditions(): SharedConditions {
  const known = createGenerations<readonly Condition[]>(LISTS_MAX);
  return (conditions) =>
    known.recall(wordsOf(conditions), () => Object.freeze(conditions.map((each) => Object.freeze(each))));
}

function wordsOf(conditions: readonly Condition[]): string {
  return JSON.stringify(
    conditions.map(({ type, status, reason, message, lastTransitionTime }) => [
      type,
      status,
      reason,
      message,
      lastTransitionTime,
    ]),
  );
}
