import { describe, expect, it } from 'vitest';
import { asConditionStatus, type Condition, findCondition, isTrue, withCondition } from './condition.ts';

const before = '2026-01-01T00:00:00Z';
const later = Date.UTC(2026, 0, 2);
const ready: Condition = {
  type: 'Ready',
  status: 'True',
  reason: 'KubeletReady',
  message: '',
  lastTransitionTime: before,
};
const pressure: Condition = { ...ready, type: 'DiskPressure', status: 'False', reason: 'Enough' };

describe('a condition', () => {
  it('is found by its type', () => {
    expect(findCondition([pressure, ready], 'Ready')).toBe(ready);
    expect(findCondition([pressure], 'Ready')).toBeUndefined();
  });

  it.each([
    ['holds when its status is True', [ready], true],
    ['does not hold when its status is False', [{ ...ready, status: 'False' as const }], false],
    ['does not hold when its status is Unknown', [{ ...ready, status: 'Unknown' as const }], false],
    ['does not hold when nobody reported it', [], false],
  ])('%s', (_, conditions, holds) => {
    expect(isTrue(conditions, 'Ready')).toBe(holds);
  });

  it.each([
    ['True', 'True'],
    ['False', 'False'],
    ['Unknown', 'Unknown'],
    ['true', 'Unknown'],
    [true, 'Unknown'],
    [undefined, 'Unknown'],
  ])('with the status %j is %s', (raw, status) => {
    expect(asConditionStatus(raw)).toBe(status);
  });
});

describe('a list with a condition', () => {
  const { lastTransitionTime: _, ...next } = ready;

  it('gains one that is new, at the time it was first seen', () => {
    expect(withCondition([pressure], next, later)).toEqual([
      pressure,
      { ...ready, lastTransitionTime: '2026-01-02T00:00:00Z' },
    ]);
  });

  it('keeps the time of a condition whose status stays, and takes its new words', () => {
    expect(withCondition([ready, pressure], { ...next, reason: 'Posting', message: 'fine' }, later)).toEqual([
      { ...ready, reason: 'Posting', message: 'fine' },
      pressure,
    ]);
  });

  it('moves the time of a condition whose status changes, and leaves it in its place', () => {
    expect(withCondition([ready, pressure], { ...next, status: 'Unknown' }, later)).toEqual([
      { ...ready, status: 'Unknown', lastTransitionTime: '2026-01-02T00:00:00Z' },
      pressure,
    ]);
  });
});
