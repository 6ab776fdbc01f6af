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
  const counters = new Map<string, Counter>();
  const gauges = new Map<string, Gauge>();
  const histograms = new Map<string, Histogram>();
  const options = ({ name, help, labels = [] }: MetricSpec) => ({
    name,
    help,
    labelNames: [...labels],
    registers: [registry],
  });
  return {
    counter(spec) {
      const counter = remembered(counters, spec, () => new Counter(options(spec)));
      return {
        add: (labels = {}, by = 1) => counter.inc({ ...labels }, by),
        remove: (labels) => counter.remove({ ...labels }),
      };
    },
    gauge(spec) {
      const gauge = remembered(gauges, spec, () => new Gauge(options(spec)));
      return { set: (value, labels = {}) => gauge.set({ ...labels }, value), reset: () => gauge.reset() };
    },
    histogram(spec) {
      const make = () => new Histogram({ ...options(spec), buckets: [...spec.buckets] });
      const histogram = remembered(histograms, spec, make);
      return {
        observe: (value, labels = {}) => histogram.observe({ ...labels }, value),
        remove: (labels) => histogram.remove({ ...labels }),
      };
    },
    beforeScrape: (collect) => void collectors.push(collect),
    async expose() {
      for (const collect of collectors) collect();
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
}

/** Two parts of the operator may count into one metric, told apart by labels. */
function remembered<M>(known: Map<string, M>, { name }: MetricSpec, make: () => M): M {
  const metric = known.get(name) ?? make();
  known.set(name, metric);
  return metric;
}
