// The metrics port over prom-client: one registry per operator, never the library's global one.

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Metrics, MetricSpec } from '../base/metrics.ts';

export type PrometheusMetrics = Metrics & {
  expose(): Promise<{ readonly contentType: string; readonly text: string }>;
};

export function createPrometheusMetrics(): PrometheusMetrics {
  const registry = new Registry();
  const collectors: (() => void)[] = [];
  // Process memory, CPU, garbage collection and event-loop delay come with the library.
  collectDefaultMetrics({ register: registry });
  const options = ({ name, help, labels = [] }: MetricSpec) => ({
    name,
    help,
    labelNames: [...labels],
    registers: [registry],
  });
  return {
    counter(spec) {
      const counter = existing<Counter>(registry, spec) ?? new Counter(options(spec));
      return { add: (labels = {}, by = 1) => counter.inc({ ...labels }, by) };
    },
    gauge(spec) {
      const gauge = existing<Gauge>(registry, spec) ?? new Gauge(options(spec));
      return { set: (value, labels = {}) => gauge.set({ ...labels }, value) };
    },
    histogram(spec) {
      const histogram =
        existing<Histogram>(registry, spec) ??
        new Histogram({ ...options(spec), buckets: [...spec.buckets] });
      return { observe: (value, labels = {}) => histogram.observe({ ...labels }, value) };
    },
    beforeScrape: (collect) => void collectors.push(collect),
    async expose() {
      for (const collect of collectors) collect();
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
}

/** Two parts of the operator may count into one metric, told apart by labels. */
function existing<M>(registry: Registry, { name }: MetricSpec): M | undefined {
  return registry.getSingleMetric(name) as M | undefined;
}
