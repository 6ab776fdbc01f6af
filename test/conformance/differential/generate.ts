// A sequence of operations from a seed: the same seed is the same sequence, on any machine and any target.

import {
  type Arbitrary,
  array,
  constant,
  constantFrom,
  oneof,
  record,
  sample,
  tuple,
  uniqueArray,
} from 'fast-check';
import { contents, metadata } from './contents.ts';
import {
  type Content,
  type Guard,
  guards,
  type Kind,
  kinds,
  type Operation,
  type Slot,
  slots,
} from './operation.ts';
import { patchOf } from './patches.ts';
import { form, pageOf, selectionOf, writeQuery } from './queries.ts';

const lengthMin = 15;
const lengthMax = 30;

export function sequenceOf(seed: number): readonly Operation[] {
  const [operations = []] = sample(anySequence, { seed, numRuns: 1 });
  return operations;
}

// Mostly one object of a kind, so that operations meet.
const slot = oneof(
  { weight: 4, arbitrary: constant<Slot>('a') },
  { weight: 1, arbitrary: constantFrom(...slots) },
);
const guard = oneof(
  { weight: 3, arbitrary: constant('none' as const) },
  { weight: 2, arbitrary: constantFrom(...guards) },
);
// A PUT is mostly what a client makes that has read first.
const replaceGuard = oneof(
  { weight: 4, arbitrary: constant<Guard>('current') },
  { weight: 1, arbitrary: constantFrom(...guards) },
);
const hasStatus: ReadonlySet<Kind> = new Set(['nodes', 'pods', 'widgets']);
const partOf = (on: Kind) =>
  constantFrom<('object' | 'status')[]>('object', 'object', hasStatus.has(on) ? 'status' : 'object');

const whole = (on: Kind): Arbitrary<Content> =>
  record({ metadata, content: contents[on] }).map(({ metadata, content }) => ({ ...content, metadata }));

// Dependents are left out: the garbage collector works in its own time.
const deleteOptions: Arbitrary<Content> = oneof(
  { weight: 6, arbitrary: constant<Content>({}) },
  {
    weight: 6,
    arbitrary: constantFrom<Content[]>(
      { propagationPolicy: 'Background' },
      { gracePeriodSeconds: 0 },
      { gracePeriodSeconds: 5 },
      { gracePeriodSeconds: -1 },
      { dryRun: ['All'] },
    ),
  },
  {
    weight: 2,
    arbitrary: constantFrom<Content[]>(
      { propagationPolicy: 'Never' },
      { dryRun: ['Some'] },
      { orphanDependents: false, propagationPolicy: 'Background' },
    ),
  },
);

const creationOf = (on: Kind): Arbitrary<Operation> =>
  record({
    kind: constant('create' as const),
    on: constant(on),
    slot,
    content: whole(on),
    query: writeQuery,
  });

const readOf = (on: Kind): Arbitrary<Operation> =>
  oneof(
    record({ kind: constant('get' as const), on: constant(on), slot, part: partOf(on), form }),
    record({ selection: selectionOf(on), page: pageOf(on), form }).map(
      ({ selection, page, form }): Operation => ({
        kind: 'list',
        on,
        form,
        query: [selection, page].filter((each) => each !== '').join('&'),
      }),
    ),
  );

const replacementOf = (on: Kind): Arbitrary<Operation> =>
  record({
    kind: constant('replace' as const),
    on: constant(on),
    slot,
    part: partOf(on),
    content: whole(on),
    guard: replaceGuard,
    query: writeQuery,
  });

const patchingOf = (on: Kind): Arbitrary<Operation> =>
  record({
    head: record({ on: constant(on), slot, part: partOf(on), guard, query: writeQuery }),
    patch: patchOf(on),
  }).map(({ head, patch }): Operation => ({ kind: 'patch', ...head, ...patch }));

const deletionOf = (on: Kind): Arbitrary<Operation> =>
  oneof(
    {
      weight: 4,
      arbitrary: record({
        kind: constant('delete' as const),
        on: constant(on),
        slot,
        guard,
        options: deleteOptions,
      }),
    },
    // Never of nodes: other worlds have theirs in the same place.
    {
      weight: on === 'nodes' ? 0 : 1,
      arbitrary: selectionOf(on).map((query): Operation => ({ kind: 'delete-many', on, query })),
    },
  );

const actionOf = (on: Kind): Arbitrary<Operation> =>
  constantFrom<(readonly ['binding' | 'eviction', Content])[]>(
    ['binding', { target: { kind: 'Node', name: 'somewhere' } }],
    ['binding', { target: { kind: 'Node', name: 'somewhere' } }],
    ['binding', { target: { kind: 'Node', name: '' } }],
    ['binding', { target: { kind: 'Pod', name: 'x' } }],
    ['eviction', {}],
    ['eviction', { deleteOptions: { gracePeriodSeconds: 5 } }],
    ['eviction', { deleteOptions: { dryRun: ['All'] } }],
  ).map(([part, content]): Operation => ({ kind: 'act', on, slot: 'a', part, content }));

const operationOn = (on: Kind): Arbitrary<Operation> =>
  oneof(
    { weight: 6, arbitrary: creationOf(on) },
    { weight: 5, arbitrary: readOf(on) },
    { weight: 1, arbitrary: readOf(sameStorage[on] ?? on) },
    { weight: 6, arbitrary: replacementOf(on) },
    { weight: 12, arbitrary: patchingOf(on) },
    { weight: 4, arbitrary: deletionOf(on) },
    { weight: on === 'pods' ? 3 : 0, arbitrary: actionOf(on) },
  );

/**
 * Both groups of events are one storage. A sequence writes through one and reads through both: the first write through the other
 * makes the real server drop its record of field managers, which is a change of its own.
 */
const sameStorage: Partial<Record<Kind, Kind>> = { events: 'newEvents', newEvents: 'events' };

// Few kinds at a time, and each begins with an object, so that there is something to work on;
// in the end, watches tell it all again.
const anySequence: Arbitrary<readonly Operation[]> = uniqueArray(constantFrom(...kinds), {
  minLength: 1,
  maxLength: 2,
  selector: (on) => (on === 'newEvents' ? 'events' : on),
}).chain((chosen) =>
  tuple(
    tuple(...chosen.map(creationOf)),
    array(oneof(...chosen.map(operationOn)), { minLength: lengthMin, maxLength: lengthMax }),
  ).map(([births, rest]) => [...births, ...rest, ...chosen.map((on): Operation => ({ kind: 'watch', on }))]),
);
