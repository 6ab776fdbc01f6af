// The families of faults, in the order in which they are run and reported: each says what goes wrong at which places.

import { isOfLease, type Places, type Spot } from './places.ts';
import {
  type FaultAction,
  type FaultMatch,
  type FaultPlan,
  type FaultRule,
  type Phase,
  phases,
} from './rule.ts';

export type Family = { readonly name: string; readonly plans: (places: Places) => readonly FaultPlan[] };

const RESTART_MS = 1_000;
/** Longer than a lease lasts and a second replica needs to take it. */
const PAUSE_MS = 25_000;
const HIDE_MS = 20_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const crash: FaultAction = { kind: 'crash', restartAfterMs: RESTART_MS };

export const families: readonly Family[] = [
  { name: 'crash', plans: ({ writes }) => phases.flatMap((phase) => each(writes, phase, [crash])) },
  { name: 'crash twice', plans: ({ writes }) => writes.flatMap(crashesTwice) },
  {
    name: 'reset',
    plans: ({ writes }) =>
      (['beforeForward', 'afterForward'] as const).flatMap((phase) =>
        each(writes, phase, [{ kind: 'reset' }]),
      ),
  },
  {
    name: 'conflict',
    plans: ({ writes }) => each(writes, 'beforeForward', [{ kind: 'touch' }, { kind: 'status', code: 409 }]),
  },
  {
    name: 'refusal',
    plans: ({ writes }) =>
      each(writes, 'beforeForward', [
        { kind: 'status', code: 429, retryAfterSeconds: 2 },
        { kind: 'status', code: 500 },
        { kind: 'status', code: 503 },
        { kind: 'status', code: 504 },
        { kind: 'status', code: 403 },
        { kind: 'status', code: 401 },
      ]),
  },
  { name: 'refused for long', plans: ({ writes }) => writes.flatMap(longRefusals) },
  {
    name: 'slow',
    plans: ({ writes }) => [
      ...each(writes, 'beforeForward', [{ kind: 'delay', ms: 40_000 }]),
      ...each(writes, 'afterForward', [{ kind: 'delay', ms: 40_000 }]),
    ],
  },
  {
    name: 'pause',
    plans: ({ writes }) => phases.flatMap((phase) => each(writes, phase, [{ kind: 'pause', ms: PAUSE_MS }])),
  },
  {
    name: 'clock',
    plans: ({ writes }) =>
      each(writes, 'beforeForward', [
        { kind: 'clock', byMs: HOUR_MS },
        { kind: 'clock', byMs: -HOUR_MS },
      ]),
  },
  { name: 'wrong clock', plans: ({ watched }) => wrongClocks(watched) },
  {
    name: 'hidden event',
    plans: ({ events }) => each(events, 'beforeForward', [{ kind: 'hide', msMax: HIDE_MS }]),
  },
  { name: 'doubled event', plans: ({ events }) => each(events, 'beforeForward', [{ kind: 'duplicate' }]) },
  {
    name: 'cut watch',
    plans: ({ events }) =>
      each(events, 'afterReply', [
        { kind: 'cut', ending: 'reset' },
        { kind: 'cut', ending: 'closed' },
      ]),
  },
  {
    name: 'expired watch',
    plans: ({ events }) =>
      each(events, 'afterReply', [
        { kind: 'cut', ending: 'expiredStatus' },
        { kind: 'cut', ending: 'expiredEvent' },
      ]),
  },
  { name: 'refused watch', plans: ({ watched }) => watched.flatMap(refusedWatches) },
  { name: 'silent watch', plans: ({ events }) => each(events, 'afterReply', [{ kind: 'silence' }]) },
  { name: 'crash at event', plans: ({ events }) => each(events, 'afterReply', [crash]) },
  { name: 'stale start', plans: ({ writes }) => writes.flatMap(staleStarts) },
  { name: 'lag', plans: ({ watched }) => watched.flatMap(lags) },
  { name: 'storm', plans: ({ writes }) => writes.flatMap(storms) },
  {
    name: 'list instead of stream',
    plans: ({ watched, writes }) => watched.flatMap((resource) => unstreamed(resource, writes)),
  },
  { name: 'unserved', plans: ({ watched, events }) => unserving(watched, events) },
  { name: 'many leaders', plans: ({ writes }) => manyLeaders(writes) },
];

function each(spots: readonly Spot[], phase: Phase, actions: readonly FaultAction[]): readonly FaultPlan[] {
  return spots.flatMap((spot) => actions.map((action) => ({ rules: [rule(spot, phase, action)] })));
}

function rule(spot: FaultMatch | Spot, phase: Phase, action: FaultAction): FaultRule {
  return { match: { ...spot, phase }, action };
}

/** Again at the first thing that the next life hears, and again at the first write of whoever goes on with the work. */
function crashesTwice(spot: Spot): readonly FaultPlan[] {
  const first = rule(spot, 'afterForward', crash);
  const second = (match: FaultMatch): FaultPlan => ({ rules: [first, { match, action: crash }] });
  return [
    second({ verb: 'event', phase: 'beforeForward', life: 'next' }),
    second({ verb: 'write', phase: 'beforeForward', life: 'other' }),
    second({ verb: 'write', phase: 'afterForward', life: 'other' }),
  ];
}

/** A new life that starts on an API server which is behind. */
function staleStarts(spot: Spot): readonly FaultPlan[] {
  return [1, 3, 10].map((revisionsBack) => ({
    rules: [
      rule(spot, 'afterForward', crash),
      {
        match: { verb: 'watch', phase: 'beforeForward', life: 'next', times: 10 },
        action: { kind: 'serveAt', revisionsBack },
      },
    ],
  }));
}

