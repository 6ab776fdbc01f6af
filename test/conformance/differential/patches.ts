// Random patches of all three forms, over the fields that every object has and those that are a kind's own.

import { type Arbitrary, array, constant, constantFrom, oneof, record } from 'fast-check';
import type { PatchType } from '../bench.ts';
import { changes, metadata } from './contents.ts';
import type { Content, Kind } from './operation.ts';

export type AnyPatch = { readonly type: PatchType; readonly body: unknown };

export const patchOf = (on: Kind): Arbitrary<AnyPatch> =>
  oneof(
    { weight: 4, arbitrary: record({ type: constant('merge' as const), body: partial(on) }) },
    { weight: 2, arbitrary: record({ type: constant('strategic' as const), body: strategic(on) }) },
    { weight: 2, arbitrary: record({ type: constant('json' as const), body: jsonPatch(on) }) },
  );

const partial = (on: Kind): Arbitrary<Content> =>
  record({ metadata, content: changes[on] }, { requiredKeys: [] }).map(({ metadata, content }) =>
    metadata === undefined ? { ...content } : { ...content, metadata },
  );

const strategic = (on: Kind): Arbitrary<Content> =>
  oneof({ weight: 2, arbitrary: partial(on) }, { weight: 1, arbitrary: constantFrom(...directives) });

const ready = { type: 'Ready', status: 'True' };
const directives: readonly Content[] = [
  { metadata: { labels: { $patch: 'replace', b: '2' } } },
  { metadata: { annotations: { $patch: 'delete' } } },
  { metadata: { $retainKeys: ['name', 'labels'], labels: { a: '1' } } },
  { metadata: { '$deleteFromPrimitiveList/finalizers': ['conformance.test/hold'] } },
  { metadata: { finalizers: ['conformance.test/hold', 'conformance.test/other'] } },
  { status: { conditions: [{ type: 'Ready', $patch: 'delete' }] } },
  { status: { conditions: [ready, { $patch: 'replace' }] } },
  { status: { '$setElementOrder/conditions': [{ type: 'Other' }, { type: 'Ready' }], conditions: [ready] } },
  { status: { addresses: [{ type: 'InternalIP', address: '10.0.0.2' }] } },
];

const value = constantFrom('1', '2');
const shared = oneof(
  record({
    op: constantFrom('add', 'replace'),
    path: constantFrom(
      '/metadata/labels/a',
      '/metadata/annotations/a',
      '/metadata/labels/conformance.test~1c',
    ),
    value,
  }),
  record({
    op: constantFrom('add', 'replace', 'test'),
    path: constantFrom('/metadata/labels', '/metadata/annotations'),
    value: constantFrom({ a: '1' }, { b: '2' }, null),
  }),
  record({
    op: constant('remove'),
    path: constantFrom(
      '/metadata/labels',
      '/metadata/labels/a',
      '/metadata/finalizers',
      '/metadata/finalizers/0',
    ),
  }),
  record({
    op: constantFrom('copy', 'move'),
    from: constantFrom('/metadata/labels/a', '/metadata/annotations'),
    path: constantFrom('/metadata/labels/b', '/metadata/labels'),
  }),
  record({ op: constant('test'), path: constantFrom('/metadata/labels/a', '/kind'), value }),
);

const own: Readonly<Record<Kind, readonly Content[]>> = {
  nodes: [
    { op: 'add', path: '/spec/taints/-', value: { key: 'j', effect: 'NoSchedule' } },
    { op: 'add', path: '/spec/taints/0', value: { key: 'j', effect: 'NoExecute' } },
    { op: 'replace', path: '/spec/taints/0/effect', value: 'NoExecute' },
    { op: 'remove', path: '/spec/taints/-1' },
    { op: 'add', path: '/spec/unschedulable', value: true },
    { op: 'remove', path: '/status/conditions/0' },
    { op: 'add', path: '/status/nodeInfo/bootID', value: 'j' },
    { op: 'add', path: '/spec/unschedulable', value: 'yes' },
  ],
  pods: [
    { op: 'add', path: '/spec/containers/0/image', value: 'j' },
    { op: 'replace', path: '/spec/nodeName', value: 'j' },
    { op: 'add', path: '/spec/activeDeadlineSeconds', value: 60 },
    { op: 'add', path: '/spec/tolerations/-', value: { key: 'j', operator: 'Exists' } },
    { op: 'add', path: '/status/phase', value: 'Running' },
    { op: 'remove', path: '/status/conditions' },
  ],
  leases: [
    { op: 'add', path: '/spec/holderIdentity', value: 'j' },
    { op: 'remove', path: '/spec/renewTime' },
    { op: 'replace', path: '/spec', value: {} },
    { op: 'add', path: '/spec/leaseTransitions', value: '1' },
  ],
  events: [
    { op: 'add', path: '/count', value: 5 },
    { op: 'replace', path: '/message', value: 'j' },
    { op: 'remove', path: '/source' },
  ],
  newEvents: [
    { op: 'add', path: '/series', value: { count: 5, lastObservedTime: '2026-01-01T00:00:00.000001Z' } },
    { op: 'replace', path: '/note', value: 'j' },
    { op: 'remove', path: '/note' },
  ],
  widgets: [
    { op: 'add', path: '/spec/size', value: 4 },
    { op: 'remove', path: '/spec/size' },
    { op: 'add', path: '/spec/tags', value: ['a', 'a'] },
    { op: 'add', path: '/spec/free/new', value: { a: [1] } },
    { op: 'add', path: '/status', value: { phase: 'j' } },
    { op: 'remove', path: '/spec' },
  ],
};

const jsonPatch = (on: Kind): Arbitrary<readonly unknown[]> =>
  array(
    oneof({ weight: 3, arbitrary: shared }, { weight: 2, arbitrary: constantFrom<Content[]>(...own[on]) }),
    { minLength: 1, maxLength: 3 },
  );
