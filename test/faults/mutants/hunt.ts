// Looks for the fault that unmasks a mutant: all faults of the families that it names, in their order, on its scenario.

import { canonical } from '../../../src/base/hash.ts';
import { noFaults } from '../../../src/sim/faults/rule.ts';
import { type Case, Harness } from '../harness.ts';
import { scenarios } from '../scenarios.ts';
import { loadMutant } from './load.ts';
import type { Mutant } from './mutant.ts';

export type Caught = { readonly plan: Case['plan']; readonly message: string; readonly runs: number };

/** Null when the oracle that should notice does not. */
export async function hunt(mutant: Mutant, sound: Harness): Promise<Caught | null> {
  const harness = new Harness((await loadMutant(mutant)).launchOperator, sound);
  let runs = 0;
  for (const each of await haunts(mutant, sound)) {
    runs++;
    const { breaches } = await harness.judge(each);
    const breach = breaches.find(({ oracle }) => oracle === mutant.caughtBy);
    if (breach !== undefined) return { plan: each.plan, message: breach.message, runs };
  }
  return null;
}

/** The one fault that the mutant names comes first, if it is among those that are enumerated at all; with a schedule it is all. */
async function haunts(
  { scenario: name, families, plan = noFaults, seed }: Mutant,
  sound: Harness,
): Promise<readonly Case[]> {
  const scenario = scenarios.find((each) => each.name === name);
  if (scenario === undefined) throw new Error(`there is no scenario ${name}`);
  if (seed !== undefined) return [{ scenario, family: 'random', seed, plan }];
  const cases = (await sound.enumerated(scenario)).filter(({ family }) => families.includes(family));
  const wanted = canonical(plan);
  const first = cases.filter((each) => canonical(each.plan) === wanted);
  return [...first, ...cases.filter((each) => !first.includes(each))];
}