function lags(resource: string): readonly FaultPlan[] {
  return [1, 2, 3, 5, 8, 20].flatMap((revisions) =>
    [2_000, 15_000].map((msMax) => ({
      rules: [
        {
          match: { verb: 'watch', phase: 'beforeForward', resource, times: 1_000 },
          action: { kind: 'lag', revisions, msMax },
        },
      ],
    })),
  );
}

/**
 * A clock that is wrong from the start of every life, or of the lives of one replica, by its first watch: as far from those of nodes and
 * API server as the worst that was seen, and at twice or half their speed.
 */
function wrongClocks([resource = '']: readonly string[]): readonly FaultPlan[] {
  const actions: readonly FaultAction[] = [
    { kind: 'skew', byMs: 10 * MINUTE_MS },
    { kind: 'skew', byMs: -10 * MINUTE_MS },
    { kind: 'rate', percent: 200 },
    { kind: 'rate', percent: 50 },
  ];
  const match: FaultMatch = { verb: 'watch', phase: 'beforeForward', resource, times: 1_000 };
  return actions.flatMap((action) => [
    { rules: [{ match, action }] },
    { rules: [{ match: { ...match, instance: 'a#1' }, action }] },
  ]);
}

/** The rights to see a kind are gone for a while, or the server is too busy to show it. */
function refusedWatches(resource: string): readonly FaultPlan[] {
  return ([401, 403, 429, 500, 503] as const).map((code) => ({
    rules: (['watch', 'list'] as const).map((verb) => ({
      match: { verb, phase: 'beforeForward', resource, times: 2 },
      action: { kind: 'status', code },
    })),
  }));
}

/** Everything but the Lease is refused for a while from here on, reads included. */
function storms(spot: Spot): readonly FaultPlan[] {
  const during = (action: FaultAction): FaultPlan => ({
    rules: [
      rule(spot, 'beforeForward', action),
      { match: { verb: 'write', phase: 'beforeForward', nth: spot.nth ?? 1, times: 12 }, action },
      { match: { verb: 'get', phase: 'beforeForward', times: 4 }, action },
    ],
  });
  return [
    during({ kind: 'status', code: 429, retryAfterSeconds: 1 }),
    during({ kind: 'status', code: 503 }),
    during({ kind: 'reset' }),
  ];
}

/** Long enough for a client without backoff to be noticed. */
const REFUSALS = 60;

function longRefusals({ nth = 1, ...object }: Spot): readonly FaultPlan[] {
  const match: FaultMatch = { ...object, phase: 'beforeForward', times: REFUSALS };
  // Once for each object and verb: the same tries meet the same refusals, whichever of them is the first.
  if (nth > 1) return [];
  return [
    { rules: [{ match, action: { kind: 'status', code: 409 } }] },
    { rules: [{ match, action: { kind: 'status', code: 500 } }] },
  ];
}

/** A server that does not stream the start: pages are listed, and the list fails too. */
function unstreamed(resource: string, writes: readonly Spot[]): readonly FaultPlan[] {
  const refused: FaultRule = {
    match: { verb: 'watch', phase: 'beforeForward', resource, times: 1 },
    action: { kind: 'status', code: 422 },
  };
  // Twice: a replica that begins to lead lists too.
  const list = { verb: 'list', phase: 'beforeForward', resource, times: 2 } as const;
  const failing: readonly FaultAction[] = [
    { kind: 'status', code: 410 },
    { kind: 'status', code: 500 },
    { kind: 'reset' },
    { kind: 'serveAt', revisionsBack: 3 },
  ];
  const refusedAgain: FaultRule = { ...refused, match: { ...refused.match, life: 'next' } };
  return [
    { rules: [refused] },
    ...failing.map((action) => ({ rules: [refused, { match: list, action }] })),
    ...writes.map((spot) => ({ rules: [rule(spot, 'afterForward', crash), refusedAgain] })),
  ];
}

function unserving(watched: readonly string[], events: readonly Spot[]): readonly FaultPlan[] {
  const action: FaultAction = { kind: 'unserved', ms: 40_000 };
  const starts = watched.map(
    (resource): FaultPlan => ({ rules: [rule({ verb: 'watch', resource }, 'beforeForward', action)] }),
  );
  // Nodes are always served: they are no custom resource.
  const custom = events.filter(({ resource = '' }) => resource.includes('.'));
  return [
    ...starts.filter(({ rules: [first] }) => first?.match.resource?.includes('.')),
    ...each(custom, 'afterReply', [action]),
  ];
}

/** Who leads without an election never writes the Lease: there is nothing to strike. */
function manyLeaders(writes: readonly Spot[]): readonly FaultPlan[] {
  const spots = withoutUids(writes.filter((spot) => !isOfLease(spot)));
  return [2, 3].flatMap((leaders) => [
    { leaders, rules: [] },
    ...spots.flatMap((spot) => [
      { leaders, rules: [rule(spot, 'afterForward', crash)] },
      { leaders, rules: [rule(spot, 'beforeForward', { kind: 'pause', ms: PAUSE_MS })] },
      { leaders, rules: [rule(spot, 'beforeForward', { kind: 'delay', ms: 5_000 })] },
    ]),
  ]);
}

/** Workers and Events are named by UIDs, which are others where others lead: the n-th of their kind stands for each. */
function withoutUids(writes: readonly Spot[]): readonly Spot[] {
  const counted = new Map<string, number>();
  return writes.map((spot) => {
    const { verb, resource = '' } = spot;
    if (!/^(?:pods$|events\.)/.test(resource)) return spot;
    const key = `${verb} ${resource}`;
    const nth = (counted.get(key) ?? 0) + 1;
    counted.set(key, nth);
    return { verb, resource, nth };
  });
}
