// Short words for scenarios of verification.

import { verificationKeys } from '../../src/api/keys.ts';
import { at } from './oracles/oracle.ts';
import type { WorkerOutcomes } from './cluster.ts';
import type { EndState } from './end-state.ts';
import type { Chapter, Scenario } from './scenario.ts';

export const unverified = { key: verificationKeys.taint, effect: 'NoSchedule', value: 'true' };
export const unverifiedId = `${verificationKeys.taint}:NoSchedule`;
export const ours: Scenario['ours'] = { labels: [verificationKeys.verifiedLabel], taints: [unverifiedId] };

/** From the beginning, for as long as the run lasts. */
export function kubeletsAtWork(outcomes: WorkerOutcomes): readonly Chapter[] {
  return [{ atMs: 1_000, by: 'kubelet', does: (cluster) => cluster.runWorkers(outcomes) }];
}

/** Nodes that are not verified, or whose worker is still there. */
export function unready(end: EndState, names: readonly string[]): readonly string[] {
  const unlabelled = names
    .filter((name) => end[`nodes/${name}`]?.labels[verificationKeys.verifiedLabel] !== 'true')
    .map((name) => `node ${name} lacks its label`);
  const unrecorded = names
    .filter((name) => at(end[`nodelifecycles/${name}`], 'status', 'verification', 'state') !== 'verified')
    .map((name) => `node ${name} is not recorded as verified`);
  const left = Object.keys(end).filter((name) => name.startsWith('pods/'));
  return [...unlabelled, ...unrecorded, ...left.map((name) => `${name} is left`)];
}
