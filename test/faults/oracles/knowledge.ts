// What a sender can have known when it decided what it then wrote: nobody is blamed for news that had not reached it.

import type { CallRecord } from '../../../src/sim/faults/records.ts';
import type { Run } from '../run.ts';
import { resources } from './oracle.ts';

export type Sender = { readonly instance: string; readonly decidedAtMs: number };

/** Longer than a reply takes that no fault delays. */
const REPLY_MS = 500;

/** The newest revision of a kind, or of one object, that had reached the sender when it decided; 0 when none had. */
export function newestHeard(
  { heard }: Run,
  { instance, decidedAtMs: untilMs }: Sender,
  { resource, name }: { readonly resource: string; readonly name?: string },
): number {
  const events = heard.filter(
    (event) =>
      event.instance === instance &&
      event.resource === resource &&
      event.atMs < untilMs &&
      (name === undefined || event.name === name),
  );
  return Math.max(0, ...events.map(({ revision }) => revision));
}

/** A visit decides once and writes the record first: what it then does to the node was decided before. */
export function decidedAtMs({ calls, strikes }: Run, { instance, ref, sentAtMs }: CallRecord): number {
  let decidedMs = sentAtMs;
  const records = calls.filter(
    (call) =>
      call.instance === instance &&
      call.ref.name === ref.name &&
      call.resource.startsWith(resources.lifecycles) &&
      call.sentAtMs < sentAtMs,
  );
  for (const call of records.toReversed()) {
    const isStruck = strikes.some(
      (strike) => strike.instance === instance && strike.atMs >= call.sentAtMs && strike.atMs <= decidedMs,
    );
    if (!isStruck && decidedMs - call.sentAtMs > REPLY_MS) break;
    decidedMs = call.sentAtMs;
  }
  return decidedMs;
}
