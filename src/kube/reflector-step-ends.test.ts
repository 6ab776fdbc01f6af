import { describe } from 'vitest';
import {
  abandon,
  backoff,
  cleanEnd,
  close,
  closedNote,
  ended,
  garbledNote,
  listing,
  note,
  noteOf,
  optional,
  overdueNote,
  pace,
  paceOfResuming,
  pageFailed,
  silentNote,
  stage,
  type StepCase,
  stepsAre,
  syncing,
  watching,
} from '../../test/support/reflector-steps.ts';
import { initialState, type ReflectorState } from './reflector-state.ts';

describe('the end of a watch in step', () => {
  stepsAre([
    [
      'in good order is no failure',
      watching,
      cleanEnd,
      { phase: 'waiting' },
      [close, closedNote, paceOfResuming],
    ],
    [
      'by expiry gives the resume point up',
      watching,
      ended('Expired'),
      { phase: 'waiting', resumeFrom: null, failures: 1 },
      [close, note('Expired'), pace],
    ],
    [
      'by expiry again waits ever longer',
      { ...watching, failures: 1 },
      ended('Expired'),
      { phase: 'waiting', resumeFrom: null, failures: 2 },
      [close, note('Expired'), backoff(2)],
    ],
    [
      'by failure keeps the resume point and waits as long as the server says',
      watching,
      ended('ServerError', { retryAfterMs: 12_000 }),
      { phase: 'waiting', failures: 1 },
      [close, note('ServerError'), backoff(1, 12_000)],
    ],
    [
      'by silence is no failure',
      watching,
      { kind: 'silent' },
      { phase: 'waiting' },
      [close, silentNote, pace],
    ],
    [
      'by a garbled line is a failure',
      watching,
      { kind: 'garbled' },
      { phase: 'waiting', failures: 1 },
      [close, garbledNote, backoff(1)],
    ],
  ]);
});

describe('the early end of a stream', () => {
  const early = { phase: 'waiting', earlyEnds: 1 } as const;
  const second: ReflectorState = { ...syncing, earlyEnds: 1 };

  stepsAre([
    ['in good order is counted', syncing, cleanEnd, early, [close, closedNote, abandon, pace]],
    ['by silence is counted', syncing, { kind: 'silent' }, early, [close, silentNote, abandon, pace]],
    [
      'by a garbled line is counted',
      syncing,
      { kind: 'garbled' },
      early,
      [close, garbledNote, abandon, pace],
    ],
    [
      'for the second time turns to pages',
      second,
      cleanEnd,
      { phase: 'waiting', earlyEnds: 2, syncBy: 'pages' },
      [close, closedNote, abandon, pace],
    ],
    [
      'because it is overdue turns to pages at once',
      syncing,
      { kind: 'overdue' },
      { phase: 'waiting', earlyEnds: 3, syncBy: 'pages' },
      [close, overdueNote, abandon, pace],
    ],
    [
      'by a refusal lists without a wait, and is not counted',
      syncing,
      ended('Invalid'),
      { phase: 'listing', syncBy: 'pages' },
      [close, note('Invalid'), abandon, stage, { kind: 'fetchPage', continueToken: '' }],
    ],
    ...(
      [
        ['an overload', 'TooManyRequests', {}],
        ['credentials that have expired', 'Unauthorized', {}],
        ['a lost connection', 'Unreachable', {}],
        ['a server that names a time', 'ServerError', { retryAfterMs: 4_000 }],
      ] as const
    ).map(
      ([what, reason, changes]): StepCase => [
        `by ${what} is no refusal: it is counted and waited for`,
        syncing,
        ended(reason, changes),
        { ...early, failures: 1 },
        [close, note(reason), abandon, backoff(1, 'retryAfterMs' in changes ? changes.retryAfterMs : 0)],
      ],
    ),
  ]);
});

describe('a kind that is not found', () => {
  const absent = { ...initialState('optional'), phase: 'absent' } as const;
  const gone = [{ kind: 'markAbsent' }, { kind: 'wait', delay: { kind: 'absence' } }] as const;

  stepsAre([
    [
      'and is required is asked for again, ever later',
      { ...listing, absences: 9 },
      pageFailed(true, 'NotFound'),
      { phase: 'waiting', failures: 1, absences: 10 },
      [noteOf('list', 'NotFound'), abandon, backoff(1)],
    ],
    [
      'and is optional is absent at once when it was never there',
      { ...listing, presence: 'optional', earlyEnds: 2, failures: 3 },
      pageFailed(true, 'NotFound'),
      absent,
      [noteOf('list', 'NotFound'), abandon, ...gone],
    ],
    [
      'though it was there is doubted four times',
      { ...optional, absences: 3 },
      ended('NotFound'),
      { phase: 'waiting', resumeFrom: null, absences: 4, failures: 1 },
      [close, note('NotFound'), backoff(1)],
    ],
    [
      'though it was there is believed the fifth time',
      { ...optional, absences: 4 },
      ended('NotFound'),
      absent,
      [close, note('NotFound'), ...gone],
    ],
  ]);
});
