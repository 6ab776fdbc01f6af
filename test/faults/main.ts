// `npm run test:faults`: every fault of every scenario and random schedules on top, or one run that is replayed. Exit code 0 when
// nothing was breached, 1 when something was, 2 when the command is wrong.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { formatProblem } from '../../src/base/result.ts';
import { parsePlanText } from '../../src/sim/faults/parse-plan.ts';
import type { FaultPlan } from '../../src/sim/faults/rule.ts';
import { campaign, type CampaignResult, spread } from './campaign.ts';
import { dueNow } from './changed.ts';
import { type Case, Harness } from './harness.ts';
import { mutants } from './mutants.ts';
import { loadMutant } from './mutants/load.ts';
import { launchOperator } from './operator.ts';
import { failureReport, shortestReport, tableOf } from './report.ts';
import { scenarios } from './scenarios.ts';

const flags = {
  scenario: { type: 'string' },
  family: { type: 'string' },
  seed: { type: 'string' },
  seeds: { type: 'string' },
  faults: { type: 'string' },
  mutant: { type: 'string' },
  minutes: { type: 'string' },
  report: { type: 'string' },
  trace: { type: 'boolean' },
} as const;

const SEEDS_DEFAULT = 1_000;
const repository = join(import.meta.dirname, '../..');

class UsageError extends Error {}

try {
  process.exitCode = await main();
} catch (error) {
  const isUsage = error instanceof UsageError;
  process.stderr.write(`${isUsage ? error.message : String((error as Error).stack)}\n`);
  process.exitCode = isUsage ? 2 : 1;
}

type Values = ReturnType<typeof parseFlags>;

function parseFlags() {
  try {
    return parseArgs({ options: flags, strict: true, allowPositionals: false }).values;
  } catch (error) {
    throw new UsageError(`${(error as Error).message}; known are --${Object.keys(flags).join(', --')}`);
  }
}

async function main(): Promise<number> {
  const values = parseFlags();
  const planted = mutants.find(({ name }) => name === values.mutant);
  if (values.mutant !== undefined && planted === undefined)
    throw new UsageError(
      `${values.mutant} is no mutant; known are ${mutants.map(({ name }) => name).join(', ')}`,
    );
  const sound = new Harness(launchOperator);
  const harness =
    planted === undefined ? sound : new Harness((await loadMutant(planted)).launchOperator, sound);
  return values.faults === undefined && values.seed === undefined
    ? runAll(harness, values)
    : replay(harness, values);
}

async function replay(harness: Harness, values: Values): Promise<number> {
  const scenario = scenarios.find(({ name }) => name === values.scenario);
  if (scenario === undefined) throw new UsageError(unknown('scenario', values.scenario, scenarioNames()));
  const seed = numberOf(values.seed ?? '0', 'seed');
  const plan =
    values.faults === undefined ? (await harness.random(scenario, seed)).plan : planOf(values.faults);
  const { run, breaches } = await harness.judge({ scenario, seed, plan });
  const mutant = values.mutant === undefined ? {} : { mutant: values.mutant };
  const linesMax = values.trace ? { linesMax: Infinity } : {};
  if (breaches.length > 0)
    console.log(failureReport({ scenario, seed, plan }, breaches, { run, ...mutant, ...linesMax }));
  else if (values.trace) console.log(run.trace.lines().join('\n'));
  console.log(`trace hash ${run.trace.hash()}, ${breaches.length} breaches`);
  return breaches.length === 0 ? 0 : 1;
}

function scenarioNames(): readonly string[] {
  return scenarios.map(({ name }) => name);
}

function unknown(flag: string, given: string | undefined, known: readonly (string | undefined)[]): string {
  return `--${flag} must be one of ${known.join(', ')}, not ${given ?? 'nothing'}`;
}

function planOf(text: string): FaultPlan {
  const plan = parsePlanText(text);
  if (plan.kind === 'ok') return plan.value;
  throw new UsageError(`--faults: ${plan.error.map(formatProblem).join('; ')}`);
}

function numberOf(text: string, flag: string): number {
  if (!/^\d+$/.test(text)) throw new UsageError(`--${flag} must be a whole number, not ${text}`);
  return Number(text);
}

async function runAll(harness: Harness, values: Values): Promise<number> {
  const chosen = scenarios.filter(({ name }) => values.scenario === undefined || name === values.scenario);
  if (chosen.length === 0) throw new UsageError(unknown('scenario', values.scenario, scenarioNames()));
  const seeds = numberOf(values.seeds ?? String(SEEDS_DEFAULT), 'seeds');
  const enumerated: Case[] = [];
  for (const scenario of chosen) enumerated.push(...(await harness.enumerated(scenario)));
  const random: Case[] = [];
  for (let seed = 1; seed <= seeds; seed++) {
    const scenario = chosen[seed % chosen.length];
    if (scenario !== undefined) random.push(await harness.random(scenario, seed));
  }
  // Where the time will not do for all of it, no scenario is always the one that is left out.
  const cases =
    values.minutes === undefined
      ? [...enumerated, ...random]
      : [...random, ...spread(enumerated, dueNow(chosen, repository).part)];
  const wanted = cases.filter(({ family }) => values.family === undefined || family === values.family);
  if (wanted.length === 0)
    throw new UsageError(unknown('family', values.family, [...new Set(cases.map(({ family }) => family))]));
  const budgetMs = values.minutes === undefined ? Infinity : numberOf(values.minutes, 'minutes') * 60_000;
  const result = await campaign(harness, wanted, { budgetMs, failuresMax: 50 });
  console.log(tableOf(result));
  await explain(harness, result, values.mutant);
  if (values.report !== undefined) writeFileSync(values.report, JSON.stringify(countsOf(result)));
  return result.failures.length === 0 ? 0 : 1;
}

/** The first failure of each scenario and invariant, in its shortest form. */
async function explain(harness: Harness, { failures }: CampaignResult, mutant?: string): Promise<void> {
  const told = new Set<string>();
  for (const { case: failed, breaches } of failures) {
    const oracle = breaches[0]?.oracle ?? '';
    if (told.has(`${failed.scenario.name} ${oracle}`)) continue;
    told.add(`${failed.scenario.name} ${oracle}`);
    console.log(`\n${await shortestReport(harness, { case: failed, breaches }, mutant)}`);
  }
}

/** In the form in which the other runners report. A family of faults over a scenario counts as one test, however many its runs. */
function countsOf({ tallies }: CampaignResult) {
  const failed = tallies.values().filter(({ breached }) => breached > 0);
  const numFailedTests = [...failed].length;
  return { numPassedTests: tallies.size - numFailedTests, numFailedTests };
}
