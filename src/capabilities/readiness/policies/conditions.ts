// Whether a node meets the requirements of a rule, condition by condition. Every condition is looked at: reports need them
// all. Pure.

import type { Instant } from '../../../base/clock.ts';
import { parseTime } from '../../../base/timestamp.ts';
import type { Reason } from '../../../api/reasons.ts';
import type { NodeCondition, NodeView } from '../../../objects/node.ts';
import type { ConditionFinding, Readiness } from '../finding.ts';
import type { Requirement, Rule } from '../../../fleet/readiness-rule.ts';

export type Assessment = {
  readonly findings: readonly ConditionFinding[];
  readonly readiness: Readiness;
  readonly reason: Reason;
  readonly message: string;
  /** When a condition becomes too old to count; null when none can. */
  readonly staleAt: Instant | null;
};

/** A heartbeat from further in the future than clocks differ would never grow old. */
const CLOCK_SKEW_MS_MAX = 60_000;

export function assessConditions(rule: Rule, node: NodeView, now: Instant): Assessment {
  const looks = rule.requirements.map((requirement) => look(rule, requirement, { node, now }));
  const isMet = rule.policy === 'allOf' ? looks.every(isGood) : looks.some(isGood);
  const failing = looks.filter((each) => !isGood(each));
  const first = failing.find(({ finding }) => finding.mark !== 'missing') ?? failing[0];
  const staleTimes = looks.flatMap(({ staleAt }) => staleAt ?? []);
  return {
    findings: looks.map(({ finding }) => finding),
    readiness: isMet ? 'ready' : isAnyMissing(failing) ? 'unknown' : 'notReady',
    reason: isMet || first === undefined ? 'ConditionsSatisfied' : first.reason,
    message: isMet ? '' : failing.map(({ words }) => words).join('; '),
    staleAt: staleTimes.length === 0 ? null : Math.min(...staleTimes),
  };
}

/**
 * Since when the requirements have been met, or unmet, without a break. A condition without a time counts as old as the node:
 * nobody can say more. A time from further in the future than clocks differ says nothing: to wait for it could take for ever.
 */
export function inThisStateSince(
  rule: Rule,
  node: NodeView,
  { findings, readiness, now }: Assessment & { readonly now: Instant },
): Instant {
  const born = parseTime(node.creationTimestamp) ?? 0;
  const times = rule.requirements.map(({ type, required }, index) => {
    const mark = findings[index]?.mark;
    const condition = node.conditions.find((each) => each.type === type);
    const saidAt = parseTime(condition?.lastTransitionTime) ?? born;
    // What was as required and is not confirmed any more was met until it grew too old, whenever it was said.
    const wasMet = mark === 'stale' && condition?.status === required;
    const metUntil = wasMet ? confirmedUntil(rule, condition) : 0;
    return {
      isMet: mark === 'met' || mark === 'defaulted',
      changedAt: metUntil <= now ? Math.max(saidAt, metUntil) : saidAt,
    };
  });
  const isReady = readiness === 'ready';
  const supporting = times.filter(({ isMet }) => isMet === isReady).map(({ changedAt }) => changedAt);
  // All of them made it so: the last one did. Any one of them was enough: the first one did.
  const needsAll = isReady === (rule.policy === 'allOf');
  const since = needsAll ? Math.max(...supporting) : Math.min(...supporting);
  return since > now + CLOCK_SKEW_MS_MAX ? 0 : Math.min(since, now);
}

type Look = {
  readonly finding: ConditionFinding;
  readonly reason: Reason;
  readonly words: string;
  readonly staleAt: Instant | null;
};

type Moment = { readonly node: NodeView; readonly now: Instant };

function look(rule: Rule, requirement: Requirement, { node, now }: Moment): Look {
  const { type, required, fallback } = requirement;
  const condition = node.conditions.find((each) => each.type === type);
  if (condition === undefined) {
    const mark = fallback === required ? 'defaulted' : 'missing';
    return saying({ current: 'Unknown', mark }, 'ConditionMissing', `${type} is missing`);
  }
  const current = condition.status;
  const staleAt = staleTimeOf(rule, condition, now);
  if (staleAt !== null && staleAt <= now)
    return saying({ current, mark: 'stale' }, 'ConditionStale', `${type} is too old`);
  const mark = current === required ? 'met' : 'unmet';
  const words = `${type} is ${current} and must be ${required}`;
  return { ...saying({ current, mark }, 'ConditionUnsatisfied', words), staleAt };
}

/** Without a heartbeat, or with one from the future, a condition that may age is too old already. */
function staleTimeOf(rule: Rule, condition: NodeCondition, now: Instant): Instant | null {
  if (rule.conditionAgeMsMax === null) return null;
  return condition.heartbeatAtS * 1000 > now + CLOCK_SKEW_MS_MAX ? now : confirmedUntil(rule, condition);
}

function confirmedUntil({ conditionAgeMsMax }: Rule, { heartbeatAtS }: NodeCondition): Instant {
  return heartbeatAtS * 1000 + (conditionAgeMsMax ?? 0);
}

function saying(finding: ConditionFinding, reason: Reason, words: string): Look {
  return { finding, reason, words, staleAt: null };
}

function isGood({ finding: { mark } }: Look): boolean {
  return mark === 'met' || mark === 'defaulted';
}

function isAnyMissing(looks: readonly Look[]): boolean {
  return looks.some(({ finding }) => finding.mark === 'missing');
}
