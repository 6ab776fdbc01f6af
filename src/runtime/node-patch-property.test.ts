import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  absentWish,
  listed,
  nodeWith,
  presentWish,
  readableNode,
  unreadableRecord,
  wishes,
  wishesOf,
} from '../../test/support/node-arbitraries.ts';
import { rawNode, viewOfNode } from '../../test/support/node-builder.ts';
import { annotationKeys } from '../api/keys.ts';
import type { OwnedKey } from '../fleet/owned-keys.ts';
import { isReservedKey } from '../objects/label-key.ts';
import type { NodeView } from '../objects/node.ts';
import { applyMergePatch } from '../objects/patch.ts';
import type { RawObject } from '../objects/raw.ts';
import { parseTaintId, taintId } from '../objects/taint.ts';
import type { KeyWish, MergedKeyWish } from '../objects/wish.ts';
import { planNodePatch } from './node-patch.ts';

/** The node after the patch, as the API server would show it. */
function carriedOut(raw: RawObject, wished: readonly MergedKeyWish[], list: readonly OwnedKey[]): RawObject {
  const { patch } = planNodePatch(viewOfNode(raw), wished, list);
  return patch === null ? raw : (applyMergePatch(raw, patch) as RawObject);
}

/** Every key of the node that is not the record, with its value. */
function contents(node: NodeView): ReadonlyMap<string, string> {
  const annotations = Object.entries(node.annotations).filter(([key]) => key !== annotationKeys.owned);
  return new Map([
    ...Object.entries(node.labels).map(([key, text]): [string, string] => [`labels ${key}`, text]),
    ...annotations.map(([key, text]): [string, string] => [`annotations ${key}`, text]),
    ...node.taints.map((taint): [string, string] => [`taints ${taintId(taint)}`, taint.value]),
  ]);
}

const contentsOf = (raw: RawObject) => contents(viewOfNode(raw));

describe('whatever is wished of a node', () => {
  it('is settled by one patch: deciding again gives none', () => {
    fc.assert(
      fc.property(readableNode, wishes, listed, (raw, wished, list) => {
        const after = viewOfNode(carriedOut(raw, wished, list));
        expect(planNodePatch(after, wished, list)).toMatchObject({ patch: null, changes: [] });
      }),
    );
  });

  it('is settled by two patches when the record cannot be read', () => {
    fc.assert(
      fc.property(nodeWith(unreadableRecord), wishes, listed, (raw, wished, list) => {
        const after = viewOfNode(carriedOut(carriedOut(raw, wished, list), wished, list));
        expect(planNodePatch(after, wished, list).patch).toBeNull();
      }),
    );
  });

  it('keys that no wish names keep their values, and foreign taints their order', () => {
    fc.assert(
      fc.property(readableNode, wishes, listed, (raw, wished, list) => {
        const named = new Set(wished.map(({ kind, key }) => `${kind} ${key}`));
        const unnamed = (node: RawObject) => [...contentsOf(node)].filter(([key]) => !named.has(key));
        expect(unnamed(carriedOut(raw, wished, list))).toEqual(unnamed(raw));
      }),
    );
  });

  it('the patch is guarded and touches labels, annotations and taints alone', () => {
    fc.assert(
      fc.property(readableNode, wishes, listed, (raw, wished, list) => {
        const { patch } = planNodePatch(viewOfNode(raw), wished, list);
        if (patch === null) return;
        const { metadata, spec = {}, ...rest } = patch as Record<string, Record<string, unknown>>;
        const { labels, annotations, ...guards } = metadata ?? {};
        expect(guards).toEqual({ uid: 'uid-1', resourceVersion: '10' });
        expect(Object.keys(spec).filter((field) => field !== 'taints')).toEqual([]);
        expect(rest).toEqual({});
      }),
    );
  });

  it('what is wished present stands, and what is named absent does not', () => {
    fc.assert(
      fc.property(readableNode, wishes, listed, (raw, wished, list) => {
        const after = contentsOf(carriedOut(raw, wished, list));
        for (const { kind, key, wish } of wished) {
          if (wish.kind === 'present') expect(after.get(`${kind} ${key}`)).toBe(wish.value);
          else if (wish.basis === 'named') expect(after.has(`${kind} ${key}`)).toBe(false);
        }
      }),
    );
  });

  it('an unreadable record removes nothing', () => {
    fc.assert(
      fc.property(nodeWith(unreadableRecord), wishes, listed, (raw, wished, list) => {
        const after = contentsOf(carriedOut(raw, wished, list));
        expect([...contentsOf(raw).keys()].filter((key) => !after.has(key))).toEqual([]);
      }),
    );
  });
});

