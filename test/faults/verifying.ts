// Short words for scenarios of verification.

import { verificationKeys } from '../../src/api/keys.ts';
import type { NodeSketch } from '../support/node-builder.ts';
import { at } from './oracles/oracle.ts';
import { tainted } from './residue.ts';
import type { EndState } from './end-state.ts';
import type { Chapter, Scenario } from './scenario.ts';
import type { WorkerOutcomes } from './workers.ts';

export const unverified = { key: verificationKeys.taint, effect: 'NoSchedule', value: 'true' };
export const unverifiedId = `${verificationKeys.taint}:NoSchedule`;
export const ours: Scenario['ours'] = { labels: [verificationKeys.verifiedLabel], taints: [unverifiedId] };

/** For as long as the run lasts. */
export function kubeletsAtWork(outcomes: WorkerOutcomes, fromMs = 1_000): readonly Chapter[] {
  return [{ atMs: fromMs, by: 'kubelet', does: (cluster) => cluster.runWorkers(outcomes) }];
}

/** A node of the blue pool joins, with the taint unless it comes bare. */
export function joins(atMs: number, name: string, sketch: NodeSketch = {}): Chapter {
  const blue: NodeSketch = { labels: { pool: 'blue' }, taints: [unverified], ...sketch };
  return { atMs, by: 'kubelet', does: (cluster) => cluster.joinNode(name, blue) };
}

/** Nodes that are not verified, or whose worker is still there. */
export function unready(end: EndState, names: readonly string[]): readonly string[] {
  const unlabelled = names
    .filter((name) => !isLabelled(end, name))
    .map((name) => `node ${name} lacks its label`);
  const unrecorded = names
    .filter((name) => stateOf(end, name) !== 'verified')
    .map((name) => `node ${name} is not recorded as verified`);
  const left = Object.keys(end).filter((name) => name.startsWith('pods/'));
  return [
    ...tainted(end, names, unverifiedId),
    ...unlabelled,
    ...unrecorded,
    ...left.map((name) => `${name} is left`),
  ];
}

/** Nodes that verification has touched although it has nothing to do with them. */
export function meddledWith(end: EndState, names: readonly string[]): readonly string[] {
  const labelled = names.filter((name) => isLabelled(end, name)).map((name) => `node ${name} is labelled`);
  const recorded = names
    .filter((name) => stateOf(end, name) !== undefined)
    .map((name) => `the verification of node ${name} is recorded`);
  return [...tainted(end, names, unverifiedId), ...labelled, ...recorded];
}

export function stateOf(end: EndState, name: string): unknown {
  return at(end[`nodelifecycles/${name}`], 'status', 'verification', 'state');
}

function isLabelled(end: EndState, name: string): boolean {
  return end[`nodes/${name}`]?.labels[verificationKeys.verifiedLabel] === 'true';
}
