// The roles of capabilities, verb by verb: each that is granted is needed by some run, and no run asks for one that is not.

import { describe, expect, it } from 'vitest';
import { nodeVerificationType } from '../../src/api/keys.ts';
import { coreRules, type PolicyRule, type Verb } from '../../src/api/rbac.ts';
import { readinessRules } from '../../src/capabilities/readiness/rbac.ts';
import { verificationRules } from '../../src/capabilities/verification/rbac.ts';
import type { CallRecord } from '../../src/sim/faults/records.ts';
import { Harness } from './harness.ts';
import { launchOperator } from './operator.ts';
import { allows, withinRights } from './oracles/within-rights.ts';
import type { Scenario } from './scenario.ts';
import { scenarios } from './scenarios.ts';
import { ours, unverified } from './verifying.ts';

/** A node waits for agents and Services that never come: what is asked about them is asked here alone. */
const missingAgents: Scenario = {
  name: 'missing-agents',
  folders: [],
  capability: 'verification',
  replicas: 1,
  leadership: 'alone',
  ours,
  world(cluster) {
    cluster.put(nodeVerificationType, 'all', {
      nodeSelector: { matchLabels: { pool: 'blue' } },
      checks: [
        { name: 'dns-endpoints' },
        {
          name: 'service-discovery',
          params: { services: [{ name: 'web.shop.svc.cluster.local.', port: 80 }] },
        },
      ],
      requirements: {
        daemonSets: [{ namespace: 'kube-system', name: 'cni' }],
        csiDrivers: ['ebs.csi.aws.com'],
      },
    });
    cluster.joinNode('a', { labels: { pool: 'blue' }, taints: [unverified] });
  },
  story: [],
  expect: () => [],
};

// What a flag needs a right of its own for, no scenario switches on: test/verification-optional.e2e.ts does.
const usualRules = verificationRules.filter(({ only }) => only === undefined);

const roles = {
  'every operator': { own: coreRules, scenarios: [...scenariosOf(undefined), ...scenariosOf('readiness')] },
  readiness: { own: readinessRules, scenarios: scenariosOf('readiness') },
  verification: { own: usualRules, scenarios: [...scenariosOf('verification'), missingAgents] },
};

function scenariosOf(name: Scenario['capability']): readonly Scenario[] {
  return scenarios.filter(({ capability }) => capability === name);
}

function nameOf({ resources, apiGroups, resourceNames = [], scope }: PolicyRule): string {
  const where = scope === 'Namespace' ? ['in its namespace'] : [];
  return [`${resources.join()}.${apiGroups.join()}`, ...resourceNames, ...where].join(' ');
}

type Asked = { readonly asked: readonly CallRecord[]; readonly breaches: readonly string[] };

const harness = new Harness(launchOperator);
const known = new Map<Scenario, Promise<Asked>>();

async function callsOf(of: readonly Scenario[]): Promise<Asked> {
  const all: Asked[] = [];
  for (const scenario of of) {
    const told = known.get(scenario) ?? callsIn(scenario);
    known.set(scenario, told);
    all.push(await told);
  }
  return {
    asked: all.flatMap(({ asked }) => asked),
    breaches: all.flatMap(({ breaches }) => breaches),
  };
}

/** Of the calm run, and of those in which a kind has to be read in pages. */
async function callsIn(scenario: Scenario): Promise<Asked> {
  const reference = await harness.reference(scenario);
  const faults = (await harness.faults(scenario)).filter(
    ({ family, plan }) => family === 'list instead of stream' && plan.rules.length === 1,
  );
  const runs = [reference];
  for (const { plan } of faults) runs.push(await harness.run(scenario, 0, plan));
  return {
    asked: runs.flatMap(({ calls }) => calls),
    breaches: runs.flatMap((run) => withinRights.judge(run, reference)),
  };
}

describe.each(Object.entries(roles))(
  'the role of %s',
  { timeout: 120_000 },
  async (_, { own, scenarios }) => {
    const granted = own.flatMap((rule) => rule.verbs.map((verb) => [nameOf(rule), verb, rule] as const));
    const { asked, breaches } = await callsOf(scenarios);
    const whole = [...new Set([...coreRules, ...own])];

    const isAllowed = (role: readonly PolicyRule[], call: CallRecord) =>
      role.some((rule) => allows(rule, call));
    const without = (rule: PolicyRule, verb: Verb): readonly PolicyRule[] =>
      whole.map((each) =>
        each === rule ? { ...each, verbs: each.verbs.filter((other) => other !== verb) } : each,
      );

    it('allows everything that is asked for', () => expect(breaches).toEqual([]));

    it.each(granted)('needs on %s the verb %s', (_name, verb, rule) => {
      const role = without(rule, verb);
      const missed = asked.filter((call) => isAllowed(whole, call) && !isAllowed(role, call));
      expect(missed.length).toBeGreaterThan(0);
    });
  },
);
