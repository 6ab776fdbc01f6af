// Runs cases of scenarios and judges them. Keeps what can be shared between runs: the lab, and one reference run and the
// enumeration of faults for each scenario.

import { enumerateFaults, type PlannedFault } from '../../src/sim/faults/enumerate.ts';
import { isOfLease } from '../../src/sim/faults/places.ts';
import { randomPlan } from '../../src/sim/faults/random-plan.ts';
import { type FaultPlan, noFaults } from '../../src/sim/faults/rule.ts';
import { isWriteVerb } from '../../src/sim/faults/rule-book.ts';
import { type Failing, shrink } from '../../src/sim/faults/shrink.ts';
import { createLab, type Lab } from './lab.ts';
import type { LaunchOperator } from './operator.ts';
import { judge } from './oracles.ts';
import type { Breach } from './oracles/oracle.ts';
import { type Run, run } from './run.ts';
import type { Scenario } from './scenario.ts';

export type Case = {
  readonly scenario: Scenario;
  readonly family: string;
  readonly seed: number;
  readonly plan: FaultPlan;
};

export type Verdict = { readonly run: Run; readonly breaches: readonly Breach[] };

export class Harness {
  readonly #launch: LaunchOperator;
  readonly #lab: Lab;
  readonly #references = new Map<Scenario, Promise<Run>>();
  readonly #sound: Harness | null;

  /** `sound`: a harness of the operator as it should be, whose reference runs a mutant is compared with. */
  constructor(launch: LaunchOperator, sound: Harness | null = null) {
    this.#launch = launch;
    this.#sound = sound;
    this.#lab = sound === null ? createLab() : sound.#lab;
  }

  /** The calm run without faults that all others of its scenario are compared with. */
  reference(scenario: Scenario): Promise<Run> {
    if (this.#sound !== null) return this.#sound.reference(scenario);
    const known = this.#references.get(scenario) ?? this.run(scenario, 0, noFaults);
    this.#references.set(scenario, known);
    return known;
  }

  run(scenario: Scenario, seed: number, plan: FaultPlan): Promise<Run> {
    return run({ lab: this.#lab, launch: this.#launch, scenario, seed, plan });
  }

  async judge({ scenario, seed, plan }: Pick<Case, 'scenario' | 'seed' | 'plan'>): Promise<Verdict> {
    const reference = await this.reference(scenario);
    const made = await this.run(scenario, seed, plan);
    return { run: made, breaches: judge(made, reference) };
  }

  async faults(scenario: Scenario): Promise<readonly PlannedFault[]> {
    const { calls, heard } = await this.reference(scenario);
    const { isPlace = () => true } = scenario;
    const learned = {
      calls: calls.filter(({ ref }) => isPlace(ref.name)),
      heard: heard.filter(({ name }) => isPlace(name)),
    };
    if (!learned.calls.some((call) => isWriteVerb(call.verb) && !isOfLease(call)))
      throw new Error(
        `${scenario.name} writes nothing without faults: no fault could strike it, and none would fail`,
      );
    return enumerateFaults(learned);
  }

  /** Every single fault of a scenario, on the calm schedule. */
  async enumerated(scenario: Scenario): Promise<readonly Case[]> {
    const faults = await this.faults(scenario);
    return [{ family: 'none', plan: noFaults }, ...faults].map((fault) => ({ scenario, seed: 0, ...fault }));
  }

  /** Some faults together, on a schedule of their own. */
  async random(scenario: Scenario, seed: number): Promise<Case> {
    const faults = (await this.faults(scenario)).filter(
      ({ plan }) => scenario.isForOneLeader === undefined || plan.leaders === undefined,
    );
    return { scenario, family: 'random', seed, plan: randomPlan(seed, faults) };
  }

  /** The shortest form that still breaks the same invariant. */
  async shortest({ scenario, seed, plan }: Case, oracle: string): Promise<Failing> {
    return shrink({ seed, plan }, async (candidate) => {
      const { breaches } = await this.judge({ scenario, ...candidate });
      return breaches.some((breach) => breach.oracle === oracle);
    });
  }
}