const recordedAbsences = wishesOf(absentWish(fc.constant('recorded')));
const listedIn = (list: readonly OwnedKey[], id: string, text: string) =>
  list.some(
    ({ kind, key, effect = '', value: written }) =>
      written === text &&
      id === (kind === 'Taint' ? `taints ${key}:${effect}` : `${kind.toLowerCase()}s ${key}`),
  );

describe('giving keys back', () => {
  it('by the record alone changes only what the NodeLifecycle lists with the value that stands there', () => {
    fc.assert(
      fc.property(readableNode, recordedAbsences, listed, (raw, wished, list) => {
        const before = contentsOf(raw);
        const after = contentsOf(carriedOut(raw, wished, list));
        const changed = [...before].filter(([id, text]) => after.get(id) !== text);
        expect(changed.filter(([id, text]) => !listedIn(list, id, text))).toEqual([]);
        expect([...after.keys()].filter((id) => !before.has(id))).toEqual([]);
      }),
    );
  });

  const restoring = wishesOf(
    presentWish.map((wish) => (wish.kind === 'present' ? { ...wish, prior: 'restore' } : wish)),
  );
  const giveBack = (wished: readonly MergedKeyWish[]): readonly MergedKeyWish[] =>
    wished.map((one) => ({ ...one, wish: { kind: 'absent', owner: one.wish.owner, basis: 'recorded' } }));
  const listOf = (wished: readonly MergedKeyWish[]): readonly OwnedKey[] =>
    wished.flatMap(({ kind, key, wish }): OwnedKey[] => {
      if (wish.kind !== 'present') return [];
      const { owner: by, value: text } = wish;
      if (kind === 'taints') return [{ kind: 'Taint', ...parseTaintId(key), value: text, owner: by }];
      return [{ kind: kind === 'labels' ? 'Label' : 'Annotation', key, value: text, owner: by }];
    });
  const bareNode = nodeWith(fc.constant(undefined));

  it('brings back exactly what was there, but under reserved prefixes nothing', () => {
    fc.assert(
      fc.property(bareNode, restoring, (raw, wished) => {
        const list = listOf(wished);
        const after = carriedOut(carriedOut(raw, wished, list), giveBack(wished), list);
        const reserved = new Set(
          wished.filter(({ key }) => isReservedKey(key)).map(({ kind, key }) => `${kind} ${key}`),
        );
        const expected = new Map([...contentsOf(raw)].filter(([id]) => !reserved.has(id)));
        expect(contentsOf(after)).toEqual(expected);
        expect(viewOfNode(after).annotations[annotationKeys.owned]).toBeUndefined();
      }),
    );
  });

  it('leaves what a stranger set meanwhile, and drops its record', () => {
    fc.assert(
      fc.property(bareNode, restoring, (raw, wished) => {
        const list = listOf(wished);
        const held = carriedOut(raw, wished, list);
        const strange = carriedOut(rawNode(), strangely(wished), []);
        const taken = applyMergePatch(held, {
          metadata: { labels: viewOfNode(strange).labels },
          spec: { taints: viewOfNode(strange).taints },
        }) as RawObject;
        const after = contentsOf(carriedOut(taken, giveBack(wished), list));
        for (const { kind, key } of wished) {
          if (kind !== 'annotations') expect(after.get(`${kind} ${key}`)).toBe('strange');
        }
      }),
    );
  });

  const strangely = (wished: readonly MergedKeyWish[]): readonly MergedKeyWish[] =>
    wished.map((one) => ({ ...one, wish: { ...one.wish, kind: 'present', value: 'strange' } as KeyWish }));
});
