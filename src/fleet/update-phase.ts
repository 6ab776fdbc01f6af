// Where a node stands in an update, and which steps from one phase to the next are expected. Observation may skip phases
// (a watch shows the latest state, not every state), so an unexpected step is counted and never refused.

import type { UpdatePhase } from '../api/lifecycle-vocabulary.ts';

/**
 * Pending -> Draining -> Updating -> Rebooting -> Completed. A pause takes hold before the start, while draining or while
 * rebooting, and resumes wherever the node then is; after completion the next update begins.
 */
const expectedNext: Readonly<Record<UpdatePhase, readonly UpdatePhase[]>> = {
  Pending: ['Draining', 'Paused'],
  Draining: ['Updating', 'Paused'],
  Updating: ['Rebooting'],
  Rebooting: ['Completed', 'Paused'],
  Paused: ['Pending', 'Draining', 'Updating', 'Rebooting'],
  Completed: ['Pending'],
};

export function isExpectedStep(from: UpdatePhase, to: UpdatePhase): boolean {
  return from === to || expectedNext[from].includes(to);
}

/** The phases in which a node is being changed, not merely waiting for it. */
export function isUnderWay(phase: UpdatePhase): boolean {
  return phase === 'Draining' || phase === 'Updating' || phase === 'Rebooting';
}
