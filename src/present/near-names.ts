// Names that somebody may have meant.

const SHOWN_MAX = 5;

/** The closest first: those that share most with what was given, and no more than a few. */
export function nearNames(given: string, known: readonly string[]): readonly string[] {
  const near = known
    .map((name) => ({ name, distance: distanceOf(given, name) }))
    .filter(
      ({ name, distance }) => distance <= Math.max(2, Math.floor(given.length / 3)) || name.includes(given),
    )
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1));
  return near.slice(0, SHOWN_MAX).map(({ name }) => name);
}

/** How many letters must be put in, taken out or changed to make one of the other. */
function distanceOf(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 0; i < a.length; i++) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j++) {
      const change = (row[j] ?? 0) + (a[i] === b[j] ? 0 : 1);
      next.push(Math.min(change, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
