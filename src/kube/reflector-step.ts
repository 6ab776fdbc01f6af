// What the reflector does next, as a pure function of its state and of what just happened. No clock, network or store
// in here: delays are named, and the loop in reflector.ts counts them.

import { unreachable } from '../base/assert.ts';
import { compareResourceVersions } from '../objects/resource-version.ts';
import type { ApiFailure, Page, WatchStart } from '../runtime/ports.ts';
import {
  type Delay,
  initialState,
  type ReflectorEffect,
  type ReflectorInput,
  type ReflectorState,
} from './reflector-state.ts';

export type ReflectorStep = { readonly state: ReflectorState; readonly effects: Effects };

type Effects = readonly ReflectorEffect[];
type Input<Kind extends ReflectorInput['kind']> = Extract<ReflectorInput, { readonly kind: Kind }>;

export function step(state: ReflectorState, input: ReflectorInput): ReflectorStep {
  if (state.phase === 'stopped') return { state, effects: [] };
  switch (input.kind) {
    case 'start':
    case 'elapsed':
      return begin(state);
    case 'stop':
      return {
        state: { ...state, phase: 'stopped' },
        effects: [{ kind: 'closeWatch' }, { kind: 'abandon' }],
      };
    case 'object':
      return onObject(state, input);
    case 'bookmark':
      return onBookmark(state, input);
    case 'page':
      return onPage(state, input.page);
    case 'pageFailed':
      return onPageFailed(state, input);
    case 'ended':
      return onEnd(state, input.failure);
    case 'garbled':
      return onBreak(state, 'Garbled');
    case 'silent':
      return onBreak(state, 'Silent');
    case 'overdue':
      return onBreak(state, 'Overdue');
    default:
      return unreachable(input);
  }
}

function begin(state: ReflectorState): ReflectorStep {
  const { resumeFrom } = state;
  if (resumeFrom !== null) {
    const start: WatchStart = { kind: 'after', resourceVersion: resumeFrom };
    return { state: { ...state, phase: 'watching' }, effects: [{ kind: 'openWatch', start }] };
  }
  if (state.syncBy === 'pages') {
    const effects: Effects = [{ kind: 'stage' }, { kind: 'fetchPage', continueToken: '' }];
    return { state: { ...state, phase: 'listing' }, effects };
  }
  const effects: Effects = [{ kind: 'stage' }, { kind: 'openWatch', start: { kind: 'initialEvents' } }];
  return { state: { ...state, phase: 'syncing' }, effects };
}

function onObject(state: ReflectorState, input: Input<'object'>): ReflectorStep {
  const { change, object } = input;
  // Initial events do not come in the order of their resourceVersions: none of them is a place to resume from.
  if (state.phase === 'syncing') return { state, effects: [{ kind: 'stageObject', change, object }] };
  const next = proven(state, object.metadata?.resourceVersion ?? '');
  return { state: next, effects: [{ kind: 'apply', change, object }] };
}

function onBookmark(state: ReflectorState, input: Input<'bookmark'>): ReflectorStep {
  const { resourceVersion, endsInitialEvents } = input;
  if (resourceVersion === '') return onBreak(state, 'Garbled');
  if (state.phase !== 'syncing') return { state: proven(state, resourceVersion), effects: [] };
  if (!endsInitialEvents) return { state, effects: [] };
  return { state: synced(state, resourceVersion), effects: commit(state, resourceVersion) };
}

function onPage(state: ReflectorState, page: Page): ReflectorStep {
  const staged: ReflectorEffect = { kind: 'stagePage', objects: page.items };
  const { continueToken, resourceVersion } = page;
  if (continueToken !== '') return { state, effects: [staged, { kind: 'fetchPage', continueToken }] };
  // Without a place to watch from there would be a gap between the list and the watch.
  if (resourceVersion === '') return after(state, null, [{ kind: 'abandon' }]);
  const next = begin(synced(state, resourceVersion));
  return { state: next.state, effects: [staged, ...commit(state, resourceVersion), ...next.effects] };
}

function commit({ hasSynced }: ReflectorState, resourceVersion: string): Effects {
  const committed: ReflectorEffect = { kind: 'commit', resourceVersion };
  return hasSynced ? [committed, { kind: 'noteRelist' }] : [committed];
}

/** A full sync is complete. It moves the resume point back if it must: the cache itself never goes back. */
function synced(state: ReflectorState, resourceVersion: string): ReflectorState {
  const fresh = { earlyEnds: 0, absences: 0, syncBy: 'initialEvents', hasSynced: true } as const;
  return { ...state, ...fresh, phase: 'watching', resumeFrom: resourceVersion };
}

/** Something arrived on a watch that is in step: all is well, and the resume point moves on, never back. */
function proven(state: ReflectorState, resourceVersion: string): ReflectorState {
  const isBehind =
    resourceVersion === '' ||
    (state.resumeFrom !== null && compareResourceVersions(resourceVersion, state.resumeFrom) === 'older');
  const resumeFrom = isBehind ? state.resumeFrom : resourceVersion;
  return resumeFrom === state.resumeFrom && state.failures === 0
    ? state
    : { ...state, resumeFrom, failures: 0 };
}

