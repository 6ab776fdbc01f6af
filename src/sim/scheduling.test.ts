import { describe, expect, it } from 'vitest';
import type { RawObject } from '../objects/raw.ts';
import { evictionMs, fit, requestsOf, unschedulableMessage } from './scheduling.ts';

const node = (changes: { spec?: object; labels?: Record<string, string> } = {}): RawObject => ({
  metadata: { name: 'node-1', labels: { zone: 'a', size: '4', ...changes.labels } },
  spec: changes.spec ?? {},
  status: { allocatable: { cpu: '2', memory: '1Gi', pods: '3' } },
});
const pod = (spec: object = {}): RawObject => ({ spec: { containers: [{ name: 'a' }], ...spec } });
const asking = (cpu: string) => pod({ containers: [{ name: 'a', resources: { requests: { cpu } } }] });
const affinity = (term: object) =>
  pod({
    affinity: {
      nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term] } },
    },
  });
const expression = (operator: string, values?: readonly string[], key = 'zone') =>
  affinity({ matchExpressions: [{ key, operator, ...(values === undefined ? {} : { values }) }] });
const tainted = (effect: string) => node({ spec: { taints: [{ key: 'dedicated', value: 'gpu', effect }] } });
const tolerating = (toleration: object) => pod({ tolerations: [toleration] });

const NO_MATCH = "node(s) didn't match Pod's node affinity/selector";
const TAINTED = 'node(s) had untolerated taint(s)';

describe('a pod and a node', () => {
  it.each<[string, RawObject, RawObject, string | null]>([
    ['a plain pod on a free node', pod(), node(), null],
    ['a selector that matches', pod({ nodeSelector: { zone: 'a' } }), node(), null],
    ['a selector that does not', pod({ nodeSelector: { zone: 'b' } }), node(), NO_MATCH],
    [
      'the name of the node',
      affinity({ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['node-1'] }] }),
      node(),
      null,
    ],
    [
      'the name of another node',
      affinity({ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['node-2'] }] }),
      node(),
      NO_MATCH,
    ],
    [
      'a field that nodes cannot be chosen by',
      affinity({ matchFields: [{ key: 'metadata.uid', operator: 'In', values: ['x'] }] }),
      node(),
      NO_MATCH,
    ],
    ['an empty term', affinity({}), node(), NO_MATCH],
    ['In', expression('In', ['a', 'b']), node(), null],
    ['NotIn', expression('NotIn', ['a']), node(), NO_MATCH],
    ['Exists', expression('Exists'), node(), null],
    ['DoesNotExist', expression('DoesNotExist'), node(), NO_MATCH],
    ['Gt', expression('Gt', ['3'], 'size'), node(), null],
    ['Lt', expression('Lt', ['3'], 'size'), node(), NO_MATCH],
    ['a cordon', pod(), node({ spec: { unschedulable: true } }), 'node(s) were unschedulable'],
    [
      'a cordon that is tolerated',
      tolerating({ key: 'node.kubernetes.io/unschedulable', operator: 'Exists' }),
      node({ spec: { unschedulable: true } }),
      null,
    ],
    ['a taint', pod(), tainted('NoSchedule'), TAINTED],
    ['a taint that evicts', pod(), tainted('NoExecute'), TAINTED],
    ['advice', pod(), tainted('PreferNoSchedule'), null],
    [
      'a tolerated value',
      tolerating({ key: 'dedicated', value: 'gpu', effect: 'NoSchedule' }),
      tainted('NoSchedule'),
      null,
    ],
    ['another value', tolerating({ key: 'dedicated', value: 'cpu' }), tainted('NoSchedule'), TAINTED],
    [
      'another effect',
      tolerating({ key: 'dedicated', operator: 'Exists', effect: 'NoExecute' }),
      tainted('NoSchedule'),
      TAINTED,
    ],
    ['a pod that tolerates everything', tolerating({ operator: 'Exists' }), tainted('NoExecute'), null],
    ['as much as there is', asking('2'), node(), null],
    ['more than there is', asking('2001m'), node(), 'Insufficient cpu'],
    [
      'what the node does not have at all',
      pod({ containers: [{ resources: { requests: { 'example.com/gpu': 1 } } }] }),
      node(),
      'Insufficient example.com/gpu',
    ],
  ])('fit or not: %s', (_sentence, aPod, aNode, why) => {
    const found = fit(aPod, { node: aNode, used: new Map(), pods: 0 });
    expect(found).toEqual(why === null ? { kind: 'fits' } : { kind: 'unfit', why });
  });

  it('do not fit when the node is full of pods or of their requests', () => {
    expect(fit(pod(), { node: node(), used: new Map(), pods: 3 })).toEqual({
      kind: 'unfit',
      why: 'Too many pods',
    });
    const used = new Map([['cpu', 1500n]]);
    expect(fit(asking('600m'), { node: node(), used, pods: 1 })).toEqual({
      kind: 'unfit',
      why: 'Insufficient cpu',
    });
  });

  it('count the sum of containers, or the hungriest init container, limits standing in for requests', () => {
    const requests = requestsOf(
      pod({
        containers: [
          { resources: { requests: { cpu: '100m' } } },
          { resources: { limits: { cpu: '200m' } } },
        ],
        initContainers: [{ resources: { requests: { cpu: '50m', memory: '1Ki' } } }],
      }),
    );
    expect(requests).toEqual(
      new Map([
        ['cpu', 300n],
        ['memory', 1_024_000n],
      ]),
    );
  });
});

describe('the reason why no node fits', () => {
  it('counts the nodes by what is wrong with them', () => {
    expect(unschedulableMessage(3, ['Too many pods', TAINTED, TAINTED])).toBe(
      '0/3 nodes are available: 1 Too many pods, 2 node(s) had untolerated taint(s).',
    );
    expect(unschedulableMessage(0, [])).toBe('0/0 nodes are available.');
  });
});

describe('a taint that evicts', () => {
  const forSeconds = (tolerationSeconds?: number) =>
    tolerating({
      key: 'dedicated',
      operator: 'Exists',
      ...(tolerationSeconds === undefined ? {} : { tolerationSeconds }),
    });

  it.each<[string, RawObject, RawObject, number | null]>([
    ['a pod that does not tolerate it leaves now', pod(), tainted('NoExecute'), 0],
    ['a pod that tolerates it for a while leaves then', forSeconds(300), tainted('NoExecute'), 300_000],
    ['a pod that tolerates it stays', forSeconds(), tainted('NoExecute'), null],
    ['a taint that only keeps others away evicts nobody', pod(), tainted('NoSchedule'), null],
    ['a negative time is no time', forSeconds(-5), tainted('NoExecute'), 0],
  ])('%s', (_sentence, aPod, aNode, ms) => expect(evictionMs(aPod, aNode)).toBe(ms));
});
