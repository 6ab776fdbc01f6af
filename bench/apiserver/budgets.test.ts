import { describe, expect, it } from 'vitest';
import { shortfallsOf } from '../budget.ts';
import { budgetsOf } from './budgets.ts';
import type { LoadFigures, ServerFigures, WorldReport } from './messages.ts';
import { planOf } from './plan.ts';
import type { Round } from './rounds.ts';

const server = (longestTurnMs: number): ServerFigures => ({
  wallMs: 20_000,
  cpuMs: 10_000,
  waitedMs: 0,
  longestBlockMs: 400,
  longestTurnMs,
  longestCollectionMs: 5,
  collectionMs: 100,
  rssBytes: 1,
});

const load = (change: Partial<LoadFigures>): LoadFigures => ({
  writes: 25_000,
  wallMs: 10_000,
  cpuMs: 5_000,
  latencyMsP50: 1,
  latencyMsP99: 2,
  refused: 0,
  missing: 0,
  ...change,
});

type Change = {
  readonly load?: Partial<LoadFigures>;
  readonly writeBlockMs?: number;
  readonly readBlockMs?: number;
};

const round = ({ load: figures = {}, writeBlockMs = 20, readBlockMs = 20 }: Change = {}): Round => ({
  filledRssBytes: 1,
  reads: [{ what: 'list', server: server(readBlockMs) }],
  kinds: [],
  mix: { what: 'all', server: server(writeBlockMs), load: load(figures) },
});

const worlds = (micros: number): WorldReport => ({
  kind: 'worlds',
  worlds: [
    { what: 'empty', micros: [1] },
    { what: 'installed', micros: [micros] },
  ],
  writes: [],
});

const shortfalls = (rounds: readonly Round[], micros = 2_000) =>
  shortfallsOf(budgetsOf(planOf({}), { rounds, worlds: worlds(micros) }));

describe('the budgets of the embedded server', () => {
  it('are met by a run that is inside all of them', () => {
    expect(shortfalls([round()])).toEqual([]);
  });

  it('do not count the time that others had the core', () => {
    // By the clock the blocks of these rounds are long and their writes take twice as long.
    expect(shortfalls([round({ load: { wallMs: 20_000 } })])).toEqual([]);
  });

  it('are judged by the median, so that one disturbed run does not decide', () => {
    expect(shortfalls([round(), round({ writeBlockMs: 400 }), round()])).toEqual([]);
  });

  it.each([
    ['too few writes', { load: { writes: 19_990 } }, /held: 1999 writes, but at least 2000/],
    ['a long block during writes', { writeBlockMs: 51 }, /the writes: 51 ms, but at most 50 ms/],
    ['a long block during reads', { readBlockMs: 51 }, /are read: 51 ms, but at most 50 ms/],
    ['a refused write', { load: { refused: 1 } }, /refused: 1 writes, but at most 0/],
    ['a lost event', { load: { missing: 1 } }, /arrive: 1 events, but at most 0/],
  ])('are missed by %s, in one sentence', (_, change, sentence) => {
    expect(shortfalls([round(change)])).toEqual([expect.stringMatching(sentence)]);
  });

  it('are missed by a server that takes long to make', () => {
    expect(shortfalls([round()], 3_100)).toEqual([expect.stringMatching(/3\.10 ms, but at most 3 ms/)]);
  });
});
