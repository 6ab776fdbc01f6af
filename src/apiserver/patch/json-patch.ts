// JSON patch as kube-apiserver applies it, which is laxer than RFC 6902: replace adds a key that is missing, copy and test take a
// missing key for null, indices may count from the end, and what stands before the first slash of a path is not looked at.

import { err, ok, type Result } from '../../base/result.ts';
import { isRecord } from '../../objects/raw.ts';
import { sameValue } from '../store/stored-object.ts';

/** Never changes the document; the error is for people, clients are told no more than that it failed. */
export function applyJsonPatch(document: unknown, operations: readonly unknown[]): Result<unknown, string> {
  const root: Parent = { document: structuredClone(document) };
  for (const operation of operations) {
    const problem = isRecord(operation) ? perform(root, operation) : 'an operation is no object';
    if (problem !== null) return err(problem);
  }
  return ok(root['document']);
}

type Parent = Record<string, unknown>;
type Operation = Readonly<Record<string, unknown>>;
/** One place of the document: its key in the record or list that holds it. */
type Spot = { readonly holder: Parent | unknown[]; readonly key: string };

/** Null when it was done. */
function perform(root: Parent, { op, path, from, value = null }: Operation): string | null {
  const spot = spotAt(root, path);
  if (spot === null) return `there is no ${String(path)}`;
  switch (op) {
    case 'add':
      return add(spot, structuredClone(value));
    case 'remove':
      return remove(spot);
    case 'replace':
      return replace(spot, structuredClone(value));
    case 'test':
      return test(spot, value);
    case 'copy':
    case 'move':
      return transfer(root, op, { from, path });
    default:
      return `${String(op)} is no operation`;
  }
}

function transfer(
  root: Parent,
  op: 'copy' | 'move',
  { from, path }: { readonly from: unknown; readonly path: unknown },
): string | null {
  const source = spotAt(root, from);
  if (source === null) return `there is no ${String(from)}`;
  const found = read(source);
  if (found.kind === 'error') return found.error;
  const problem = op === 'move' ? remove(source) : null;
  if (problem !== null) return problem;
  // What was removed may have been on the way to the target.
  const target = spotAt(root, path);
  return target === null ? `there is no ${String(path)}` : add(target, structuredClone(found.value));
}

/** Null when one of the places on the way is missing or holds nothing. */
function spotAt(root: Parent, pointer: unknown): Spot | null {
  if (typeof pointer !== 'string' || !pointer.includes('/')) return null;
  const steps = pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const key = steps.pop() ?? '';
  let holder: unknown = root['document'];
  for (const step of steps) {
    if (!isHolder(holder)) return null;
    const next = read({ holder, key: step });
    if (next.kind === 'error') return null;
    holder = next.value;
  }
  return isHolder(holder) ? { holder, key } : null;
}

function isHolder(value: unknown): value is Parent | unknown[] {
  return Array.isArray(value) || isRecord(value);
}

/** A key that a record does not have reads as null; an index that a list does not have cannot be read. */
function read({ holder, key }: Spot): Result<unknown, string> {
  if (!Array.isArray(holder)) return ok(Object.hasOwn(holder, key) ? holder[key] : null);
  const index = indexIn(key, holder.length);
  return index === null || index >= holder.length ? err(`there is no index ${key}`) : ok(holder[index]);
}

function add({ holder, key }: Spot, value: unknown): string | null {
  if (!Array.isArray(holder)) {
    holder[key] = value;
    return null;
  }
  const index = key === '-' ? holder.length : indexIn(key, holder.length + 1);
  if (index === null || index > holder.length) return `${key} is no index of the list`;
  holder.splice(index, 0, value);
  return null;
}

function remove({ holder, key }: Spot): string | null {
  if (!Array.isArray(holder)) {
    if (!Object.hasOwn(holder, key)) return `there is no ${key} to remove`;
    delete holder[key];
    return null;
  }
  const index = indexIn(key, holder.length);
  if (index === null || index >= holder.length) return `there is no index ${key} to remove`;
  holder.splice(index, 1);
  return null;
}

function replace(spot: Spot, value: unknown): string | null {
  const { holder, key } = spot;
  const found = read(spot);
  if (found.kind === 'error') return found.error;
  if (Array.isArray(holder)) holder[indexIn(key, holder.length) ?? 0] = value;
  else holder[key] = value;
  return null;
}

function test(spot: Spot, value: unknown): string | null {
  const found = read(spot);
  if (found.kind === 'error') return found.error;
  return sameValue(found.value, value) ? null : `${spot.key} is not what was expected`;
}

/** Null for what is no index; a negative one counts from the end. */
function indexIn(key: string, length: number): number | null {
  if (!/^[+-]?\d+$/.test(key)) return null;
  const index = Number(key);
  const counted = index < 0 ? index + length : index;
  return counted < 0 ? null : counted;
}
