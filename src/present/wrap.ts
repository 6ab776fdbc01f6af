// Sentences as lines that fit. A word that is longer than a line stays whole: it may be a command or a name.

import { printable } from './printable.ts';

export type Margins = { readonly columns: number; readonly indent: number };

export function wrap(text: string, { columns, indent }: Margins): readonly string[] {
  const margin = ' '.repeat(indent);
  const lines: string[] = [];
  let line = '';
  for (const word of text
    .split(/\s+/)
    .map(printable)
    .filter((each) => each !== '')) {
    const isTooLong = line !== '' && indent + line.length + 1 + word.length > columns;
    if (isTooLong) lines.push(margin + line);
    line = line === '' || isTooLong ? word : `${line} ${word}`;
  }
  return line === '' ? lines : [...lines, margin + line];
}
