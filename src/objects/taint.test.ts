import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as taints from './taint.ts';

const { findTaint, taintId, withoutTaint, withTaint } = taints;

const keys = fc.constantFrom('a', 'b', 'example.com/gate', 'constructor');
const effects = fc.constantFrom(...taints.taintEffects, 'NoAdmitFromNextYear');
const anyTaint: fc.Arbitrary<taints.Taint> = fc
  .record({
    key: keys,
    effect: effects,
    value: fc.constantFrom('', 'x', 'y'),
    timeAdded: fc.constantFrom(undefined, '2026-01-01T00:00:00Z'),
  })
  .map(({ timeAdded, ...taint }) => ({ ...taint, ...(timeAdded === undefined ? {} : { timeAdded }) }));
const anyTaints = fc.uniqueArray(anyTaint, { selector: taintId });

const othersThan = (list: readonly taints.Taint[], id: taints.TaintId) =>
  list.filter((taint) => taintId(taint) !== id);

describe('a list of taints', () => {
  it('keeps every other taint and their order when one is added', () => {
    fc.assert(
      fc.property(anyTaints, anyTaint, (list, taint) => {
        const id = taintId(taint);
        expect(othersThan(withTaint(list, taint), id)).toEqual(othersThan(list, id));
      }),
    );
  });

  it('keeps every other taint and their order when one is removed', () => {
    fc.assert(
      fc.property(anyTaints, anyTaint, (list, taint) => {
        const id = taintId(taint);
        expect(withoutTaint(list, id)).toEqual(othersThan(list, id));
      }),
    );
  });

  it('has each taint once, with the value that was given last', () => {
    fc.assert(
      fc.property(anyTaints, anyTaint, (list, taint) => {
        const next = withTaint(list, taint);
        expect(next.filter((other) => taintId(other) === taintId(taint))).toHaveLength(1);
        expect(findTaint(next, taintId(taint))?.value).toBe(taint.value);
      }),
    );
  });

  it('says since when as before when its value is put right', () => {
    const before = { key: 'a', effect: 'NoExecute', value: 'x', timeAdded: '2026-01-01T00:00:00Z' };
    expect(withTaint([before], { key: 'a', effect: 'NoExecute', value: 'y' })).toEqual([
      { ...before, value: 'y' },
    ]);
  });

  it('stays the very same list when there is nothing to change', () => {
    fc.assert(
      fc.property(anyTaints, anyTaint, (list, taint) => {
        const next = withTaint(list, taint);
        expect(withTaint(next, taint)).toBe(next);
        const without = withoutTaint(list, taintId(taint));
        expect(withoutTaint(without, taintId(taint))).toBe(without);
      }),
    );
  });

  it('keeps the time at which a taint was added while its value stays', () => {
    const added = { key: 'a', value: '', effect: 'NoExecute', timeAdded: '2026-01-01T00:00:00Z' };
    expect(withTaint([added], { key: 'a', value: '', effect: 'NoExecute' })).toEqual([added]);
  });

  it('changes a value in place', () => {
    const [a, b] = [
      { key: 'a', value: '', effect: 'NoSchedule' },
      { key: 'b', value: '', effect: 'NoSchedule' },
    ];
    expect(withTaint([a, b], { ...a, value: 'x' })).toEqual([{ ...a, value: 'x' }, b]);
  });
});

describe('a taint', () => {
  it('is identified by key and effect, not by its value', () => {
    const list = [{ key: 'a', value: 'x', effect: 'NoSchedule' }];
    expect(findTaint(list, 'a:NoSchedule')).toBe(list[0]);
    expect(findTaint(list, 'a:NoExecute')).toBeUndefined();
  });

  it('has an identity that can be taken apart again', () => {
    fc.assert(
      fc.property(anyTaint, ({ key, effect }) => {
        expect(taints.parseTaintId(taintId({ key, effect }))).toEqual({ key, effect });
      }),
    );
  });

  it.each([
    ['NoSchedule', true],
    ['NoExecute', true],
    ['PreferNoSchedule', false],
    ['NoAdmitFromNextYear', true],
  ])('with the effect %s keeps pods away: %s', (effect, isGate) => {
    expect(taints.keepsPodsAway({ key: 'a', value: '', effect })).toBe(isGate);
  });

  it.each([
    ['with its value', 'gpu', 'team=gpu:NoSchedule'],
    ['without an empty one', '', 'team:NoSchedule'],
  ])('is written as kubectl writes it, %s', (_, value, text) => {
    expect(taints.formatTaint({ key: 'team', value, effect: 'NoSchedule' })).toBe(text);
  });
});
