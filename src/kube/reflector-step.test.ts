import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  abandon,
  backoff,
  begun,
  bookmark,
  close,
  event,
  garbledNote,
  listing,
  node,
  noteOf,
  pace,
  page,
  pageFailed,
  resume,
  stage,
  stepsAre,
  syncing,
  watching,
} from '../../test/support/reflector-steps.ts';
import { initialState, phases, type ReflectorInput, type ReflectorState } from './reflector-state.ts';
import { step } from './reflector-step.ts';

describe('a new reflector', () => {
  it('knows nothing and will stream', () => {
    expect(initialState('optional')).toEqual({
      phase: 'idle',
      presence: 'optional',
      resumeFrom: null,
      syncBy: 'initialEvents',
      earlyEnds: 0,
      failures: 0,
      absences: 0,
      hasSynced: false,
    });
  });
});

describe('an attempt', () => {
  stepsAre([
    [
      'of a new reflector streams everything',
      begun,
      { kind: 'start' },
      { phase: 'syncing' },
      [stage, { kind: 'openWatch', start: { kind: 'initialEvents' } }],
    ],
    [
      'with a place to resume from goes on there',
      { ...watching, phase: 'waiting', syncBy: 'pages' },
      { kind: 'elapsed' },
      { phase: 'watching' },
      [resume('70')],
    ],
    [
      'after streams have failed lists in pages',
      { ...listing, phase: 'waiting' },
      { kind: 'elapsed' },
      { phase: 'listing' },
      [stage, { kind: 'fetchPage', continueToken: '' }],
    ],
    ['is the last once stopped', watching, { kind: 'stop' }, { phase: 'stopped' }, [close, abandon]],
    ['does not follow a stop', { ...watching, phase: 'stopped' }, { kind: 'start' }, {}, []],
  ]);
});

describe('an event', () => {
  stepsAre([
    [
      'of a full sync is staged and is no place to resume from',
      syncing,
      event('90'),
      {},
      [{ kind: 'stageObject', change: 'MODIFIED', object: node('90') }],
    ],
    [
      'in step is applied, moves the resume point and ends the failures',
      { ...watching, failures: 3 },
      event('71'),
      { resumeFrom: '71', failures: 0 },
      [{ kind: 'apply', change: 'MODIFIED', object: node('71') }],
    ],
    [
      'with the version known already still ends the failures',
      { ...watching, failures: 3 },
      event('70'),
      { failures: 0 },
      [{ kind: 'apply', change: 'MODIFIED', object: node('70') }],
    ],
    [
      'without a version is applied and leaves the resume point',
      watching,
      event(),
      {},
      [{ kind: 'apply', change: 'MODIFIED', object: node() }],
    ],
    [
      'that is older is applied and leaves the resume point',
      watching,
      event('69'),
      {},
      [{ kind: 'apply', change: 'MODIFIED', object: node('69') }],
    ],
  ]);

  it('without metadata is applied and leaves the resume point', () => {
    const { state, effects } = step(watching, { kind: 'object', change: 'ADDED', object: {} });
    expect(state).toBe(watching);
    expect(effects).toEqual([{ kind: 'apply', change: 'ADDED', object: {} }]);
  });

  it('that says nothing new makes no new state', () => {
    expect(step(watching, event('70')).state).toBe(watching);
  });
});

describe('a bookmark', () => {
  const synced = { earlyEnds: 0, absences: 0, syncBy: 'initialEvents', hasSynced: true } as const;
  const troubled: ReflectorState = { ...syncing, earlyEnds: 1, absences: 2, failures: 3, syncBy: 'pages' };

  stepsAre([
    ['within a full sync says nothing', syncing, bookmark('60'), {}, []],
    [
      'that ends the first sync completes it, and proves nothing about the watch yet',
      troubled,
      bookmark('60', true),
      { ...synced, phase: 'watching', resumeFrom: '60' },
      [{ kind: 'commit', resourceVersion: '60' }],
    ],
    [
      'that ends a later sync is noted as a relist, and may move the resume point back',
      { ...syncing, hasSynced: true },
      bookmark('60', true),
      { ...synced, phase: 'watching', resumeFrom: '60' },
      [{ kind: 'commit', resourceVersion: '60' }, { kind: 'noteRelist' }],
    ],
    ['in step moves the resume point', watching, bookmark('90', true), { resumeFrom: '90' }, []],
    [
      'without a version ends the watch',
      watching,
      bookmark(''),
      { phase: 'waiting', failures: 1 },
      [close, garbledNote, backoff(1)],
    ],
  ]);
});

describe('a page', () => {
  const staged = { kind: 'stagePage', objects: [node('5')] } as const;

  stepsAre([
    [
      'that is not the last is staged, and the next is fetched',
      listing,
      page('9', 'more'),
      {},
      [staged, { kind: 'fetchPage', continueToken: 'more' }],
    ],
    [
      'that is the last completes the sync, and the watch goes on from it',
      { ...listing, earlyEnds: 2, absences: 1, failures: 4 },
      page('9'),
      {
        phase: 'watching',
        resumeFrom: '9',
        syncBy: 'initialEvents',
        earlyEnds: 0,
        absences: 0,
        hasSynced: true,
      },
      [staged, { kind: 'commit', resourceVersion: '9' }, resume('9')],
    ],
    [
      'without a version to watch from is thrown away',
      listing,
      page(''),
      { phase: 'waiting', failures: 1 },
      [abandon, backoff(1)],
    ],
    [
      'that an overloaded server refuses is asked for again when it said',
      { ...listing, failures: 2 },
      pageFailed(true, 'TooManyRequests', { retryAfterMs: 9_000 }),
      { phase: 'waiting', failures: 3 },
      [noteOf('list', 'TooManyRequests'), abandon, backoff(3, 9_000)],
    ],
    [
      'that expires as the first is a failure like any other',
      listing,
      pageFailed(true, 'Expired'),
      { phase: 'waiting', failures: 1 },
      [noteOf('list', 'Expired'), abandon, backoff(1)],
    ],
    [
      'that expires in the middle starts the list again at once, and is counted',
      listing,
      pageFailed(false, 'Expired'),
      { phase: 'waiting', failures: 1 },
      [noteOf('list', 'Expired'), abandon, pace],
    ],
    [
      'that fails in the middle for another reason waits',
      listing,
      pageFailed(false, 'ServerError'),
      { phase: 'waiting', failures: 1 },
      [noteOf('list', 'ServerError'), abandon, backoff(1)],
    ],
  ]);
});

describe('any number of steps', () => {
  it('never moves the resume point back, except by a full sync or by giving it up', () => {
    const version = fc.nat(200).map((number) => String(number + 1));
    const input = fc.oneof(
      version.map(
        (resourceVersion): ReflectorInput => ({
          kind: 'object',
          change: 'MODIFIED',
          object: { metadata: { name: 'a', resourceVersion } },
        }),
      ),
      version.map(
        (resourceVersion): ReflectorInput => ({
          kind: 'bookmark',
          resourceVersion,
          endsInitialEvents: false,
        }),
      ),
      fc.constantFrom<ReflectorInput>(
        { kind: 'garbled' },
        { kind: 'silent' },
        { kind: 'ended', failure: null },
      ),
    );
    fc.assert(
      fc.property(fc.array(input), (inputs) => {
        let state: ReflectorState = watching;
        for (const next of inputs) {
          const before = Number(state.resumeFrom);
          state = step({ ...state, phase: 'watching' }, next).state;
          expect(phases).toContain(state.phase);
          expect(Number(state.resumeFrom)).toBeGreaterThanOrEqual(before);
        }
      }),
    );
  });
});
