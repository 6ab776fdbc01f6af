// The shortest form of a failing run: fewer rules, a calm schedule, the plainest form of each rule that still fails. Asks again and
// again whether it fails; knows nothing of what a failure is.

import type { FaultPlan, FaultRule } from './rule.ts';

export type Failing = { readonly seed: number; readonly plan: FaultPlan };

/** Tries simpler forms until none of them fails any more, at most so many times. */
export async function shrink(
  failing: Failing,
  fails: (candidate: Failing) => Promise<boolean>,
  triesMax = 200,
): Promise<Failing> {
  let shortest = failing;
  let tries = 0;
  for (let isShorter = true; isShorter && tries < triesMax; ) {
    isShorter = false;
    for (const candidate of simpler(shortest)) {
      // A rule that follows the one before it cannot be the first.
      if (candidate.plan.rules[0]?.match.life !== undefined) continue;
      if (++tries > triesMax) break;
      if (!(await fails(candidate))) continue;
      shortest = candidate;
      isShorter = true;
      break;
    }
  }
  return shortest;
}

function* simpler({ seed, plan }: Failing): Generator<Failing> {
  if (seed !== 0) yield { seed: 0, plan };
  const { leaders, rules } = plan;
  if (rules.length > 2) yield { seed, plan: { ...plan, rules: rules.slice(0, rules.length >> 1) } };
  if (rules.length > 2) yield { seed, plan: { ...plan, rules: rules.slice(rules.length >> 1) } };
  for (const index of rules.keys()) yield { seed, plan: { ...plan, rules: rules.toSpliced(index, 1) } };
  if (leaders !== undefined)
    yield { seed, plan: leaders > 2 ? { ...plan, leaders: leaders - 1 } : { rules } };
  for (const [index, rule] of rules.entries()) {
    for (const plainer of plainerRules(rule))
      yield { seed, plan: { ...plan, rules: rules.with(index, plainer) } };
  }
  for (const smaller of [seed >> 1, seed - 1])
    if (smaller > 0 && smaller < seed) yield { seed: smaller, plan };
}

function* plainerRules({ match, action }: FaultRule): Generator<FaultRule> {
  const { times = 1 } = match;
  if (times > 1) yield { match: { ...match, times: times >> 1 }, action };
  if (action.kind === 'lag' && action.revisions > 1)
    yield { match, action: { ...action, revisions: action.revisions >> 1 } };
  if (action.kind === 'serveAt' && action.revisionsBack > 1)
    yield { match, action: { ...action, revisionsBack: action.revisionsBack >> 1 } };
}
