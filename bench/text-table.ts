// A table for people: columns as wide as their widest cell, the first one flush left, numbers flush right.

export type Row = readonly string[];

export function formatTable(head: Row, rows: readonly Row[]): string {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: Row) => widths.map((width, column) => pad(row[column] ?? '', width, column)).join('  ');
  return [line(head), ...rows.map(line)].map((text) => `${text.trimEnd()}\n`).join('');
}

function pad(cell: string, width: number, column: number): string {
  return column === 0 ? cell.padEnd(width) : cell.padStart(width);
}

/** With so many digits after the point, or a dash when there is nothing to say. */
export function formatNumber(value: number | null, digits = 0): string {
  if (value === null) return '-';
  return value.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** One row for each thing that was counted, and how often that is per node. */
export function countRows(who: string, counts: ReadonlyMap<string, number>, nodes: number): readonly Row[] {
  return [...counts].map(([what, count]) => [
    `${who}: ${what}`,
    formatNumber(count),
    formatNumber(count / nodes, 2),
  ]);
}

/** One row for each process that spent processor time, and how much that is per node. */
export function spentRows(when: string, spentMs: ReadonlyMap<string, number>, nodes: number): readonly Row[] {
  return [...spentMs].map(([who, ms]) => [
    `${when}${who}`,
    formatNumber(ms / 1_000, 1),
    formatNumber(ms / nodes, 2),
  ]);
}
