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
import type { PatchType } from '../bench.ts';
import { changes, contents, metadata } from './contents.ts';
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
const partial = (on: Kind): Arbitrary<Content> =>
  record({ metadata, content: changes[on] }, { requiredKeys: [] }).map(({ metadata, content }) =>
    metadata === undefined ? { ...content } : { ...content, metadata },
  );

const few = constantFrom('1', '2');
const jsonOperation = oneof(
  record({
    op: constantFrom('add', 'replace'),
    path: constantFrom('/metadata/labels/a', '/metadata/annotations/a'),
    value: few,
  }),
  record({
    op: constantFrom('add', 'replace', 'test'),
    path: constantFrom('/metadata/labels', '/metadata/annotations'),
    value: constantFrom({ a: '1' }, { b: '2' }),
  }),
  record({
    op: constant('remove'),
    path: constantFrom('/metadata/labels', '/metadata/labels/a', '/metadata/finalizers'),
  }),
  record({
    op: constant('copy'),
    from: constant('/metadata/labels/a'),
    path: constant('/metadata/labels/b'),
  }),
);
const jsonPatch = array(jsonOperation, { minLength: 1, maxLength: 3 });

const patchOf = (on: Kind): Arbitrary<{ readonly type: PatchType; readonly body: unknown }> =>
  oneof(
    { weight: 3, arbitrary: record({ type: constant('merge' as const), body: partial(on) }) },
    { weight: 1, arbitrary: record({ type: constant('strategic' as const), body: partial(on) }) },
    { weight: 1, arbitrary: record({ type: constant('json' as const), body: jsonPatch }) },
  );

const fieldSelectors: Readonly<Record<Kind, readonly string[]>> = {
  nodes: ['spec.unschedulable=true'],
  pods: ['status.phase=Running', 'spec.nodeName='],
  leases: [],
  events: ['reason=1', 'type!=Normal', 'involvedObject.name=x'],
  newEvents: ['reason=1', 'regarding.kind=Pod'],
  widgets: ['spec.colour=red', 'spec.size=5'],
};
const labelSelectors = ['', 'a=1', 'a!=1', 'a in (1,2)', 'a notin (1)', 'a', '!a', 'a=1,b=2', 'a in'];
const listOf = (on: Kind): Arbitrary<Operation> =>
  record({
    labelSelector: constantFrom(...labelSelectors),
    fieldSelector: constantFrom(
      '',
      'metadata.name=$NAME-a',
      'metadata.name!=$NAME-a',
      'spec.nope=1',
      ...fieldSelectors[on],
    ),
    // Nodes of other worlds stand between ours, so that pages differ.
    limit: constantFrom(...(on === 'nodes' ? [''] : ['', '1', '2'])),
  }).map((query) => ({ kind: 'list', on, query: queryOf(query) }));

function queryOf(fields: Readonly<Record<string, string>>): string {
  return new URLSearchParams(Object.entries(fields).filter(([, value]) => value !== '')).toString();
}

const queries = constantFrom(
  '',
  '',
  '',
  '',
  '',
  'fieldValidation=Strict',
  'fieldValidation=Ignore',
  'dryRun=All',
);
const deleteOptions: Arbitrary<Content> = constantFrom(
  {},
  {},
  { propagationPolicy: 'Background' },
  { gracePeriodSeconds: 0 },
  { propagationPolicy: 'Never' },
);

const creationOf = (on: Kind): Arbitrary<Operation> =>
  record({ kind: constant('create' as const), on: constant(on), slot, content: whole(on), query: queries });

const operationOn = (on: Kind): Arbitrary<Operation> =>
  oneof(
    { weight: 3, arbitrary: creationOf(on) },
    {
      weight: 1,
      arbitrary: record({ kind: constant('get' as const), on: constant(on), slot, part: partOf(on) }),
    },
    {
      weight: 3,
      arbitrary: record({
        kind: constant('replace' as const),
        on: constant(on),
        slot,
        part: partOf(on),
        content: whole(on),
        guard: replaceGuard,
      }),
    },
    {
      weight: 6,
      arbitrary: record({
        head: record({ kind: constant('patch' as const), on: constant(on), slot, part: partOf(on), guard }),
        patch: patchOf(on),
      }).map(({ head, patch }): Operation => ({ ...head, ...patch })),
    },
    {
      weight: 2,
      arbitrary: record({
        kind: constant('delete' as const),
        on: constant(on),
        slot,
        guard,
        options: deleteOptions,
      }),
    },
    { weight: 1, arbitrary: listOf(on) },
  );

// Few kinds at a time, and each begins with an object, so that there is something to work on;
// in the end, watches tell it all again.
const anySequence: Arbitrary<readonly Operation[]> = uniqueArray(constantFrom(...kinds), {
  minLength: 1,
  maxLength: 2,
}).chain((chosen) =>
  tuple(
    tuple(...chosen.map(creationOf)),
    array(oneof(...chosen.map(operationOn)), { minLength: lengthMin, maxLength: lengthMax }),
  ).map(([births, rest]) => [...births, ...rest, ...chosen.map((on): Operation => ({ kind: 'watch', on }))]),
);
