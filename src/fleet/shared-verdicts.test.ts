import { describe, expect, it } from 'vitest';
import type { Verdict } from './node-state.ts';
import { createSharedVerdicts } from './shared-verdicts.ts';

const verdict = (change: Partial<Verdict> = {}): Verdict => ({
  capability: 'readiness',
  parent: 'readiness/NodeReadinessGateRule/cni',
  outcome: 'satisfied',
  reason: 'ConditionsMet',
  message: '',
  ...change,
});

describe('shared verdicts', () => {
  it('are one object where they say the same', () => {
    const share = createSharedVerdicts();
    const [first] = share([verdict()]);
    const [second, third] = share([verdict(), verdict({ detail: '1:Ts:rA=-0' })]);
    expect(second).toBe(first);
    expect(third).not.toBe(first);
  });

  it('stand in one list where the lists say the same, in the same order', () => {
    const share = createSharedVerdicts();
    const other = verdict({ reason: 'x' });
    const list = share([verdict(), other]);
    expect(share([verdict(), { ...other }])).toBe(list);
    for (const different of [[verdict()], [other, verdict()], [verdict(), other, other], []])
      expect(share(different)).toEqual(different);
  });

  it.each(
    Object.entries({
      parent: 'x',
      outcome: 'unknown',
      reason: 'x',
      message: 'x',
      detail: '',
      holdsIn: 'Verifying',
      isKeptOff: true,
    }),
  )('differ where %s does', (field, value) => {
    const share = createSharedVerdicts();
    const other = verdict({ [field]: value });
    expect(share([verdict(), other])).toEqual([verdict(), other]);
  });

  it('are remembered while they are said again, and forgotten otherwise', () => {
    const share = createSharedVerdicts();
    const [often, once] = share([verdict(), verdict({ message: 'once' })]);
    for (let turn = 0; turn < 5_000; turn++) share([verdict(), verdict({ message: String(turn) })]);
    expect(share([verdict()])[0]).toBe(often);
    expect(share([verdict({ message: 'once' })])[0]).not.toBe(once);
  });
});
