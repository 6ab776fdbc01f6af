// `npm run test:faults`: every fault of every scenario and random schedules on top, or one run that is replayed. Exit code 0 when
// nothing was breached, 1 when something was or a family never struck, 2 when the command is wrong or nothing was shown.

import { statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { families } from '../../src/sim/faults/families.ts';
import { campaign, type CampaignResult, spread, struckRules, vacuousIn } from './campaign.ts';
import { dueNow } from './changed.ts';
import { type Command, helpText, parseCommand } from './command.ts';
import { fingerprintOf } from './fingerprint.ts';
import { type Case, Harness } from './harness.ts';
import { mutants } from './mutants.ts';
import { loadMutant } from './mutants/load.ts';
import { launchOperator } from './operator.ts';
import { commandOf, countsOf, failureReport, shortestReport, struckWords, tableOf } from './report.ts';
import type { Scenario } from './scenario.ts';
import { scenarios } from './scenarios.ts';

const FAILURES_MAX = 50;
const repository = join(import.meta.dirname, '../..');

/** Nothing was shown, and why. */
class UsageError extends Error {}

try {
  process.exitCode = await main();
} catch (error) {
  const isUsage = error instanceof UsageError;
  process.stderr.write(`${isUsage ? error.message : String((error as Error).stack)}\n`);
  process.exitCode = isUsage ? 2 : 1;
}

type Replaying = Extract<Command, { kind: 'replay' }>;
type Campaigning = Extract<Command, { kind: 'campaign' }>;

async function main(): Promise<number> {
  const command = parseCommand(process.argv.slice(2), {
    scenario: scenarios.map(({ name }) => name),
    family: ['none', ...families.map(({ name }) => name), 'random'],
    mutant: mutants.map(({ name }) => name),
  });
  if (command.kind === 'error') throw new UsageError([...command.error, '--help tells more'].join('\n'));
  switch (command.value.kind) {
    case 'help':
      console.log(helpText());
      return 0;
    case 'replay':
      return replay(await harnessOf(command.value.mutant), command.value);
    case 'campaign':
      refuseReport(command.value.report);
      return runAll(await harnessOf(command.value.mutant), command.value);
  }
}

async function harnessOf(mutant: string | null): Promise<Harness> {
  const planted = mutants.find(({ name }) => name === mutant);
  const sound = new Harness(launchOperator);
  return planted === undefined ? sound : new Harness((await loadMutant(planted)).launchOperator, sound);
}

/** Before hours of work, not after them. */
function refuseReport(path: string | null): void {
  if (path === null) return;
  if (!isFolder(dirname(path))) throw new UsageError(`--report ${path}: there is no folder ${dirname(path)}`);
  if (isFolder(path)) throw new UsageError(`--report ${path}: that is a folder, not a file`);
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

async function replay(harness: Harness, command: Replaying): Promise<number> {
  const [scenario] = chosen(command.scenario);
  if (scenario === undefined) throw new UsageError(`there is no scenario ${command.scenario}`);
  const { seed } = command;
  const plan = command.plan ?? (await harness.random(scenario, seed)).plan;
  const { run, breaches } = await harness.judge({ scenario, seed, plan });
  const mutant = command.mutant === null ? {} : { mutant: command.mutant };
  const linesMax = command.isTraced ? { linesMax: Infinity } : {};
  if (breaches.length > 0)
    console.log(failureReport({ scenario, seed, plan }, breaches, { run, ...mutant, ...linesMax }));
  else {
    if (command.isTraced) for (const { text } of run.trace.lines()) console.log(text);
    console.log(`replay:\n  ${commandOf({ scenario: scenario.name, seed, plan, ...mutant })}`);
  }
  console.log(`${struckWords(run)}; trace hash ${fingerprintOf(run)}, ${breaches.length} breaches`);
  if (breaches.length > 0) return 1;
  const isVacuous = command.plan !== null && plan.rules.length > 0 && struckRules(run) === 0;
  if (isVacuous)
    throw new UsageError(
      `the plan met nothing: 0 of ${plan.rules.length} rules struck, so this run shows nothing of it`,
    );
  return 0;
}

function chosen(name: string | null): readonly Scenario[] {
  return scenarios.filter((scenario) => name === null || scenario.name === name);
}

async function runAll(harness: Harness, command: Campaigning): Promise<number> {
  const cases = await casesOf(harness, command);
  const budgetMs = command.minutes === null ? Infinity : command.minutes * 60_000;
  const result = await campaign(harness, cases, { budgetMs, failuresMax: FAILURES_MAX });
  if (result.done === 0) throw new UsageError(`none of ${result.planned} planned runs was done`);
  console.log(tableOf(result));
  await explain(harness, result, command.mutant ?? undefined);
  if (command.report !== null) writeFileSync(command.report, JSON.stringify(countsOf(result)));
  return result.failures.length === 0 && vacuousIn(result).length === 0 ? 0 : 1;
}

async function casesOf(harness: Harness, command: Campaigning): Promise<readonly Case[]> {
  const { scenario, family, seeds, minutes } = command;
  const told = chosen(scenario);
  const isWanted = (each: Case) => family === null || each.family === family;
  const enumerated: Case[] = [];
  if (family !== 'random')
    for (const each of told) enumerated.push(...(await harness.enumerated(each)).filter(isWanted));
  const random: Case[] = [];
  for (let seed = 1; seed <= seeds; seed++) {
    const each = told[seed % told.length];
    if (each !== undefined) random.push(await harness.random(each, seed));
  }
  if (enumerated.length + random.length === 0)
    throw new UsageError(
      `there is no place for a fault of the family ${family} in ${scenario ?? 'any scenario'}`,
    );
  // Where the time will not do for all of it, no scenario is always the one that is left out.
  return minutes === null
    ? [...enumerated, ...random]
    : [...random, ...spread(enumerated, dueNow(told, repository).part)];
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
