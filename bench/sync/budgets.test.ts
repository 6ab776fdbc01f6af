import { describe, expect, it } from 'vitest';
import { budgetsOf, isOver, MiB, rssMiBMax, shortfallsOf } from './budgets.ts';
import { planOf } from './plan.ts';
import type { ClientFigures, Round } from './rounds.ts';

const figures = (wallMs: number, longestBlockMs = 20, relistedPeakRssBytes = 100 * MiB): ClientFigures => ({
  sync: { known: 10_000, wallMs, cpuMs: wallMs, waitedMs: 0, longestBlockMs, peakRssBytes: 90 * MiB },
  relistedPeakRssBytes,
  churn: {
    cpuShare: 0.1,
    waitedMs: 0,
    latencyMsP50: 1,
    latencyMsP99: 5,
    longestBlockMs: 10,
    rssBytes: 100 * MiB,
    missing: 0,
  },
  heapBytes: 30 * MiB,
});

const round = (muster: ClientFigures, parsing: ClientFigures): Round => ({
  muster,
  transport: figures(300),
  parsing,
  'client-node': figures(9_000),
});

const fast = round(figures(1_000), figures(900));

describe('the budgets of a sync', () => {
  it('are met by a run that is inside all of them', () => {
    expect(shortfallsOf(budgetsOf(planOf({}), [fast]))).toEqual([]);
  });

  it('compare each sync with the parsing of the same round, and take the median', () => {
    // A machine that slows down for one round slows both down.
    const rounds = [fast, round(figures(3_000), figures(2_500)), round(figures(900), figures(600))];
    expect(budgetsOf(planOf({}), rounds)[0]?.measured).toBeCloseTo(1.2);
  });

  it.each([
    [
      'a slow sync',
      figures(1_300),
      /times transport and JSON\.parse is 1\.44 x, at most 1\.25 x are allowed\.$/,
    ],
    ['a long block', figures(1_000, 51), /longest block .* is 51 ms, at most 50 ms are allowed\.$/],
    [
      'too much memory',
      figures(1_000, 20, 161 * MiB),
      /peak RSS.* is 161 MiB, at most 160 MiB are allowed\.$/,
    ],
    [
      'a lost event',
      { ...figures(1_000), churn: { ...figures(1_000).churn, missing: 1 } },
      /did not arrive is 1 events, at most 0 events are allowed\.$/,
    ],
  ])('are exceeded by %s, in one sentence', (_, muster, sentence) => {
    const shortfalls = shortfallsOf(budgetsOf(planOf({}), [round(muster, figures(900))]));
    expect(shortfalls).toEqual([expect.stringMatching(sentence)]);
  });

  it('are met by what is exactly on the line', () => {
    expect(isOver({ what: 'a', measured: 2, max: 2, unit: 'x', digits: 2 })).toBe(false);
  });

  it.each([
    [5, 128],
    [5_000, 128],
    [5_001, 160],
    [10_000, 160],
    [20_000, 224],
  ])('allow %d nodes %d MiB', (nodes, mebibytes) => {
    expect(rssMiBMax(nodes)).toBe(mebibytes);
  });
});
