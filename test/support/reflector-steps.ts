// Words for one step of a reflector: the states it is in, what happens to it and what it then wants done.

import { expect, it } from 'vitest';
import type { ReflectorEffect, ReflectorInput, ReflectorState } from '../../src/kube/reflector-state.ts';
import { initialState } from '../../src/kube/reflector-state.ts';
import { step } from '../../src/kube/reflector-step.ts';
import { apiFailure } from './api-failure.ts';

export const begun = initialState('required');
export const syncing: ReflectorState = { ...begun, phase: 'syncing' };
export const listing: ReflectorState = { ...begun, phase: 'listing', syncBy: 'pages' };
export const watching: ReflectorState = { ...begun, phase: 'watching', resumeFrom: '70', hasSynced: true };
export const optional: ReflectorState = { ...watching, presence: 'optional' };

export const node = (resourceVersion?: string) => ({
  metadata: { name: 'a', ...(resourceVersion === undefined ? {} : { resourceVersion }) },
});
export const event = (resourceVersion?: string) =>
  ({ kind: 'object', change: 'MODIFIED', object: node(resourceVersion) }) as const;
export const bookmark = (resourceVersion: string, endsInitialEvents = false) =>
  ({ kind: 'bookmark', resourceVersion, endsInitialEvents }) as const;
export const page = (resourceVersion: string, continueToken = '') =>
  ({ kind: 'page', page: { items: [node('5')], resourceVersion, continueToken } }) as const;
export const ended = (...given: Parameters<typeof apiFailure>) =>
  ({ kind: 'ended', failure: apiFailure(...given) }) as const;
export const cleanEnd = { kind: 'ended', failure: null } as const;
export const pageFailed = (isFirst: boolean, ...given: Parameters<typeof apiFailure>) =>
  ({ kind: 'pageFailed', failure: apiFailure(...given), isFirst }) as const;

export const close = { kind: 'closeWatch' } as const;
export const stage = { kind: 'stage' } as const;
export const abandon = { kind: 'abandon' } as const;
export const resume = (resourceVersion: string) =>
  ({ kind: 'openWatch', start: { kind: 'after', resourceVersion } }) as const;
export const noteOf = (of: 'watch' | 'list', reason: string, message = `injected ${reason}`) =>
  ({ kind: 'noteFailure', of, reason, message }) as const;
export const note = (reason: string, message?: string) => noteOf('watch', reason, message);
export const pace = { kind: 'wait', delay: { kind: 'pace' } } as const;
export const paceOfResuming = { kind: 'wait', delay: { kind: 'resume' } } as const;
export const backoff = (failures: number, atLeastMs = 0) =>
  ({ kind: 'wait', delay: { kind: 'backoff', failures, atLeastMs } }) as const;

export const closedNote = note('Closed', 'the server closed it in good order');
export const garbledNote = note('Garbled', 'a line was not a watch event');
export const silentNote = note('Silent', 'neither an event nor a bookmark came for too long');
export const overdueNote = note('Overdue', 'the initial events did not end in time');

export type StepCase = readonly [
  sentence: string,
  before: ReflectorState,
  input: ReflectorInput,
  after: Partial<ReflectorState>,
  effects: readonly ReflectorEffect[],
];

/** One test for each sentence: whatever the step does not name stays as it was. */
export function stepsAre(cases: readonly StepCase[]): void {
  it.each(cases)('%s', (_sentence, before, input, after, effects) => {
    expect(step(before, input)).toEqual({ state: { ...before, ...after }, effects });
  });
}
