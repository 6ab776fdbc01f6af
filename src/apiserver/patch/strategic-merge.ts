// Strategic merge patch for the built-in kinds: lists are merged by the key that the kind's shape names, directives
// ($patch, $setElementOrder, $deleteFromPrimitiveList, $retainKeys) are followed. Custom resources have none of this.

import { canonical } from '../../base/hash.ts';
import { isRecord } from '../../objects/raw.ts';
import type { Fields, ListMerge, Shape } from '../registry/shape.ts';

type Bag = Readonly<Record<string, unknown>>;

export function strategicMerge(fields: Fields, target: Bag, patch: Bag): Bag {
  return mergeRecord({ kind: 'struct', fields }, target, patch);
}

const SET_ORDER = '$setElementOrder/';
const DELETE_ITEMS = '$deleteFromPrimitiveList/';

function mergeRecord(shape: Shape, target: Bag, patch: Bag): Bag {
  const { $patch: directive, $retainKeys: retained, ...changes } = patch;
  if (directive === 'replace') return changes;
  if (directive === 'delete') return {};
  const result: Record<string, unknown> = { ...target };
  for (const [key, value] of Object.entries(changes)) {
    if (key.startsWith(SET_ORDER)) continue;
    if (key.startsWith(DELETE_ITEMS)) {
      const field = key.slice(DELETE_ITEMS.length);
      result[field] = withoutItems(result[field], value);
    } else if (value === null) delete result[key];
    else {
      const order = changes[`${SET_ORDER}${key}`];
      result[key] = mergeValue(shapeBelow(shape, key), result[key], { value, order });
    }
  }
  if (!Array.isArray(retained)) return result;
  return Object.fromEntries(Object.entries(result).filter(([key]) => retained.includes(key)));
}

type Change = { readonly value: unknown; readonly order: unknown };

function mergeValue(shape: Shape, target: unknown, { value, order }: Change): unknown {
  if (isRecord(value)) return mergeRecord(shape, isRecord(target) ? target : {}, value);
  if (!Array.isArray(value) || shape.kind !== 'list' || shape.merge.kind === 'atomic') return value;
  const merged = mergeList(shape, Array.isArray(target) ? target : [], value);
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
    if (!isRecord(item) || item['$patch'] === 'replace') continue;
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
