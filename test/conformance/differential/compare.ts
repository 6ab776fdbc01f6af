// Walks two worlds through one sequence, step by step, and stops at the first answer that is not the same.

import { isDeepStrictEqual } from 'node:util';
import { describeOperation, type Operation } from './operation.ts';
import type { Answer } from './normalise.ts';
import type { World } from './world.ts';

export type Difference = {
  readonly step: number;
  readonly operation: Operation;
  readonly answers: readonly [Answer, Answer];
};

export async function firstDifference(
  worlds: readonly [World, World],
  operations: readonly Operation[],
  onStep: (operation: Operation, answer: Answer) => void = () => undefined,
): Promise<Difference | null> {
  const [left, right] = worlds;
  for (const [step, operation] of operations.entries()) {
    const answers = await Promise.all([left.perform(operation), right.perform(operation)]);
    onStep(operation, answers[0]);
    if (!isDeepStrictEqual(answers[0], answers[1])) return { step, operation, answers };
  }
  return null;
}

export function formatDifference(
  seed: number,
  worlds: readonly [World, World],
  difference: Difference,
): string {
  const { step, operation, answers } = difference;
  return [
    `seed ${seed}, step ${step + 1}: ${describeOperation(operation)}`,
    `  ${worlds[0].name}: ${JSON.stringify(answers[0])}`,
    `  ${worlds[1].name}: ${JSON.stringify(answers[1])}`,
  ].join('\n');
}
