// The metrics port: an instance per process or per simulated operator, never a module-level registry.
// Labels have few values; a node's name is one only where somebody asked for it, and is removed with the node.

export type Labels = Readonly<Record<string, string>>;

export interface Counter {
  add(labels?: Labels, by?: number): void;
  /** Forgets one series; all labels have to be named. */
  remove(labels: Labels): void;
}

export interface Gauge {
  set(value: number, labels?: Labels): void;
  /** Forgets every series: what is gone is not shown as nought. */
  reset(): void;
}

export interface Histogram {
  observe(value: number, labels?: Labels): void;
  remove(labels: Labels): void;
}

export type MetricSpec = {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly string[];
};
export type HistogramSpec = MetricSpec & { readonly buckets: readonly number[] };

export interface Metrics {
  counter(spec: MetricSpec): Counter;
  gauge(spec: MetricSpec): Gauge;
  histogram(spec: HistogramSpec): Histogram;
  /** Called before each scrape, to set gauges that are cheaper to compute than to keep. */
  beforeScrape(collect: () => void): void;
}

const nothing = { add() {}, set() {}, reset() {}, observe() {}, remove() {} };

export const silentMetrics: Metrics = {
  counter: () => nothing,
  gauge: () => nothing,
  histogram: () => nothing,
  beforeScrape() {},
};
