// The metrics page of an operator as numbers that can be summed up and compared with an earlier page. Pure.

export type Labels = Readonly<Record<string, string>>;
export type Sample = { readonly name: string; readonly labels: Labels; readonly value: number };

export function parseSamples(page: string): readonly Sample[] {
  return page
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map(parseLine);
}

function parseLine(line: string): Sample {
  const [, name = '', labels = '', value = ''] = /^([\w:]+)(?:\{(.*)\})? (\S+)/.exec(line) ?? [];
  const pairs = labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g);
  return {
    name,
    labels: Object.fromEntries(Array.from(pairs, ([, key = '', text = '']) => [key, text])),
    value: value === '+Inf' ? Infinity : Number(value),
  };
}

/** Without its value: what makes it one series. */
export function formatSeries({ name, labels }: Sample): string {
  return `${name}{${Object.entries(labels)
    .map(([key, value]) => `${key}="${value}"`)
    .join(',')}}`;
}

export function sumOf(
  samples: readonly Sample[],
  name: string,
  counts: (labels: Labels) => boolean = () => true,
): number {
  return samples.reduce(
    (sum, sample) => (sample.name === name && counts(sample.labels) ? sum + sample.value : sum),
    0,
  );
}

export type Pages = { readonly before: readonly Sample[]; readonly after: readonly Sample[] };

/** Every series less what it was before. */
export function growthOf({ before, after }: Pages): readonly Sample[] {
  const was = new Map(before.map((sample) => [formatSeries(sample), sample.value]));
  return after.map((sample) => ({ ...sample, value: sample.value - (was.get(formatSeries(sample)) ?? 0) }));
}

/** What was counted between two pages, by the values of the given labels, without what did not change. */
export function growthBy(
  name: string,
  { before, after }: Pages,
  keyOf: (labels: Labels) => string | null,
): ReadonlyMap<string, number> {
  const growth = new Map<string, number>();
  const add = (samples: readonly Sample[], sign: number) => {
    for (const sample of samples) {
      const key = sample.name === name ? keyOf(sample.labels) : null;
      if (key !== null) growth.set(key, (growth.get(key) ?? 0) + sign * sample.value);
    }
  };
  add(after, 1);
  add(before, -1);
  return new Map([...growth].filter(([, count]) => count !== 0));
}

/** The smallest bound of a histogram that the given share of all observations does not exceed; Infinity beyond the last. */
export function histogramBound(
  samples: readonly Sample[],
  histogram: { readonly name: string; readonly share: number; readonly counts: (labels: Labels) => boolean },
): number {
  const { name, share, counts } = histogram;
  const buckets = samples
    .filter((sample) => sample.name === `${name}_bucket` && counts(sample.labels))
    .map(({ labels, value }) => ({ bound: boundOf(labels['le']), value }))
    .toSorted((a, b) => a.bound - b.bound);
  const total = buckets.at(-1)?.value ?? 0;
  return buckets.find(({ value }) => value >= total * share)?.bound ?? Infinity;
}

function boundOf(text = ''): number {
  return text === '+Inf' ? Infinity : Number(text);
}
