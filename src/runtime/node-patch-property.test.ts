import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rawNode, viewOfNode } from '../../test/support/node-builder.ts';
import { annotationKeys } from '../api/keys.ts';
import type { OwnedKey } from '../fleet/owned-keys.ts';
import type { NodeView } from '../objects/node.ts';
import { isReservedKey } from '../objects/label-key.ts';
import { applyMergePatch } from '../objects/patch.ts';
import type { RawObject } from '../objects/raw.ts';
import { parseTaintId, taintId } from '../objects/taint.ts';
import { type KeyKind, keyKinds, type KeyWish, type MergedKeyWish } from '../objects/wish.ts';
import { planNodePatch } from './node-patch.ts';

// Few keys and values, so that wishes, node, record and list meet on the same key again and again.
const plainKeys = ['team', 'example.com/zone', 'node.kubernetes.io/role', 'k8s.io/x'];
const taintIds = ['gate:NoSchedule', 'gate:NoExecute', 'node.kubernetes.io/x:NoSchedule', 'a.io/b:NewEffect'];
const value = fc.constantFrom('', 'ours', 'theirs', 'other');
const owner = fc.constantFrom('stamp', 'readiness/Rule/cni');
const keysOf = (kind: KeyKind) => (kind === 'taints' ? taintIds : plainKeys);
const mapOf = <T>(keys: readonly string[], values: fc.Arbitrary<T>) =>
  fc.dictionary(fc.constantFrom(...keys), values, { noNullPrototype: true });

const entry = fc.record({ owner, wrote: value, found: value }, { requiredKeys: ['owner', 'wrote'] });
const record = fc
  .record({
    labels: mapOf(plainKeys, entry),
    annotations: mapOf(plainKeys, entry),
    taints: mapOf(taintIds, entry),
  })
  .map((entries) => JSON.stringify(entries));
const unreadable = fc.constantFrom(
  '{',
  '[]',
  '"x"',
  '{"labels":{"team":7}}',
  '{"taints":{"t":{"owner":"x"}}}',
);

const taints = fc
  .uniqueArray(fc.constantFrom(...taintIds, 'foreign:NoSchedule', 'foreign:NotKnownYet', 'x/y:NoExecute'))
  .chain((ids) => fc.tuple(...ids.map((id) => value.map((text) => ({ ...parseTaintId(id), value: text })))));

const nodeWith = (recorded: fc.Arbitrary<string | undefined>): fc.Arbitrary<RawObject> =>
  fc
    .record({
      labels: mapOf([...plainKeys, 'foreign'], value),
      annotations: mapOf([...plainKeys, 'foreign'], value),
      taints,
      recorded,
    })
    .map(({ labels, annotations, taints: list, recorded: text }) =>
      rawNode({
        labels,
        taints: list,
        annotations: text === undefined ? annotations : { ...annotations, [annotationKeys.owned]: text },
      }),
    );
const readableNode = nodeWith(fc.option(record, { nil: undefined }));

const presentWish: fc.Arbitrary<KeyWish> = fc.record({
  kind: fc.constant('present'),
  owner,
  value,
  prior: fc.constantFrom('restore', 'adopt'),
  proof: fc.constantFrom('object', 'record'),
});
const absentWish = (basis: fc.Arbitrary<'named' | 'recorded'>): fc.Arbitrary<KeyWish> =>
  fc.record({ kind: fc.constant('absent'), owner, basis });

const wishesOf = (wish: fc.Arbitrary<KeyWish>): fc.Arbitrary<readonly MergedKeyWish[]> =>
  fc
    .tuple(...keyKinds.map((kind) => mapOf(keysOf(kind), wish).map((map) => ({ kind, map }))))
    .map((kinds) =>
      kinds.flatMap(({ kind, map }) =>
        Object.entries(map).map(([key, one]) => ({ kind, key, capability: 'stamp', wish: one })),
      ),
    );
const wishes = wishesOf(fc.oneof(presentWish, absentWish(fc.constantFrom('named', 'recorded'))));

const listedKey: fc.Arbitrary<OwnedKey> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('Label', 'Annotation'),
    key: fc.constantFrom(...plainKeys),
    value,
    owner,
  }),
  fc.record({ id: fc.constantFrom(...taintIds), value, owner }).map(({ id, ...rest }) => ({
    kind: 'Taint' as const,
    ...parseTaintId(id),
    ...rest,
  })),
);
const listed = fc.array(listedKey, { maxLength: 6 });

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
      fc.property(nodeWith(unreadable), wishes, listed, (raw, wished, list) => {
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
      fc.property(nodeWith(unreadable), wishes, listed, (raw, wished, list) => {
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
