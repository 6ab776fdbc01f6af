import { describe, expect, it } from 'vitest';
import { manualClock } from '../../test/support/manual-clock.ts';
import { absent, present, taintWish } from '../../test/support/wish-builder.ts';
import type { MergedKeyWish } from '../objects/wish.ts';
import { createContests } from './contests.ts';
import type { KeyChange } from './node-patch.ts';

const change = (to: string | undefined): KeyChange => ({
  kind: 'taints',
  key: 'example.com/gate:NoSchedule',
  capability: 'readiness',
  owner: 'rule',
  from: to === undefined ? '' : undefined,
  to,
});
const gate = change('');
const release = change(undefined);

describe('a contest', () => {
  it('makes the fourth of equal changes wait until the first is a minute old', async () => {
    const clock = manualClock();
    const contests = createContests(clock);
    for (let times = 0; times < 3; times += 1) {
      expect(contests.waitMs('a', gate)).toBe(0);
      contests.made('a', [gate]);
      await clock.advance(1_000);
    }
    expect(contests.waitMs('a', gate)).toBe(57_000);
    await clock.advance(57_000);
    expect(contests.waitMs('a', gate)).toBe(0);
  });

  it('does not take the release of a taint without a value for its setting', () => {
    const contests = createContests(manualClock());
    for (const each of [gate, release, gate]) contests.made('a', [each]);
    expect(contests.waitMs('a', release)).toBe(0);
  });

  it('is about one node, and over when the node is forgotten', () => {
    const contests = createContests(manualClock());
    for (let times = 0; times < 3; times += 1) contests.made('a', [gate]);
    expect(contests.waitMs('b', gate)).toBe(0);
    contests.forget('a');
    expect(contests.waitMs('a', gate)).toBe(0);
  });

  describe('that we stand back from', () => {
    const wished = [taintWish(gate.key, present(''))];
    async function stoodBack() {
      const clock = manualClock();
      const contests = createContests(clock);
      for (let times = 0; times < 3; times += 1) contests.made('a', [gate]);
      return { clock, contests, isNews: contests.standBack('a', [gate], wished) };
    }

    it('is news once, and a verdict of whose change it is', async () => {
      const { contests, isNews } = await stoodBack();
      expect([isNews, contests.standBack('a', [gate], wished)]).toEqual([true, false]);
      expect(contests.verdictsOf('a')).toEqual([
        {
          capability: 'readiness',
          parent: 'rule',
          outcome: 'unknown',
          reason: 'Contested',
          message: 'somebody keeps undoing our change of example.com/gate:NoSchedule',
        },
      ]);
      expect(contests.verdictsOf('b')).toEqual([]);
    });

    it('goes on while the change is made again and again, and is over a minute after the last time', async () => {
      const { clock, contests } = await stoodBack();
      await clock.advance(59_000);
      contests.made('a', [gate]);
      await clock.advance(59_000);
      expect([contests.standBack('a', [], wished), contests.overInMs('a')]).toEqual([false, 1_000]);
      await clock.advance(1_000);
      expect([contests.verdictsOf('a'), contests.overInMs('a')]).toEqual([[], null]);
      expect(contests.standBack('a', [], wished)).toBe(true);
    });

    it('is none where we changed our own mind as often, and the gate is told as held', () => {
      const contests = createContests(manualClock());
      for (let times = 0; times < 3; times += 1)
        for (const each of [gate, release]) contests.made('a', [each]);
      expect([contests.waitMs('a', gate) > 0, contests.isUndone('a', gate)]).toEqual([true, false]);
      expect([contests.standBack('a', [gate], wished), contests.standBack('a', [gate], wished)]).toEqual([
        true,
        false,
      ]);
      expect(contests.verdictsOf('a')).toMatchObject([{ reason: 'Stabilizing', isKeptOff: true }]);
      expect([contests.standBack('a', [], wished), contests.verdictsOf('a')]).toEqual([true, []]);
    });

    it('is none where somebody undid only the last of our own changes', () => {
      const contests = createContests(manualClock());
      for (const each of [gate, release, gate, release, gate, release]) contests.made('a', [each]);
      expect([contests.waitMs('a', release) > 0, contests.isUndone('a', release)]).toEqual([true, false]);
      for (let times = 0; times < 2; times += 1) contests.made('a', [release]);
      expect(contests.isUndone('a', release)).toBe(true);
    });

    it.each<[string, readonly MergedKeyWish[]]>([
      ['the taint is to go', [taintWish(gate.key, absent())]],
      ['the taint is to have another value', [taintWish(gate.key, present('x'))]],
      ['nobody speaks of it', []],
    ])('is over at once when %s', async (_, wishes) => {
      const { contests } = await stoodBack();
      expect(contests.standBack('a', [], wishes)).toBe(true);
      expect(contests.verdictsOf('a')).toEqual([]);
    });
  });
});
