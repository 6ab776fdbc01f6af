import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { apiFailure } from '../../test/support/api-failure.ts';
import { initialState, phases, type ReflectorInput, type ReflectorState } from './reflector-state.ts';
import { step } from './reflector-step.ts';

const begun = initialState('required');
const watching: ReflectorState = { ...begun, phase: 'watching', resumeFrom: '70', hasSynced: true };
const syncing: ReflectorState = { ...begun, phase: 'syncing' };
const listing: ReflectorState = { ...begun, phase: 'listing', syncBy: 'pages' };

const kindsOf = (state: ReflectorState, input: ReflectorInput) =>
  step(state, input).effects.map((effect) =>
    effect.kind === 'wait' ? `wait ${effect.delay.kind}` : effect.kind,
  );

const expired = apiFailure('Expired');
const refused = apiFailure('Invalid');

const cases: readonly [string, ReflectorState, ReflectorInput, readonly string[]][] = [
  ['starts by staging a stream', begun, { kind: 'start' }, ['stage', 'openWatch']],
  ['resumes when a wait is over', watching, { kind: 'elapsed' }, ['openWatch']],
  [
    'lists at once when the stream is refused',
    syncing,
    { kind: 'ended', failure: refused },
    ['closeWatch', 'noteFailure', 'abandon', 'stage', 'fetchPage'],
  ],
  [
    'waits before the next stream when the first was cut short',
    syncing,
    { kind: 'ended', failure: apiFailure('Unreachable') },
    ['closeWatch', 'noteFailure', 'abandon', 'wait backoff'],
  ],
  [
    'goes on at its pace after a clean end',
    watching,
    { kind: 'ended', failure: null },
    ['closeWatch', 'noteFailure', 'wait pace'],
  ],
  [
    'backs off after a failure',
    watching,
    { kind: 'ended', failure: apiFailure('ServerError') },
    ['closeWatch', 'noteFailure', 'wait backoff'],
  ],
  [
    'starts over at once when its resume point has expired',
    watching,
    { kind: 'ended', failure: expired },
    ['closeWatch', 'noteFailure', 'wait pace'],
  ],
  [
    'starts over later when that did not help',
    { ...watching, failures: 1 },
    { kind: 'ended', failure: expired },
    ['closeWatch', 'noteFailure', 'wait backoff'],
  ],
  [
    'throws a list away that expires in the middle',
    listing,
    { kind: 'pageFailed', failure: expired, isFirst: false },
    ['noteFailure', 'abandon', 'wait pace'],
  ],
  [
    'throws a list away that names no version to watch from',
    listing,
    { kind: 'page', page: { items: [], resourceVersion: '', continueToken: '' } },
    ['abandon', 'wait backoff'],
  ],
  [
    'takes an optional kind that is not found for absent',
    { ...listing, presence: 'optional' },
    { kind: 'pageFailed', failure: apiFailure('NotFound'), isFirst: true },
    ['noteFailure', 'abandon', 'markAbsent', 'wait absence'],
  ],
  [
    'gives up a stream whose bookmark names no version',
    watching,
    { kind: 'bookmark', resourceVersion: '', endsInitialEvents: false },
    ['closeWatch', 'noteFailure', 'wait backoff'],
  ],
];

describe('a step of the reflector', () => {
  it.each(cases)('%s', (_sentence, state, input, kinds) => {
    expect(kindsOf(state, input)).toEqual(kinds);
  });

  it('does nothing once it is stopped', () => {
    expect(kindsOf({ ...watching, phase: 'stopped' }, { kind: 'elapsed' })).toEqual([]);
  });

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
