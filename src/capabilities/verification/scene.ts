// One node with its policy, as the steps of a decision see it, and what a step can answer.

import type { Instant } from '../../base/clock.ts';
import type { Reason } from '../../api/reasons.ts';
import type { VerificationRecord } from '../../fleet/lifecycle.ts';
import type { Service } from '../../fleet/service.ts';
import { findTaint } from '../../objects/taint.ts';
import type { AskRequest } from '../../runtime/capability.ts';
import type { Facts } from './gather.ts';
import type { Policy } from './policy.ts';

export type Scene = Facts & {
  readonly policy: Policy;
  readonly service: Service;
  readonly now: Instant;
};

/** With a record; what has none is begun first. */
export type RecordedScene = Scene & { readonly record: VerificationRecord };

export type Move = {
  readonly outcome: 'satisfied' | 'unsatisfied' | 'unknown';
  readonly reason: Reason;
  readonly message: string;
  /** What the record becomes now. */
  readonly record?: VerificationRecord;
  /** What it becomes if a worker may start. */
  readonly attempt?: VerificationRecord;
  readonly recheckAt?: Instant;
  /** What has to be read before more can be said. */
  readonly asks?: AskRequest;
  /** The message is a warning to people, told when it is new. */
  readonly isWarning?: true;
};

export type Step<S extends Scene = RecordedScene> = (scene: S) => Move | null;

export function waiting(reason: Reason, message = '', rest: Partial<Move> = {}): Move {
  return { outcome: 'unsatisfied', reason, message, ...rest };
}

export function carriesTaint({ node, policy }: Scene): boolean {
  return policy.taints.some(({ id }) => findTaint(node.taints, id) !== undefined);
}
