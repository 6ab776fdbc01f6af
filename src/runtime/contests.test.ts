import { describe, expect, it } from 'vitest';
import { manualClock } from '../../test/support/manual-clock.ts';
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
});
