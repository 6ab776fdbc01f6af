import { describe, expect, it } from 'vitest';
import { partOf, struckRules } from './campaign.ts';
import { Harness } from './harness.ts';
import { launchOperator } from './operator.ts';
import type { Scenario } from './scenario.ts';
import { leaseOfTheDead } from './scenarios/lease-of-the-dead.ts';
import { verificationLeaders } from './scenarios/verification-leaders.ts';

const harness = new Harness(launchOperator);

/** Plans of a fourth of the family that did not strike with all their rules. */
async function missedIn(scenario: Scenario, family: string): Promise<readonly string[]> {
  const all = await harness.enumerated(scenario);
  const cases = all.filter((each) => each.family === family && each.plan.rules.length > 0);
  expect(cases.length).toBeGreaterThan(10);
  const missed: string[] = [];
  for (const { seed, plan } of partOf(cases, 0, 4)) {
    const run = await harness.run(scenario, seed, plan);
    if (struckRules(run) < plan.rules.length) missed.push(JSON.stringify(plan));
  }
  return missed;
}

describe('a fault of two parts, with a leader in any of two replicas', () => {
  it.each(['crash twice', 'stale start', 'list instead of stream'])(
    'strikes with both of them: %s',
    async (family) => expect(await missedIn(leaseOfTheDead, family)).toEqual([]),
  );
});

describe('several leaders without an election', () => {
  it('are struck at workers and Events, whose names are others then', async () =>
    expect(await missedIn(verificationLeaders, 'many leaders')).toEqual([]));

  it('are not struck at writes of a Lease that nobody makes', async () => {
    const all = await harness.enumerated(leaseOfTheDead);
    const planned = all.filter(({ family }) => family === 'many leaders').flatMap(({ plan }) => plan.rules);
    expect(planned.filter(({ match }) => match.resource?.startsWith('leases.'))).toEqual([]);
    expect(planned.length).toBeGreaterThan(10);
  });
});
