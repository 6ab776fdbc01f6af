// NodeReadinessRules as users of kubernetes-sigs' controller write them, and what its definition answers to those that are wrong,
// word for word: scripts and tests of theirs look for these words.

import { nodeReadinessRuleType } from '../../src/api/keys.ts';
import { apiVersionOf } from '../../src/objects/ref.ts';

const conditions = [{ type: 'network.k8s.io/CalicoReady', requiredStatus: 'True' }];
const taint = { key: 'readiness.k8s.io/NetworkReady', effect: 'NoSchedule', value: 'pending' };
const plain = {
  conditions,
  taint,
  nodeSelector: { matchLabels: { pool: 'blue' } },
  enforcementMode: 'continuous',
};

export function upstreamRule(name: string, change: object = {}) {
  return {
    apiVersion: apiVersionOf(nodeReadinessRuleType),
    kind: nodeReadinessRuleType.kind,
    metadata: { name },
    spec: { ...plain, ...change },
  };
}

const keyed = (key: string) => ({ taint: { ...taint, key } });
const valued = (value: string) => ({ taint: { ...taint, value } });
const nameWords =
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character";
const defaulted = { conditions: [{ ...conditions[0], defaultStatus: 'True' }] };

/** What nobody may create, and why. */
export const upstreamRefusals: readonly (readonly [string, object, string])[] = [
  ['a foreign taint key', keyed('example.com/a'), "taint key must start with 'readiness.k8s.io/'"],
  ['no taint key', keyed(''), "taint key must start with 'readiness.k8s.io/'"],
  [
    'a long taint key',
    keyed(`readiness.k8s.io/${'a'.repeat(250)}`),
    'taint key length must be at most 253 characters',
  ],
  [
    'a taint key of three parts',
    keyed('readiness.k8s.io/a/b'),
    "taint key must have exactly one '/' separator (prefix/name format)",
  ],
  ['a nameless taint key', keyed('readiness.k8s.io/'), 'taint key name part must be 1-63 characters'],
  [
    'a long name of a taint',
    keyed(`readiness.k8s.io/${'a'.repeat(64)}`),
    'taint key name part must be 1-63 characters',
  ],
  ['a taint key that begins with a dash', keyed('readiness.k8s.io/-a'), `taint key name part ${nameWords}`],
  ['a taint key with a space', keyed('readiness.k8s.io/a b'), `taint key name part ${nameWords}`],
  ['a long taint value', valued('a'.repeat(64)), 'taint value length must be at most 63 characters'],
  ['a taint value with a space', valued('not yet'), `taint value ${nameWords}`],
  [
    'an effect that does not exist',
    { taint: { ...taint, effect: 'NoWay' } },
    "taint effect must be one of 'NoSchedule', 'PreferNoSchedule', 'NoExecute'",
  ],
  ['an empty selector', { nodeSelector: {} }, 'nodeSelector must not be empty'],
  [
    'a selector of two empty parts',
    { nodeSelector: { matchLabels: {}, matchExpressions: [] } },
    'nodeSelector must not be empty',
  ],
  [
    'a default in bootstrap-only',
    { ...defaulted, enforcementMode: 'bootstrap-only' },
    'defaultStatus should not be used with bootstrap-only enforcementMode',
  ],
  [
    'anyOf in bootstrap-only',
    { conditionPolicy: 'anyOf', enforcementMode: 'bootstrap-only' },
    'anyOf conditionPolicy is not supported with bootstrap-only enforcementMode',
  ],
  [
    'a default with anyOf',
    { ...defaulted, conditionPolicy: 'anyOf' },
    'defaultStatus is not supported when conditionPolicy is anyOf',
  ],
];

/** What nobody may change afterwards, as a merge patch of the spec, and why. */
export const upstreamChanges: readonly (readonly [string, object, string])[] = [
  ['conditions', { conditions: [{ type: 'Other', requiredStatus: 'True' }] }, 'conditions is immutable'],
  ['conditionPolicy', { conditionPolicy: 'anyOf' }, 'conditionPolicy is immutable'],
  ['enforcementMode', { enforcementMode: 'bootstrap-only' }, 'enforcementMode is immutable'],
  ['nodeSelector', { nodeSelector: { matchLabels: { pool: 'red' } } }, 'nodeSelector is immutable'],
  ['taint key', { taint: { key: 'readiness.k8s.io/b' } }, 'taint key is immutable'],
  ['taint effect', { taint: { effect: 'NoExecute' } }, 'taint effect is immutable'],
  ['taint value', { taint: { value: 'other' } }, 'taint value is immutable'],
  ['taint value by leaving it out', { taint: { value: null } }, 'taint value is immutable'],
];
