// Keeps the whole fleet from running against a wall: when writes of one kind fail for a cause that is not about one object, that
// kind rests for a while, longer each time, and one success ends it.

import { type BackoffPolicy, backoffMs } from '../base/backoff.ts';
import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Random } from '../base/random.ts';
import type { ActOutcome } from './act.ts';
import { type WriteKind, writeKinds } from './arbitrate.ts';
import type { FailureReason } from './ports.ts';
import type { Turnstile } from './turnstile.ts';

export interface Breaker {
  note(kind: WriteKind, outcome: ActOutcome): void;
}

export type BreakerPorts = {
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly turnstile: Pick<Turnstile, 'rest' | 'resume'>;
};

const backoff: BackoffPolicy = { firstMs: 500, factor: 2, delayMsMax: 10_000 };

/** What the server says of one object; anything else it would say of the next object too. */
const aboutOneObject: ReadonlySet<FailureReason> = new Set(['Invalid', 'BadRequest', 'TooLarge']);

export function createBreaker({ clock, random, log, turnstile }: BreakerPorts): Breaker {
  const failures = new Map<WriteKind, number>(writeKinds.map((kind) => [kind, 0]));
  const resting = new Set<WriteKind>();
  return {
    note(kind, outcome) {
      if (outcome.kind === 'done' || outcome.kind === 'conflict') failures.set(kind, 0);
      if (!('failure' in outcome) || aboutOneObject.has(outcome.failure.reason) || resting.has(kind)) return;
      const { reason, message, retryAfterMs } = outcome.failure;
      const count = (failures.get(kind) ?? 0) + 1;
      failures.set(kind, count);
      resting.add(kind);
      turnstile.rest(kind);
      const restMs = Math.max(backoffMs(backoff, count, random), retryAfterMs ?? 0);
      log.warn('writes of this kind rest', { kind, restMs: Math.round(restMs), reason, message });
      clock.after(restMs, () => {
        resting.delete(kind);
        turnstile.resume(kind);
      });
    },
  };
}
