// Pages of evidence name tests that exist, and leave out no number of the lists that they answer.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

const pages = {
  // The last number of the list is the scale, which is measured.
  'docs/reference/readiness-evidence.md': upTo(21),
  // The list has gaps; 40, 41 and 43 are about the deletion of nodes, which nothing carries out yet.
  'docs/reference/verification-evidence.md': (
    '1 2 4 5 7 8 10 11 13 14 16 17 19 20 22 23 25 26 28 29 31 32 34 35 37 38 ' +
    '44 46 47 49 50 52 53 55 56 58 59 61 62'
  )
    .split(' ')
    .map(Number),
};

describe.each(Object.entries(pages))('%s', (page, due) => {
  const text = read(page);
  const rows = [...text.matchAll(/^\| ([\d, ]*?) *\| [^|]*\| `([^`]+)`: ([^|]*?) *\|$/gm)];

  it('has rows that can be read', () => {
    expect(rows).toHaveLength(text.match(/^\|.*`/gm)?.length ?? 0);
    expect(rows.length).toBeGreaterThan(50);
  });

  it('names tests that exist', () => {
    const missing = rows.filter(([, , file = '', name = '']) => !read(file).includes(`'${name}'`));
    expect(missing.map(([, , file, name]) => `${file}: ${name}`)).toEqual([]);
  });

  it('answers every number of its list, and no other', () => {
    const answered = new Set(rows.flatMap(([, numbers = '']) => numbers.match(/\d+/g) ?? []).map(Number));
    expect([...answered].toSorted((a, b) => a - b)).toEqual(due);
  });
});
