import { describe, expect, it } from 'vitest';
import { partOf } from './campaign.ts';
import { Harness } from './harness.ts';
import { launchOperator } from './operator.ts';
import { leaseOfTheDead } from './scenarios/lease-of-the-dead.ts';

const harness = new Harness(launchOperator);

describe('a fault of two parts, with a leader in any of two replicas', () => {
  it.each(['crash twice', 'stale start', 'list instead of stream'])(
    'strikes with both of them: %s',
    async (family) => {
      const all = await harness.enumerated(leaseOfTheDead);
      const cases = all.filter((each) => each.family === family && each.plan.rules.length > 1);
      expect(cases.length).toBeGreaterThan(10);
      for (const { seed, plan } of partOf(cases, 0, 4)) {
        const { strikes } = await harness.run(leaseOfTheDead, seed, plan);
        expect(new Set(strikes.map(({ rule }) => rule)).size, JSON.stringify(plan)).toBe(plan.rules.length);
      }
    },
  );
});

describe('several leaders without an election', () => {
  it('are not struck at writes of a Lease that nobody makes', async () => {
    const all = await harness.enumerated(leaseOfTheDead);
    const planned = all.filter(({ family }) => family === 'many leaders').flatMap(({ plan }) => plan.rules);
    expect(planned.filter(({ match }) => match.resource?.startsWith('leases.'))).toEqual([]);
    expect(planned.length).toBeGreaterThan(10);
  });
});