function onPageFailed(state: ReflectorState, input: Input<'pageFailed'>): ReflectorStep {
  const { failure, isFirst } = input;
  const begun: Effects = [noteOf('list', failure), { kind: 'abandon' }];
  if (failure.reason === 'NotFound') return onAbsence(state, begun);
  // The continue token is only as old as the history; the list starts again, and nothing of the first try is kept.
  if (failure.reason === 'Expired' && !isFirst) return again(state, begun);
  return after(state, failure, begun);
}

function onEnd(state: ReflectorState, failure: ApiFailure | null): ReflectorStep {
  const begun: Effects = [{ kind: 'closeWatch' }, noteOf('watch', failure ?? closed)];
  if (state.phase === 'syncing') return onEarlyEnd(state, failure, [...begun, { kind: 'abandon' }]);
  if (failure === null) return wait(state, { kind: 'resume' }, begun);
  if (failure.reason === 'Expired') return again({ ...state, resumeFrom: null }, begun);
  if (failure.reason === 'NotFound') return onAbsence({ ...state, resumeFrom: null }, begun);
  return after(state, failure, begun);
}

/** We end the watch ourselves and go on from the last resourceVersion: nothing after it was believed. */
function onBreak(state: ReflectorState, reason: 'Garbled' | 'Silent' | 'Overdue'): ReflectorStep {
  const begun: Effects = [{ kind: 'closeWatch' }, noteOf('watch', { reason, message: breaks[reason] })];
  if (state.phase === 'syncing') {
    const early = reason === 'Overdue' ? { ...state, earlyEnds: earlyEndsMax } : state;
    return onEarlyEnd(early, null, [...begun, { kind: 'abandon' }]);
  }
  // Silence alone does not show that the world is ill: many servers send no bookmarks. A new attempt will show it.
  return reason === 'Garbled' ? after(state, null, begun) : wait(state, { kind: 'pace' }, begun);
}

const closed = { reason: 'Closed', message: 'the server closed it in good order' };

const breaks = {
  Garbled: 'a line was not a watch event',
  Silent: 'neither an event nor a bookmark came for too long',
  Overdue: 'the initial events did not end in time',
} as const;

/** A second early end may be a server that cannot stream the start in its time, or at all: pages always work. */
const earlyEndsMax = 2;

function onEarlyEnd(state: ReflectorState, failure: ApiFailure | null, begun: Effects): ReflectorStep {
  if (failure !== null && isRefusal(failure)) {
    const listing = begin({ ...state, syncBy: 'pages' });
    return { state: listing.state, effects: [...begun, ...listing.effects] };
  }
  const earlyEnds = state.earlyEnds + 1;
  const syncBy = earlyEnds >= earlyEndsMax ? 'pages' : state.syncBy;
  const next = { ...state, earlyEnds, syncBy } as const;
  return failure === null ? wait(next, { kind: 'pace' }, begun) : after(next, failure, begun);
}

/** The server answered and does not want this request. Overload, expired credentials and silence say nothing about it. */
function isRefusal({ code, reason, retryAfterMs }: ApiFailure): boolean {
  return code !== null && reason !== 'TooManyRequests' && reason !== 'Unauthorized' && retryAfterMs === null;
}

/** The first full sync in a row starts at once; if that does not help either, each one waits longer. */
function again(state: ReflectorState, begun: Effects): ReflectorStep {
  if (state.failures > 0) return after(state, null, begun);
  return wait({ ...state, failures: 1 }, { kind: 'pace' }, begun);
}

/** A kind whose objects we know does not vanish at one word: an API server that starts may not know its CRDs yet. */
const absencesMax = 5;

function onAbsence(state: ReflectorState, begun: Effects): ReflectorStep {
  const absences = state.absences + 1;
  const isAbsent = state.presence === 'optional' && (!state.hasSynced || absences >= absencesMax);
  if (!isAbsent) return after({ ...state, absences }, null, begun);
  const next: ReflectorState = { ...initialState(state.presence), phase: 'absent' };
  return {
    state: next,
    effects: [...begun, { kind: 'markAbsent' }, { kind: 'wait', delay: { kind: 'absence' } }],
  };
}

type Cause = { readonly reason: string; readonly message: string };

function noteOf(of: 'watch' | 'list', { reason, message }: Cause): ReflectorEffect {
  return { kind: 'noteFailure', of, reason, message };
}

function after(state: ReflectorState, failure: ApiFailure | null, begun: Effects): ReflectorStep {
  const failures = state.failures + 1;
  return wait(
    { ...state, failures },
    { kind: 'backoff', failures, atLeastMs: failure?.retryAfterMs ?? 0 },
    begun,
  );
}

function wait(state: ReflectorState, delay: Delay, begun: Effects): ReflectorStep {
  return { state: { ...state, phase: 'waiting' }, effects: [...begun, { kind: 'wait', delay }] };
}
