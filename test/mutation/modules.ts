// How each module fared in a mutation run. A module below the bar that the whole has to reach, or one that was not mutated
// at all, is a shortfall of its own, so that none hides behind the others.

type Mutant = { readonly status: string };
export type Report = { readonly files: Readonly<Record<string, { readonly mutants: readonly Mutant[] }>> };

const filesOf = {
  reflector: ['reflector', 'reflector-state', 'reflector-step'],
  cache: ['cache', 'view-table', 'tombstones'],
  queue: ['queue', 'waiting-keys', 'delayed-keys'],
  lease: ['lease', 'lease-record', 'lease-state', 'lease-step'],
};

/** As the mutation report has them. A mutant whose code cannot run at all is not counted in a score. */
const statuses = ['Killed', 'Timeout', 'Survived', 'NoCoverage', 'RuntimeError'] as const;
type Counts = Readonly<Record<(typeof statuses)[number], number>>;
export type Row = Counts & { readonly module: string; readonly mutants: number; readonly score: number };

export function rowsOf(report: Report): readonly Row[] {
  const rows = Object.entries(filesOf).map(([module, files]) =>
    rowOf(
      module,
      files.flatMap((file) => report.files[`src/kube/${file}.ts`]?.mutants ?? []),
    ),
  );
  return [
    ...rows,
    rowOf(
      'total',
      Object.values(report.files).flatMap(({ mutants }) => mutants),
    ),
  ];
}

function rowOf(module: string, mutants: readonly Mutant[]): Row {
  const count = (wanted: string) => mutants.filter(({ status }) => status === wanted).length;
  const counts = Object.fromEntries(statuses.map((status) => [status, count(status)])) as Counts;
  const found = counts.Killed + counts.Timeout;
  const score = (100 * found) / (found + counts.Survived + counts.NoCoverage);
  return { module, mutants: mutants.length, ...counts, score };
}

/** Everything that keeps the run from being a success. A score that is not a number is one of no mutants. */
export function shortfalls(rows: readonly Row[], bar: number): readonly string[] {
  const low = rows.filter(({ score }) => !(score >= bar));
  return low.map(({ module, score }) => `${module}: the mutation score is ${score.toFixed(1)}, below ${bar}`);
}
