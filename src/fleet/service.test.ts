import { describe, expect, it } from 'vitest';
import { lifecycleView } from '../../test/support/lifecycle-builder.ts';
import { nodeView } from '../../test/support/node-builder.ts';
import { serviceOf } from './service.ts';

const bornAt = Date.parse('2026-11-01T00:00:00Z');
const minute = 60_000;
const node = nodeView({ createdAt: '2026-11-01T00:00:00Z' });

/** Created so long after the node, and not written yet. */
function unwritten(ms: number) {
  return { ...lifecycleView(), createdAt: bornAt + ms };
}

describe('a node whose record is not written yet', () => {
  it('is new for ten minutes by our clock while there is no record at all', () => {
    expect(serviceOf(node, undefined, { now: bornAt + 10 * minute })).toBe('new');
    expect(serviceOf(node, undefined, { now: bornAt + 10 * minute + 1 })).toBe('unrecorded');
  });

  it.each([
    ['an hour ahead', 60],
    ['an hour behind', -60],
    ['right', 0],
  ])('is judged by when its record was created where our clock is %s', (_, minutesOff) => {
    const now = bornAt + (minutesOff + 20) * minute;
    expect(serviceOf(node, unwritten(2_000), { now })).toBe('new');
    expect(serviceOf(node, unwritten(11 * minute), { now })).toBe('unrecorded');
  });

  it('was in service before who asks something of it now, if that came ten minutes later', () => {
    const now = bornAt + 20 * minute;
    expect(serviceOf(node, unwritten(2_000), { now, askedAt: bornAt + 11 * minute })).toBe('unrecorded');
    expect(serviceOf(node, unwritten(2_000), { now, askedAt: bornAt + minute })).toBe('new');
  });

  it.each([
    ['is new as long as it has never been ready', '2026-11-01T00:00:40Z', 'new'],
    ['was in service if it ceased to be ready later', '2026-11-01T00:10:01Z', 'unrecorded'],
  ] as const)('%s', (_, readySince, expected) => {
    const unready = nodeView({ createdAt: '2026-11-01T00:00:00Z', ready: 'False', readySince });
    expect(serviceOf(unready, unwritten(11 * minute), { now: bornAt })).toBe(expected);
  });

  it('is new while its kubelet has said nothing at all', () => {
    const silent = { ...node, conditions: [] };
    expect(serviceOf(silent, unwritten(11 * minute), { now: bornAt })).toBe('new');
  });
});

describe('a node whose record is written', () => {
  it('is what the record says, however old it is', () => {
    const now = bornAt + 20 * minute;
    const released = lifecycleView({ stage: 'InService', firstReleasedAt: '2026-11-01T00:00:05Z' });
    expect(serviceOf(node, released, { now })).toBe('inService');
    expect(serviceOf(node, lifecycleView({ stage: 'Verifying' }), { now })).toBe('new');
    expect(serviceOf(node, { ...released, nodeUID: 'uid-of-another' }, { now })).toBe('unrecorded');
  });
});
