// Rules as scenarios of readiness write them: one condition, one taint, one pool, unless a scenario says otherwise.

import type { NodeSketch } from '../support/node-builder.ts';
import type { EndState } from './end-state.ts';

export const network = 'network.k8s.io/CalicoReady';
export const gateKey = 'readiness.k8s.io/NetworkReady';
export const gate = `${gateKey}:NoSchedule`;

export function ruleSpec(change: object = {}): object {
  return {
    conditions: [{ type: network, requiredStatus: 'True' }],
    enforcementMode: 'continuous',
    taint: { key: gateKey, effect: 'NoSchedule' },
    nodeSelector: { matchLabels: { pool: 'blue' } },
    ...change,
  };
}

/** A node of the blue pool that says of its network what is given; nothing when it is null. */
export function blue(says: 'True' | 'False' | null, sketch: NodeSketch = {}): NodeSketch {
  return { labels: { pool: 'blue' }, conditions: says === null ? {} : { [network]: says }, ...sketch };
}

/** Evaluations must be there for exactly these, by `<rule>-<node>`. */
export function misevaluated(end: EndState, names: readonly string[]): readonly string[] {
  const prefix = 'nodereadinessevaluations/';
  const found = Object.keys(end)
    .filter((name) => name.startsWith(prefix))
    .map((name) => name.slice(prefix.length));
  return [
    ...names.filter((name) => !found.includes(name)).map((name) => `evaluation ${name} is missing`),
    ...found.filter((name) => !names.includes(name)).map((name) => `evaluation ${name} should be gone`),
  ];
}

/** What is wrong with a rule that should be gone. */
export function stuck(end: EndState, rule: string): readonly string[] {
  return end[rule] === undefined ? [] : [`${rule} should be gone`];
}
