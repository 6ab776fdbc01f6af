// Random sequences on the embedded server and on the real one: every answer is compared, and none may differ. One seed alone,
// with its steps: CONFORMANCE_SEED=17 npx vitest run --project e2e test/conformance/differential

import { afterAll, beforeAll, expect, it } from 'vitest';
import { installDefinitions } from '../definitions.ts';
import { embeddedTarget } from '../embedded-target.ts';
import { realTarget } from '../real-target.ts';
import type { RunningTarget } from '../target.ts';
import { sequenceOf } from './generate.ts';
import { describeOperation } from './operation.ts';
import { compareTargets, type Sides } from './run.ts';

const wanted = process.env['CONFORMANCE_SEED'];
const seedsUpTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);
const seeds = wanted === undefined ? seedsUpTo(200) : [Number(wanted)];

let real: RunningTarget;
let embedded: RunningTarget;

beforeAll(async () => {
  [real, embedded] = await Promise.all([realTarget.start(), embeddedTarget.start()]);
  await Promise.all([real, embedded].map(installDefinitions));
});

afterAll(async () => {
  await real?.stop();
  await embedded?.stop();
});

it('finds no difference between the embedded server and the real one', async () => {
  if (wanted !== undefined) say(...seeds.flatMap(transcript));
  const sides = [
    { target: real, name: 'reals' },
    { target: embedded, name: 'embed' },
  ] as const;
  expect(await differencesOf(sides, seeds)).toEqual([]);
}, 240_000);

// Whatever differs here is a flaw of the comparison.
it('finds no difference between the real server and itself', async () => {
  const sides = [
    { target: real, name: 'lefts' },
    { target: real, name: 'rites' },
  ] as const;
  expect(await differencesOf(sides, wanted === undefined ? seedsUpTo(20) : seeds)).toEqual([]);
});

async function differencesOf(sides: Sides, compared: readonly number[]): Promise<readonly string[]> {
  const startedAt = Date.now();
  const { differences, tally } = await compareTargets(sides, compared);
  const steps = compared.flatMap(sequenceOf).length;
  const answers = [...tally].map(([answer, count]) => `${answer}: ${count}`).sort();
  say(
    `${sides.map(({ target }) => target.name).join(' and ')}: ${compared.length} sequences, ${steps} steps, ` +
      `${differences.length} differences in ${Date.now() - startedAt} ms`,
    answers.join(', '),
  );
  return differences;
}

function transcript(seed: number): readonly string[] {
  return sequenceOf(seed).map((operation, step) => `${step + 1}. ${describeOperation(operation)}`);
}

function say(...lines: readonly string[]): void {
  process.stderr.write(`${lines.join('\n')}\n`);
}
