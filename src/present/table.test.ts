import { describe, expect, it } from 'vitest';
import { type Column, formatTable } from './table.ts';

type Row = { readonly name: string; readonly text: string; readonly count: number };
const columns: readonly Column<Row>[] = [
  { heading: 'NAME', cell: ({ name }) => name },
  { heading: 'TEXT', cell: ({ text }) => text, isFlexible: true, tone: () => 'bad' },
  { heading: 'COUNT', cell: ({ count }) => String(count), align: 'right' },
];
const rows: readonly Row[] = [
  { name: 'a', text: 'short', count: 1 },
  { name: 'a-long-name', text: 'a text of some length', count: 1234 },
];
const plain = { columns: null, hasColour: false };

describe('a table', () => {
  it('is as wide as its cells where nobody counts', () => {
    expect(formatTable(columns, rows, plain)).toEqual([
      'NAME         TEXT                   COUNT',
      'a            short                      1',
      'a-long-name  a text of some length   1234',
    ]);
  });

  it('cuts what may be cut, and shows it, to fit a terminal', () => {
    expect(formatTable(columns, rows, { ...plain, columns: 30 })).toEqual([
      'NAME         TEXT        COUNT',
      'a            short           1',
      'a-long-name  a text of…   1234',
    ]);
  });

  it('never cuts a name, however narrow the terminal is', () => {
    const [, , last] = formatTable(columns, rows, { ...plain, columns: 5 });
    expect(last).toBe('a-long-name  a text …   1234');
  });

  it('leaves no blanks at the end of a line', () => {
    const lines = formatTable(columns.slice(0, 2), rows, plain);
    for (const line of lines) expect(line).toBe(line.trimEnd());
  });

  it('is as wide with colours as without', () => {
    const [, coloured = ''] = formatTable(columns, rows, { ...plain, hasColour: true });
    const [, bare = ''] = formatTable(columns, rows, plain);
    expect(coloured).toContain('\u001B[31mshort');
    // oxlint-disable-next-line no-control-regex -- escape sequences begin with one
    expect(coloured.replaceAll(/\u001B\[\d+m/g, '')).toBe(bare);
  });

  it('is its headings where there are no rows', () => {
    expect(formatTable(columns, [], plain)).toEqual(['NAME  TEXT  COUNT']);
  });
});
