// The role of readiness, verb by verb: each that is granted is needed by some run, and no run asks for one that is not.

import { describe, expect, it } from 'vitest';
import { coreRules, type PolicyRule, type Verb } from '../../src/api/rbac.ts';
import { readinessRules } from '../../src/capabilities/readiness/rbac.ts';
import type { CallRecord } from '../../src/sim/faults/records.ts';
import { Harness } from './harness.ts';
import { launchOperator } from './operator.ts';
import { allows, withinRights } from './oracles/within-rights.ts';
import { scenarios } from './scenarios.ts';

const granted = readinessRules.flatMap((rule) =>
  rule.verbs.map((verb) => [nameOf(rule), verb, rule] as const),
);

function nameOf({ resources, apiGroups, resourceNames = [] }: PolicyRule): string {
  return [`${resources.join()}.${apiGroups.join()}`, ...resourceNames].join(' ');
}

/** Calm runs, and those in which a kind has to be read in pages. */
async function calls(): Promise<{
  readonly asked: readonly CallRecord[];
  readonly breaches: readonly string[];
}> {
  const harness = new Harness(launchOperator);
  const asked: CallRecord[] = [];
  const breaches: string[] = [];
  for (const scenario of scenarios.filter(({ capability }) => capability === 'readiness')) {
    const reference = await harness.reference(scenario);
    const faults = (await harness.faults(scenario)).filter(
      ({ family, plan }) => family === 'list instead of stream' && plan.rules.length === 1,
    );
    const runs = [reference];
    for (const { plan } of faults) runs.push(await harness.run(scenario, 0, plan));
    for (const run of runs) {
      asked.push(...run.calls);
      breaches.push(...withinRights.judge(run, reference));
    }
  }
  return { asked, breaches };
}

function without(rule: PolicyRule, verb: Verb): readonly PolicyRule[] {
  return [...coreRules, ...readinessRules].map((each) =>
    each === rule ? { ...each, verbs: each.verbs.filter((other) => other !== verb) } : each,
  );
}

describe('the role of readiness', { timeout: 120_000 }, async () => {
  const { asked, breaches } = await calls();

  it('allows everything that is asked for', () => expect(breaches).toEqual([]));

  it.each(granted)('needs on %s the verb %s', (_name, verb, rule) => {
    const role = without(rule, verb);
    const refused = asked.filter((call) => !role.some((each) => allows(each, call)));
    expect(refused.length).toBeGreaterThan(0);
  });
});
