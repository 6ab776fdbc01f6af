// Any node, any record on it, any wishes and any list of owned keys, for properties of the node writer.

import * as fc from 'fast-check';
import { annotationKeys } from '../../src/api/keys.ts';
import type { OwnedKey } from '../../src/fleet/owned-keys.ts';
import type { RawObject } from '../../src/objects/raw.ts';
import { parseTaintId } from '../../src/objects/taint.ts';
import { type KeyKind, keyKinds, type KeyWish, type MergedKeyWish } from '../../src/objects/wish.ts';
import { rawNode } from './node-builder.ts';

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
export const unreadableRecord = fc.constantFrom(
  '{',
  '[]',
  '"x"',
  '{"labels":{"team":7}}',
  '{"taints":{"t":{"owner":"x"}}}',
);

const taints = fc
  .uniqueArray(fc.constantFrom(...taintIds, 'foreign:NoSchedule', 'foreign:NotKnownYet', 'x/y:NoExecute'))
  .chain((ids) => fc.tuple(...ids.map((id) => value.map((text) => ({ ...parseTaintId(id), value: text })))));

export const nodeWith = (recorded: fc.Arbitrary<string | undefined>): fc.Arbitrary<RawObject> =>
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
export const readableNode = nodeWith(fc.option(record, { nil: undefined }));

export const presentWish: fc.Arbitrary<KeyWish> = fc.record({
  kind: fc.constant('present'),
  owner,
  value,
  prior: fc.constantFrom('restore', 'adopt'),
  proof: fc.constantFrom('object', 'record'),
});
export const absentWish = (basis: fc.Arbitrary<'named' | 'recorded'>): fc.Arbitrary<KeyWish> =>
  fc.record({ kind: fc.constant('absent'), owner, basis });

export const wishesOf = (wish: fc.Arbitrary<KeyWish>): fc.Arbitrary<readonly MergedKeyWish[]> =>
  fc
    .tuple(...keyKinds.map((kind) => mapOf(keysOf(kind), wish).map((map) => ({ kind, map }))))
    .map((kinds) =>
      kinds.flatMap(({ kind, map }) =>
        Object.entries(map).map(([key, one]) => ({ kind, key, capability: 'stamp', wish: one })),
      ),
    );
export const wishes = wishesOf(fc.oneof(presentWish, absentWish(fc.constantFrom('named', 'recorded'))));

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
export const listed = fc.array(listedKey, { maxLength: 6 });
