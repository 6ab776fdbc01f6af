import { expect, it, vi } from 'vitest';
import { silentMetrics } from './metrics.ts';

it('silent metrics take every measure and are never scraped', () => {
  const spec = { name: 'muster_writes_total', help: 'Writes', labels: ['outcome'] };
  const collect = vi.fn<() => void>();
  silentMetrics.beforeScrape(collect);
  expect(silentMetrics.counter(spec).add({ outcome: 'done' })).toBeUndefined();
  expect(silentMetrics.gauge(spec).set(1, { outcome: 'done' })).toBeUndefined();
  expect(silentMetrics.histogram({ ...spec, buckets: [1] }).observe(1)).toBeUndefined();
  expect(collect).not.toHaveBeenCalled();
});
