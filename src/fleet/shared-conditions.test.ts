import { describe, expect, it } from 'vitest';
import type { Condition } from '../objects/condition.ts';
import { createSharedConditions } from './shared-conditions.ts';

const condition = (change: Partial<Condition> = {}): Condition => ({
  type: 'Available',
  status: 'True',
  reason: 'KubeletReady',
  message: '',
  lastTransitionTime: '2026-11-01T00:00:00Z',
  ...change,
});

describe('shared conditions', () => {
  it('are one list where they say the same', () => {
    const share = createSharedConditions();
    expect(share([condition(), condition({ type: 'Degraded' })])).toBe(
      share([condition(), condition({ type: 'Degraded' })]),
    );
  });

  it.each(Object.entries({ type: 'x', status: 'False', reason: 'x', message: 'x', lastTransitionTime: 'x' }))(
    'differ where %s does',
    (field, value) => {
      const share = createSharedConditions();
      share([condition()]);
      const other = condition({ [field]: value });
      expect(share([other])).toEqual([other]);
    },
  );

  it('differ where one has more of them', () => {
    const share = createSharedConditions();
    share([condition()]);
    expect(share([condition(), condition()])).toHaveLength(2);
  });
});
