// What a reporter says of its node, and when it says it again. Pure: an answer of the endpoint in, a condition to write or
// nothing out. A message alone is no news, for it may differ with every answer.

import type { Instant } from '../../base/clock.ts';
import { formatTime, parseTime } from '../../base/timestamp.ts';
import { fieldsOf, type RawObject, recordsIn, textOf } from '../../objects/raw.ts';
import type { Outcome } from './outcome.ts';

/** As the server has it. */
export type Said = {
  readonly status: string;
  readonly reason: string;
  readonly message: string;
  readonly lastHeartbeatTime: string;
  readonly lastTransitionTime: string;
};

/** Answers in a row that all were good, or all bad. */
export type Streak = { readonly isHealthy: boolean; readonly count: number };

export type Terms = {
  readonly failureThreshold: number;
  readonly successThreshold: number;
  readonly heartbeatMs: number;
};

export function lengthen(streak: Streak | null, { result }: Outcome): Streak {
  const isHealthy = result === 'healthy';
  return { isHealthy, count: streak?.isHealthy === isHealthy ? streak.count + 1 : 1 };
}

type Facts = {
  /** Null: the node does not have the condition. */
  readonly said: Said | null;
  readonly streak: Streak;
  readonly outcome: Outcome;
  readonly terms: Terms;
  readonly now: Instant;
};

/** The condition to write, or null while what is said still holds. */
export function conditionToWrite({ said, streak, outcome, terms, now }: Facts): Said | null {
  const status = streak.isHealthy ? 'True' : 'False';
  const { reason, message } = outcome;
  const fresh = {
    status,
    reason,
    message,
    lastHeartbeatTime: formatTime(now),
    lastTransitionTime: formatTime(now),
  };
  if (said === null) return fresh;
  const threshold = streak.isHealthy ? terms.successThreshold : terms.failureThreshold;
  const isFlip = said.status !== status;
  if (isFlip && streak.count >= threshold) return fresh;
  const isDue = now - (parseTime(said.lastHeartbeatTime) ?? 0) >= terms.heartbeatMs;
  // Too few answers to change anything: what was said before stands, and is confirmed when it is time.
  if (isFlip) return isDue ? { ...said, lastHeartbeatTime: fresh.lastHeartbeatTime } : null;
  if (said.reason === reason && !isDue) return null;
  return { ...fresh, lastTransitionTime: said.lastTransitionTime || fresh.lastTransitionTime };
}

/** The condition of this type on a Node, as the server answered. */
export function saidOn(node: RawObject, type: string): Said | null {
  const found = recordsIn(fieldsOf(node.status)['conditions']).find(
    (condition) => condition['type'] === type,
  );
  if (found === undefined) return null;
  return {
    status: textOf(found['status']),
    reason: textOf(found['reason']),
    message: textOf(found['message']),
    lastHeartbeatTime: textOf(found['lastHeartbeatTime']),
    lastTransitionTime: textOf(found['lastTransitionTime']),
  };
}
