import { describe, expect, it } from 'vitest';
import type { FaultRule } from './rule.ts';
import { shrink } from './shrink.ts';

const rule = (name: string, times = 1): FaultRule => ({
  match: { verb: 'patch', phase: 'beforeForward', name, times },
  action: { kind: 'touch' },
});

describe('a failing run', () => {
  it('loses every rule, leader and repetition that it does not need, and its schedule', async () => {
    const failing = {
      seed: 77,
      plan: { leaders: 3, rules: ['a', 'b', 'c', 'd', 'e'].map((name) => rule(name, 8)) },
    };
    const shortest = await shrink(failing, async ({ plan }) =>
      plan.rules.some(({ match }) => match.name === 'd'),
    );
    expect(shortest).toEqual({ seed: 0, plan: { rules: [rule('d', 1)] } });
  });

  it('stays as it is when nothing simpler fails', async () => {
    const failing = { seed: 5, plan: { rules: [rule('a')] } };
    expect(await shrink(failing, async () => false)).toBe(failing);
  });

  it('keeps the seed that it needs', async () => {
    const failing = { seed: 12, plan: { rules: [rule('a')] } };
    const shortest = await shrink(failing, async ({ seed }) => seed >= 10);
    expect(shortest).toEqual({ seed: 10, plan: { rules: [] } });
  });

  it('never begins with a rule that follows another', async () => {
    const follower: FaultRule = { ...rule('b'), match: { ...rule('b').match, life: 'next' } };
    const failing = { seed: 0, plan: { rules: [rule('a'), follower] } };
    const tried: FaultRule[] = [];
    await shrink(failing, async ({ plan }) => {
      tried.push(...plan.rules.slice(0, 1));
      return false;
    });
    expect(tried).toEqual([rule('a')]);
  });
});
