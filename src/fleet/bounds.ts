// How much a NodeLifecycle carries. Beyond a bound of its schema the API server refuses the whole status, and the record with
// it; so everything is cut before it is written, always in the same way, or the next pass would find it changed.

import { hashFields } from '../base/hash.ts';
import { lifecycleLimits } from '../api/lifecycle-vocabulary.ts';
import type { NodeLifecycleStatus } from '../api/node-lifecycle.ts';

export const statusLimits = {
  ...lifecycleLimits,
  bootIDLengthMax: 64,
  /** Of pools and configurations. */
  nameLengthMax: 253,
  ownerLengthMax: 317,
  bytesMax: 4096,
} as const;

/** Half a character is replaced: the server would do it, and its answer would differ from what was sent. */
export function cut(text: string, lengthMax: number): string {
  const short = text.length <= lengthMax ? text : `${text.slice(0, lengthMax - 1)}…`;
  return short.toWellFormed();
}

/** An owner as a list of keys names it. */
export function listedOwner(owner: string): string {
  return cut(owner, statusLimits.ownerLengthMax);
}

/** A value as a list of keys has it: of a long one the beginning and its hash, enough to know it again. */
export function listedValue(value: string): string {
  const lengthMax = statusLimits.ownedValueLengthMax;
  if (value.length <= lengthMax) return value;
  const hash = hashFields([value]);
  return cut(value, lengthMax - hash.length) + hash;
}

/**
 * History gives way first, then conflicts and gates, of which there remain the first and the count of gates, then what checks
 * said in words and how long they took. The record never does.
 */
export function withinBytes(status: NodeLifecycleStatus): NodeLifecycleStatus {
  const { timeline = [], gates = [], conflicts } = status;
  const history = shed(timeline, bytesOf(status) - statusLimits.bytesMax);
  const fights = shed(conflicts ?? [], history.excessBytes);
  const places = shed(gates, fights.excessBytes);
  const kept = {
    ...status,
    timeline: history.kept,
    gates: places.kept,
    ...(conflicts === undefined ? {} : { conflicts: fights.kept }),
  };
  return places.excessBytes <= 0 ? kept : withoutWords(kept);
}

function withoutWords(status: NodeLifecycleStatus): NodeLifecycleStatus {
  const { verification } = status;
  if (verification?.checks === undefined) return status;
  const checks = verification.checks.map(({ name, verdict, reason }) => ({
    name,
    verdict,
    ...(reason === undefined ? {} : { reason }),
  }));
  return { ...status, verification: { ...verification, checks } };
}

type Shed<T> = { readonly kept: readonly T[]; readonly excessBytes: number };

/** Lets go from the end, down to the first entry. */
export function shed<T>(entries: readonly T[], excessBytes: number): Shed<T> {
  if (excessBytes <= 0 || entries.length <= 1) return { kept: entries, excessBytes };
  const comma = 1;
  return shed(entries.slice(0, -1), excessBytes - bytesOf(entries.at(-1)) - comma);
}

export function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
