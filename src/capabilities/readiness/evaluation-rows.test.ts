import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EvaluationView } from './evaluation.ts';
import { hashedName, plainName } from './evaluation.ts';
import { EvaluationRows } from './evaluation-rows.ts';

const pair = { front: 'NodeReadinessRule', ruleName: 'cni', nodeName: 'worker-1' } as const;
const view: EvaluationView = {
  ...pair,
  name: 'cni-worker-1',
  namespace: '',
  uid: '5f6c0f0e-0a44-4a52-9d6f-5f0b86f3a1c2',
  resourceVersion: '12345',
  specHash: '0123456789abcdef',
  statusHash: 'fedcba9876543210',
  isTracked: true,
};
const named = (ruleName: string, nodeName: string): EvaluationView => ({
  ...view,
  ruleName,
  nodeName,
  name: plainName({ ruleName, nodeName }),
});

describe('an evaluation that is held', () => {
  it.each<[string, Partial<EvaluationView>]>([
    ['named after its rule and node', {}],
    ['of the other kind of rules, and wiped', { front: 'NodeReadinessGateRule', isTracked: false }],
    ['of nobody', { front: null }],
    ['named by a hash', { name: hashedName(pair) }],
    ['of somebody who names no rule and no node', { name: 'stray', ruleName: '', nodeName: '' }],
    ['of somebody who puts blanks and numbers into names', { name: '7', ruleName: '1 2', nodeName: ' "{' }],
    ['without a name', { name: '-', ruleName: '', nodeName: '' }],
    ['before it has a status', { statusHash: '' }],
    [
      'with leading zeros in all that is a number',
      { uid: '00000000-0000-0000-0000-000000000001', specHash: '00000000000000ff' },
    ],
    ['of a version that 32 bits do not hold', { resourceVersion: '9007199254740991' }],
    ['of a version that no number holds', { resourceVersion: '9007199254740993' }],
    ['of a version that is no number', { resourceVersion: '0x1f' }],
    ['of a version with a zero in front', { resourceVersion: '007' }],
    ['of a uid that is none of the usual', { uid: 'UID-1' }],
  ])('%s is what it was', (_, change) => {
    const before = { ...view, ...change };
    const rows = new EvaluationRows();
    rows.set(before.name, before);
    expect(rows.get(before.name)).toEqual(before);
    expect([...rows.entries()]).toEqual([[before.name, before]]);
  });
});

describe('rows of evaluations', () => {
  it('tell apart names that are put together from different ones', () => {
    const rows = new EvaluationRows();
    rows.set('a-b-c', named('a', 'b-c'));
    rows.set('a-b-c', named('a-b', 'c'));
    expect([rows.size, rows.get('a-b-c')?.nodeName]).toEqual([1, 'c']);
  });

  it('move between rows and objects as an evaluation becomes usual or unusual', () => {
    const rows = new EvaluationRows();
    for (const uid of [view.uid, 'UID-1', view.uid]) {
      rows.set(view.name, { ...view, uid });
      expect([rows.size, rows.get(view.name)?.uid]).toEqual([1, uid]);
    }
  });

  it('can be taken away while they are walked through', () => {
    const rows = new EvaluationRows();
    for (let node = 0; node < 10; node++) rows.set(`cni-${node}`, named('cni', String(node)));
    for (const key of rows.keys()) rows.delete(key);
    expect([rows.size, [...rows.keys()]]).toEqual([0, []]);
  });

  it('are as a map of views would be, whatever is done to them', () => {
    const names = fc.tuple(fc.nat(40), fc.nat(80)).map(([rule, node]) => named(`r${rule}`, `n${node}`));
    const step = fc.record({ view: names, version: fc.nat(), isKept: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 3_000, size: 'max' }), (steps) => {
        const rows = new EvaluationRows();
        const map = new Map<string, EvaluationView>();
        for (const {
          view: { name, ...rest },
          version,
          isKept,
        } of steps) {
          const next = { ...rest, name, resourceVersion: String(version) };
          if (isKept) {
            rows.set(name, next);
            map.set(name, next);
          } else expect(rows.delete(name)).toBe(map.delete(name));
          expect(rows.get(name)).toEqual(map.get(name));
        }
        expect(rows.size).toBe(map.size);
        expect(new Map(rows.entries())).toEqual(map);
      }),
      { numRuns: 20 },
    );
  });
});
