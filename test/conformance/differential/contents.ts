// What random objects may say, kind by kind: few values, so that writes meet and collide, and now and then a wrong one.

import {
  constant,
  constantFrom,
  dictionary,
  oneof,
  option,
  record,
  uniqueArray,
  type Arbitrary,
} from 'fast-check';
import type { Content, Kind } from './operation.ts';

const few = constantFrom('1', '2', '3');
const keys = constantFrom('a', 'b', 'conformance.test/c');
const rarely = <Value>(wrong: Value, right: Arbitrary<Value>): Arbitrary<Value> =>
  oneof({ weight: 1, arbitrary: constant(wrong) }, { weight: 30, arbitrary: right });

const time = constantFrom('2026-01-01T00:00:00Z', '2026-02-02T00:00:00Z');
const microTime = rarely(
  '2026-01-01T00:00:00Z',
  constantFrom('2026-01-01T00:00:00.000001Z', '2026-02-02T00:00:00.500000Z'),
);

export const metadata: Arbitrary<Content> = record(
  {
    labels: rarely<Content>({ a: 'not a value' }, dictionary(keys, few, { maxKeys: 2 })),
    annotations: rarely<Content>({ 'bad key': 'x' }, dictionary(keys, few, { maxKeys: 2 })),
    finalizers: rarely<readonly string[]>(['bad'], constantFrom([], [], [], ['conformance.test/hold'])),
  },
  { requiredKeys: [] },
);

const condition = record(
  {
    type: constantFrom('Ready', 'Other'),
    status: constantFrom('True', 'False', 'Unknown'),
    reason: few,
    lastTransitionTime: time,
  },
  { requiredKeys: ['type', 'status'] },
);
// One condition per type: two of one type are refused by nobody and kept by nobody in the same way.
const conditions = uniqueArray(condition, { selector: ({ type }) => type, maxLength: 2 });

const taint = record(
  {
    key: rarely('bad key', constantFrom('a', 'b')),
    value: few,
    effect: rarely('Sometimes', constantFrom('NoSchedule', 'NoExecute')),
  },
  { requiredKeys: ['key', 'effect'] },
);

const nodeSpec = record(
  {
    unschedulable: constantFrom(true, false),
    providerID: constantFrom('aws:///a', 'aws:///b'),
    taints: uniqueArray(taint, { maxLength: 3, comparator: (a, b) => a === b }),
  },
  { requiredKeys: [] },
);
const nodeStatus = record(
  {
    conditions,
    capacity: dictionary(constantFrom('cpu', 'memory'), constantFrom('1', '1000m', '2Gi', '2048Mi'), {
      maxKeys: 2,
    }),
    nodeInfo: record({ bootID: few, kubeletVersion: few }, { requiredKeys: [] }),
    phase: constantFrom('Running', 'Pending'),
  },
  { requiredKeys: [] },
);

const podStatus = record(
  {
    phase: constantFrom('Pending', 'Running', 'Succeeded', 'Failed'),
    conditions,
    reason: few,
    message: few,
    podIP: constantFrom('10.0.0.1'),
  },
  { requiredKeys: [] },
);

const leaseSpec = record(
  {
    holderIdentity: few,
    leaseDurationSeconds: rarely(0, constantFrom(10, 15)),
    renewTime: microTime,
    acquireTime: microTime,
    leaseTransitions: rarely(-1, constantFrom(0, 1, 2)),
  },
  { requiredKeys: [] },
);

const widgetSpec = record(
  {
    colour: rarely('blue', constantFrom('red', 'green')),
    size: rarely<unknown>('big', rarely<unknown>(11, constantFrom<unknown[]>(1, 5, 5, 9, null))),
    level: constantFrom(1, 2, 3),
    port: constantFrom<unknown[]>(80, 'http'),
    tags: rarely<readonly string[]>(['a', 'a'], constantFrom(['a'], ['a', 'b'])),
    parts: rarely<unknown>(
      [{ name: 'LONG' }],
      constantFrom<unknown[]>([{ name: 'a' }], [{ name: 'a', count: 2 }, { name: 'b' }]),
    ),

    free: constantFrom<unknown[]>({ any: 1 }, { any: { deep: [1] } }),
    maybe: constantFrom(null, 'x'),
    isOn: constantFrom(true, false, false, false),
    junk: constant(1),
  },
  { requiredKeys: ['colour'] },
);
const widgetStatus = record(
  { phase: few, count: rarely(-1, constantFrom(0, 1)), junk: constant(1) },
  { requiredKeys: [] },
);

const place = constant({ kind: 'Pod', namespace: '$NAMESPACE', name: 'x' });
const eventText = { reason: few, type: constantFrom('Normal', 'Warning') };

/** Whole contents, without the metadata. */
export const contents: Readonly<Record<Kind, Arbitrary<Content>>> = {
  nodes: record({ spec: nodeSpec, status: nodeStatus }, { requiredKeys: [] }),
  pods: record(
    { spec: constant({ containers: [{ name: 'c', image: 'i' }] }), status: podStatus },
    { requiredKeys: ['spec'] },
  ),
  leases: record({ spec: leaseSpec }, { requiredKeys: [] }),
  events: record(
    { involvedObject: place, message: few, count: constantFrom(1, 2), firstTimestamp: time, ...eventText },
    { requiredKeys: ['involvedObject'] },
  ),
  newEvents: record(
    {
      regarding: place,
      eventTime: microTime,
      reportingController: constant('conformance.test/x'),
      reportingInstance: constant('i'),
      action: constant('Act'),
      note: few,
      ...eventText,
    },
    {
      requiredKeys: [
        'regarding',
        'eventTime',
        'reportingController',
        'reportingInstance',
        'action',
        'reason',
        'type',
      ],
    },
  ),
  widgets: record({ spec: widgetSpec, status: widgetStatus }, { requiredKeys: ['spec'] }),
};

/** What a merge patch may touch: parts of a content, some taken away. Pods keep their spec. */
export const changes: Readonly<Record<Kind, Arbitrary<Content>>> = {
  ...contents,
  pods: record({ status: podStatus }, { requiredKeys: [] }),
  leases: record({ spec: option(leaseSpec) }),
  events: record({ message: option(few), count: constantFrom(2, 3), ...eventText }, { requiredKeys: [] }),
  newEvents: record(
    { note: few, series: constant({ count: 2, lastObservedTime: '2026-01-01T00:00:00.000001Z' }) },
    { requiredKeys: [] },
  ),
  widgets: record({ spec: widgetSpec, status: widgetStatus }, { requiredKeys: [] }),
};
