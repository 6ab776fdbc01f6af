// JSON merge patch (RFC 7386): the smallest patch between two values, and its application.

import { isSame } from '../base/same.ts';
import { fieldsOf, isRecord, ownValue } from './raw.ts';

/** The patch that turns `before` into `after`, or undefined when there is nothing to change. */
export function mergePatch(before: unknown, after: unknown): unknown {
  if (before === after) return undefined;
  if (!isRecord(before) || !isRecord(after))
    return isSame(before, after) ? undefined : withoutUndefined(after);
  const removals = Object.keys(before)
    .filter((key) => ownValue(before, key) !== undefined && ownValue(after, key) === undefined)
    .map((key) => [key, null] as const);
  const changes = Object.entries(after).flatMap(([key, value]) => {
    const change = value === undefined ? undefined : mergePatch(ownValue(before, key), value);
    return change === undefined ? [] : [[key, change] as const];
  });
  return removals.length + changes.length === 0 ? undefined : Object.fromEntries([...removals, ...changes]);
}

/** Without a patch the target stays as it is. */
export function applyMergePatch(target: unknown, patch: unknown): unknown {
  if (patch === undefined) return target;
  if (!isRecord(patch)) return patch;
  const fields = new Map(Object.entries(fieldsOf(target)));
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) fields.delete(key);
    else fields.set(key, applyMergePatch(fields.get(key), value));
  }
  return Object.fromEntries(fields);
}

function withoutUndefined(value: unknown): unknown {
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, entry]) =>
      entry === undefined ? [] : [[key, withoutUndefined(entry)]],
    ),
  );
}
