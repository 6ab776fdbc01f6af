// Strategic merge patch for the built-in kinds: lists are merged by the key that the kind's shape names, directives
// ($patch, $setElementOrder, $deleteFromPrimitiveList, $retainKeys) are followed. Custom resources have none of this.

import { canonical } from '../../base/hash.ts';
import { isRecord } from '../../objects/raw.ts';
import type { Fields, ListMerge, Shape } from '../registry/shape.ts';

type Bag = Readonly<Record<string, unknown>>;

export function strategicMerge(fields: Fields, target: Bag, patch: Bag): Bag {
  return mergeRecord({ kind: 'struct', fields }, target, patch);
}

/** A patch that contradicts itself; code and message are those of the answer. */
export class BadPatch extends Error {
  override readonly name = 'BadPatch';
  readonly code: 400 | 500;

  constructor(code: 400 | 500, message: string) {
    super(message);
    this.code = code;
  }
}

const SET_ORDER = '$setElementOrder/';
const DELETE_ITEMS = '$deleteFromPrimitiveList/';

function mergeRecord(shape: Shape, target: Bag, patch: Bag): Bag {
  const { $patch: directive, $retainKeys: retained, ...changes } = patch;
  if (directive === 'replace') return changes;
  if (directive === 'delete') return {};
  if (directive !== undefined && directive !== 'merge')
    throw new BadPatch(500, `unknown patch type: ${goText(directive)} in map: ${goText(patch)}`);
  const result: Record<string, unknown> = { ...target };
  for (const [key, value] of Object.entries(changes)) {
    if (key.startsWith(SET_ORDER)) continue;
    if (key.startsWith(DELETE_ITEMS)) {
      const field = key.slice(DELETE_ITEMS.length);
      result[field] = withoutItems(result[field], value);
    } else if (value === null) delete result[key];
    // A directive about something that is not there is about nothing.
    else if (result[key] === undefined && isRecord(value) && value['$patch'] !== undefined) continue;
    else {
      const order = changes[`${SET_ORDER}${key}`];
      result[key] = mergeValue(shapeBelow(shape, key), result[key], { value, order });
    }
  }
  return Array.isArray(retained) ? retainedOf(result, changes, retained) : result;
}

function retainedOf(result: Bag, changes: Bag, retained: readonly unknown[]): Bag {
  if (Object.keys(changes).some((key) => !key.startsWith('$') && !retained.includes(key)))
    throw new BadPatch(400, 'invalid patch format of retainKeys');
  return Object.fromEntries(Object.entries(result).filter(([key]) => retained.includes(key)));
}

type Change = { readonly value: unknown; readonly order: unknown };

function mergeValue(shape: Shape, target: unknown, { value, order }: Change): unknown {
  if (isRecord(value)) return mergeRecord(shape, isRecord(target) ? target : {}, value);
  if (!Array.isArray(value) || shape.kind !== 'list' || shape.merge.kind === 'atomic') return value;
  if (!Array.isArray(target)) return value.filter((item) => !isRecord(item) || item['$patch'] === undefined);
  const merged = mergeList(shape, target, value);
  return ordered(merged, { patch: Array.isArray(order) ? order : value, target, merge: shape.merge });
}

type ListShape = Extract<Shape, { readonly kind: 'list' }>;

function mergeList(
  shape: ListShape,
  target: readonly unknown[],
  patch: readonly unknown[],
): readonly unknown[] {
  if (shape.merge.kind === 'set') return [...new Set([...target, ...patch])];
  const isReplaced = patch.some((item) => isRecord(item) && item['$patch'] === 'replace');
  let result = isReplaced ? [] : [...target];
  for (const item of patch) {
    if (!isRecord(item))
      throw new BadPatch(500, `list element types are not identical: [${goText(target)} ${goText(patch)}]`);
    if (item['$patch'] === 'replace') continue;
    if (shape.merge.kind === 'byKey' && item[shape.merge.key] === undefined)
      throw new BadPatch(500, `map: ${goText(item)} does not contain declared merge key: ${shape.merge.key}`);
    const id = identityOf(item, shape.merge);
    const index = result.findIndex((other) => identityOf(other, shape.merge) === id);
    const found = result[index];
    if (item['$patch'] === 'delete') result = result.filter((other) => identityOf(other, shape.merge) !== id);
    else if (isRecord(found)) result[index] = mergeRecord(shape.of, found, item);
    else result.push(item);
  }
  return result;
}

type Order = { readonly patch: readonly unknown[]; readonly target: unknown; readonly merge: ListMerge };

/** What the patch names stands in the order of the patch; the rest keeps its place where both orders are known. */
function ordered(items: readonly unknown[], { patch, target, merge }: Order): readonly unknown[] {
  const idsIn = (list: unknown) => (Array.isArray(list) ? list.map((item) => identityOf(item, merge)) : []);
  const [wanted, before] = [idsIn(patch), idsIn(target)];
  const isNamed = (item: unknown) => wanted.includes(identityOf(item, merge));
  const named = items.filter(isNamed).sort((a, b) => at(wanted, a, merge) - at(wanted, b, merge));
  const others = items.filter((item) => !isNamed(item));
  const result: unknown[] = [];
  while (named.length > 0 && others.length > 0) {
    const [other, own] = [at(before, others[0], merge), at(before, named[0], merge)];
    result.push(other >= 0 && own >= 0 && other < own ? others.shift() : named.shift());
  }
  return [...result, ...named, ...others];
}

function at(ids: readonly string[], item: unknown, merge: ListMerge): number {
  return ids.indexOf(identityOf(item, merge));
}

function identityOf(item: unknown, merge: ListMerge): string {
  return canonical(merge.kind === 'byKey' && isRecord(item) ? item[merge.key] : item);
}

function withoutItems(target: unknown, gone: unknown): unknown {
  if (!Array.isArray(target) || !Array.isArray(gone)) return target;
  return target.filter((item) => !gone.includes(item));
}

function shapeBelow(shape: Shape, key: string): Shape {
  if (shape.kind === 'struct') return shape.fields[key]?.shape ?? { kind: 'any' };
  return shape.kind === 'map' ? shape.of : { kind: 'any' };
}

/** As Go prints what it holds. */
function goText(value: unknown): string {
  if (value === null) return '<nil>';
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`;
  if (!isRecord(value)) return JSON.stringify(value);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `map[${entries.map(([key, each]) => `${key}:${goText(each)}`).join(' ')}]`;
}
