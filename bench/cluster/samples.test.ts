import { describe, expect, it } from 'vitest';
import { formatSeries, growthBy, histogramBound, parseSamples, sumOf } from './samples.ts';

const page = (patched: number, created: number) =>
  parseSamples(`# HELP writes_total Writes
# TYPE writes_total counter
writes_total{verb="patch",resource="nodes"} ${patched}
writes_total{verb="create",resource="a \\"b\\" {c}"} ${created}
up 1
`);

describe('the samples of a metrics page', () => {
  it('have their labels, whatever their values hold', () => {
    expect(page(1, 2)[1]).toEqual({
      name: 'writes_total',
      labels: { verb: 'create', resource: 'a \\"b\\" {c}' },
      value: 2,
    });
    expect(page(1, 2)[2]).toEqual({ name: 'up', labels: {}, value: 1 });
  });

  it('are told apart by name and labels, whatever their values', () => {
    expect(page(1, 2).map(formatSeries)).toEqual(page(3, 4).map(formatSeries));
    expect(page(1, 2).map(formatSeries)[0]).toBe('writes_total{verb="patch",resource="nodes"}');
  });

  it('are summed up over the labels that count', () => {
    expect(sumOf(page(3, 4), 'writes_total')).toBe(7);
    expect(sumOf(page(3, 4), 'writes_total', ({ verb }) => verb === 'patch')).toBe(3);
    expect(sumOf(page(3, 4), 'missing')).toBe(0);
  });

  it('show what grew between two pages, and only that', () => {
    const pages = { before: page(3, 4), after: page(10, 4) };
    expect(growthBy('writes_total', pages, ({ verb }) => verb ?? '')).toEqual(new Map([['patch', 7]]));
    expect(growthBy('writes_total', pages, () => null)).toEqual(new Map());
  });
});

describe('the bound of a histogram', () => {
  const samples = parseSamples(`d_bucket{queue="nodes",le="0.1"} 98
d_bucket{queue="nodes",le="1"} 99
d_bucket{queue="nodes",le="+Inf"} 100
d_bucket{queue="other",le="0.1"} 0
d_bucket{queue="other",le="+Inf"} 9
`);
  const bound = (share: number, queue: string) =>
    histogramBound(samples, { name: 'd', share, counts: (labels) => labels['queue'] === queue });

  it('is the first one that the share does not exceed', () => {
    expect(bound(0.5, 'nodes')).toBe(0.1);
    expect(bound(0.99, 'nodes')).toBe(1);
    expect(bound(1, 'nodes')).toBe(Infinity);
  });

  it('is beyond everything when the observations are', () => {
    expect(bound(0.5, 'other')).toBe(Infinity);
  });
});
