// Metrics that a test can read back: counters and gauges by name and labels, histograms by how often they were fed and with what.

import type { Labels, Metrics } from '../../src/base/metrics.ts';

export type RecordedMetrics = Metrics & {
  /** Runs what a scrape would run, then answers the value; 0 when nothing was recorded. */
  value(name: string, labels?: Labels): number;
  /** What a histogram was fed with, whatever the labels. */
  observed(name: string): readonly number[];
  /** Every series that has a value, by `name{label=value}`. */
  series(): readonly string[];
};

export function recordedMetrics(): RecordedMetrics {
  const values = new Map<string, number>();
  const observations = new Map<string, number[]>();
  const collectors: (() => void)[] = [];
  const add = (name: string, labels: Labels, by: number) => {
    const series = seriesOf(name, labels);
    values.set(series, (values.get(series) ?? 0) + by);
  };
  const scrape = () => {
    for (const collect of collectors) collect();
  };
  return {
    counter: ({ name }) => ({
      add: (labels = {}, by = 1) => add(name, labels, by),
      remove: (labels) => void values.delete(seriesOf(name, labels)),
    }),
    gauge: ({ name }) => ({
      set: (value, labels = {}) => void values.set(seriesOf(name, labels), value),
      reset() {
        for (const series of values.keys()) if (series.startsWith(`${name}{`)) values.delete(series);
      },
    }),
    histogram: ({ name }) => ({
      observe(value, labels = {}) {
        add(name, labels, 1);
        const fed = observations.get(name) ?? [];
        fed.push(value);
        observations.set(name, fed);
      },
      remove: (labels) => void values.delete(seriesOf(name, labels)),
    }),
    beforeScrape: (collect) => void collectors.push(collect),
    value(name, labels = {}) {
      scrape();
      return values.get(seriesOf(name, labels)) ?? 0;
    },
    observed: (name) => observations.get(name) ?? [],
    series() {
      scrape();
      return [...values.keys()];
    },
  };
}

function seriesOf(name: string, labels: Labels): string {
  const sorted = Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1));
  return `${name}{${sorted.map(([label, value]) => `${label}=${value}`).join(',')}}`;
}
