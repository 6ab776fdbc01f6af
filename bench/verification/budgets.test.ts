import { describe, expect, it } from 'vitest';
import { shortfallsOf } from '../budget.ts';
import { budgetsOf } from './budgets.ts';
import type { Figures } from './measure.ts';
import { planOf } from './plan.ts';

const MiB = 1024 * 1024;
const held = { rssBytes: 90 * MiB, series: ['a{}', 'b{}'], objects: 20 };

/** One for each node that came and went. */
const manySeries = Array.from({ length: 200 }, (_, index) => `a{node="${index}"}`);

const figures = (change: Partial<Figures> = {}): Figures => ({
  joinMs: Array.from({ length: 200 }, () => 60_000),
  joinWallMs: 70_000,
  joinStolen: 0,
  joinShares: new Map(),
  ownWrites: new Map(),
  ownOtherRequests: new Map(),
  allWrites: new Map(),
  workersMax: 100,
  attemptsNotPassed: 0,
  reconcileSecondsP99: 0.5,
  rejoined: 1_000,
  rejoinWallMs: 60_000,
  before: held,
  after: held,
  cpuMs: 10_000,
  rssPeakBytes: 140 * MiB,
  memory: { bytes: 100 * MiB, by: 'RSS' },
  ...change,
});

describe('the budgets of verification', () => {
  it('are met by a run that stays within each of them', () => {
    expect(shortfallsOf(budgetsOf(planOf({}), figures()))).toEqual([]);
  });

  it.each<[string, Partial<Figures>, string]>([
    ['nodes that wait', { joinMs: Array.from({ length: 200 }, () => 121_000) }, 'until it is verified'],
    ['a node that was left out', { joinMs: Array.from({ length: 199 }, () => 1) }, 'not verified: 1 nodes'],
    ['an attempt that failed', { attemptsNotPassed: 1 }, 'attempts that did not pass'],
    ['one worker too many', { workersMax: 101 }, 'workers at once'],
    ['a slow look', { reconcileSecondsP99: 5 }, 'one look at a node'],
    ['much memory', { memory: { bytes: 129 * MiB, by: 'RSS' } }, 'memory of the operator'],
    ['memory that grows', { after: { ...held, rssBytes: 100 * MiB } }, 'memory after 1000 nodes'],
    ['series that stay', { after: { ...held, series: manySeries } }, 'metric series'],
    ['objects that stay', { after: { ...held, objects: 21 } }, 'cached objects'],
  ])('are missed by %s, and by nothing else', (_sentence, change, words) => {
    const shortfalls = shortfallsOf(budgetsOf(planOf({}), figures(change)));
    expect(shortfalls).toEqual([expect.stringContaining(words)]);
  });
});
