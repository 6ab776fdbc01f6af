// How long a change of a node took to be counted in the status of its rule. Pure.

export type CountSample = { readonly atMs: number; readonly count: number };

export type Changes = {
  /** When each change was sent, in order; all go the same way. */
  readonly sentAtMs: readonly number[];
  /** What was counted before the first of them. */
  readonly from: number;
  readonly direction: 1 | -1;
};

/** For each change: until a status counted at least as many. Infinity when none did. */
export function lagsOf(
  { sentAtMs, from, direction }: Changes,
  samples: readonly CountSample[],
): readonly number[] {
  let next = 0;
  return sentAtMs.map((atMs, index) => {
    const wanted = from + direction * (index + 1);
    const isCounted = (sample: CountSample) =>
      sample.atMs >= atMs && (sample.count - wanted) * direction >= 0;
    while (next < samples.length && !isCounted(samples[next] as CountSample)) next += 1;
    const found = samples[next];
    return found === undefined ? Infinity : found.atMs - atMs;
  });
}
