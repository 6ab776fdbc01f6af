// Conditions as nodes and our own kinds carry them.

import { formatTime } from '../base/timestamp.ts';
import type { Instant } from '../base/clock.ts';

export type ConditionStatus = 'True' | 'False' | 'Unknown';

export type Condition = {
  readonly type: string;
  readonly status: ConditionStatus;
  readonly reason: string;
  readonly message: string;
  readonly lastTransitionTime: string;
};

export function findCondition(conditions: readonly Condition[], type: string): Condition | undefined {
  return conditions.find((condition) => condition.type === type);
}

export function isTrue(conditions: readonly Condition[], type: string): boolean {
  return findCondition(conditions, type)?.status === 'True';
}

export function asConditionStatus(value: unknown): ConditionStatus {
  return value === 'True' || value === 'False' ? value : 'Unknown';
}

/** The list with this condition: its transition time moves only when its status does. */
export function withCondition(
  conditions: readonly Condition[],
  next: Omit<Condition, 'lastTransitionTime'>,
  now: Instant,
): readonly Condition[] {
  const index = conditions.findIndex((condition) => condition.type === next.type);
  const before = conditions[index];
  const lastTransitionTime = before?.status === next.status ? before.lastTransitionTime : formatTime(now);
  const merged = { ...next, lastTransitionTime };
  return before === undefined ? [...conditions, merged] : conditions.with(index, merged);
}
