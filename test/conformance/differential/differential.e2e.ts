// Random sequences on the real server in two namespaces: whatever differs here is a flaw of the comparison. One seed alone:
// CONFORMANCE_SEED=17 npx vitest run --project e2e test/conformance/differential

import { afterAll, beforeAll, expect, it } from 'vitest';
import { installDefinitions } from '../definitions.ts';
import { realTarget } from '../real-target.ts';
import type { RunningTarget } from '../target.ts';
import { sequenceOf } from './generate.ts';
import { describeOperation } from './operation.ts';
import { compareTargets } from './run.ts';

const wanted = process.env['CONFORMANCE_SEED'];
const seeds = wanted === undefined ? Array.from({ length: 50 }, (_, index) => index + 1) : [Number(wanted)];

let target: RunningTarget;

beforeAll(async () => {
  target = await realTarget.start();
  await installDefinitions(target);
});

afterAll(() => target?.stop());

it('finds no difference between the real server and itself', async () => {
  if (wanted !== undefined) say(...seeds.flatMap(transcript));
  const startedAt = Date.now();
  const sides = [
    { target, name: 'lefts' },
    { target, name: 'rites' },
  ] as const;
  const { differences, tally } = await compareTargets(sides, seeds);
  const steps = seeds.flatMap(sequenceOf).length;
  const answers = [...tally].map(([answer, count]) => `${answer}: ${count}`).sort();
  say(
    `${seeds.length} sequences, ${steps} steps, ${differences.length} differences in ${Date.now() - startedAt} ms`,
    answers.join(', '),
  );
  expect(differences.join('\n')).toBe('');
});

function transcript(seed: number): readonly string[] {
  return sequenceOf(seed).map((operation, step) => `${step + 1}. ${describeOperation(operation)}`);
}

function say(...lines: readonly string[]): void {
  process.stderr.write(`${lines.join('\n')}\n`);
}
