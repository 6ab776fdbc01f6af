// Tables of text. Where the width is known and the table is wider, columns that allow it are cut, and show that they are; a
// name that somebody copies never is.

import { paint, type Tone } from './paint.ts';
import { printable } from './printable.ts';

export type Column<Row> = {
  readonly heading: string;
  cell(row: Row): string;
  tone?(row: Row): Tone;
  readonly align?: 'right';
  /** It may be cut where the table is too wide. */
  readonly isFlexible?: boolean;
};

export type Look = {
  /** Characters in a line; null where nobody counts them, as in a pipe. */
  readonly columns: number | null;
  readonly hasColour: boolean;
};

const GAP = 2;
/** Less than this says nothing any more. */
const CUT_WIDTH_MIN = 8;

export function formatTable<Row>(
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  look: Look,
): readonly string[] {
  const cells = rows.map((row) => columns.map((column) => printable(column.cell(row))));
  const natural = columns.map(({ heading }, index) =>
    Math.max(heading.length, ...cells.map((line) => line[index]?.length ?? 0)),
  );
  const widths = fitted(columns, natural, look.columns);
  const isLast = (index: number) => index === columns.length - 1;
  const line = (texts: readonly string[], toneOf: (index: number) => Tone) =>
    texts
      .map((text, index) => {
        const width = widths[index] ?? 0;
        const shown = cut(text, width);
        const padded =
          columns[index]?.align === 'right' ? shown.padStart(width) : shown.padEnd(isLast(index) ? 0 : width);
        return look.hasColour ? paint(padded, toneOf(index)) : padded;
      })
      .join(' '.repeat(GAP))
      .trimEnd();
  return [
    line(
      columns.map(({ heading }) => heading),
      () => 'heading',
    ),
    ...rows.map((row, at) => line(cells[at] ?? [], (index) => columns[index]?.tone?.(row) ?? 'plain')),
  ];
}

/** The widest column that may be cut gives way first, one character at a time. */
function fitted<Row>(
  columns: readonly Column<Row>[],
  natural: readonly number[],
  limit: number | null,
): readonly number[] {
  const widths = [...natural];
  const gaps = GAP * (columns.length - 1);
  const total = () => gaps + widths.reduce((sum, width) => sum + width, 0);
  if (limit === null) return widths;
  while (total() > limit) {
    const candidates = columns.flatMap(({ isFlexible, heading }, index) => {
      const width = widths[index] ?? 0;
      return isFlexible && width > Math.max(CUT_WIDTH_MIN, heading.length) ? [{ index, width }] : [];
    });
    const widest = candidates.reduce<{ index: number; width: number } | null>(
      (best, each) => (best === null || each.width > best.width ? each : best),
      null,
    );
    if (widest === null) break;
    widths[widest.index] = widest.width - 1;
  }
  return widths;
}

function cut(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`;
}
