// An explanation: a sentence that answers, then sections of prose, tables and commands to copy.

import { paint } from './paint.ts';
import type { Look } from './table.ts';
import { wrap } from './wrap.ts';

export type Block =
  | { readonly kind: 'words'; readonly text: string }
  /** One of several, with what marks it: a dash, or how many there are of it. */
  | { readonly kind: 'item'; readonly mark: string; readonly text: string }
  /** Never wrapped: it is copied. */
  | { readonly kind: 'command'; readonly text: string }
  | { readonly kind: 'lines'; format(look: Look): readonly string[] };

export type Section = { readonly title: string; readonly blocks: readonly Block[] };

export type Story = { readonly answer: string; readonly sections: readonly Section[] };

/** Prose in lines of a width that can be read, whoever reads it. */
const PROSE_COLUMNS_MAX = 100;
const PROSE_COLUMNS_IN_A_PIPE = 80;

export function formatStory({ answer, sections }: Story, look: Look): readonly string[] {
  const columns = Math.min(look.columns ?? PROSE_COLUMNS_IN_A_PIPE, PROSE_COLUMNS_MAX);
  return [
    ...wrap(answer, { columns, indent: 0 }),
    ...sections
      .filter(({ blocks }) => blocks.length > 0)
      .flatMap(({ title, blocks }) => [
        '',
        look.hasColour ? paint(title, 'heading') : title,
        ...blocks.flatMap((block) => formatBlock(block, { ...look, prose: columns })),
      ]),
  ];
}

export function words(text: string): Block {
  return { kind: 'words', text };
}

export function item(text: string, mark = '-'): Block {
  return { kind: 'item', mark, text };
}

export function command(text: string): Block {
  return { kind: 'command', text };
}

const INDENT = 2;

function formatBlock(block: Block, look: Look & { readonly prose: number }): readonly string[] {
  const margin = ' '.repeat(INDENT);
  switch (block.kind) {
    case 'words':
      return wrap(block.text, { columns: look.prose, indent: INDENT });
    case 'item': {
      const indent = INDENT + block.mark.length + 1;
      const [first = '', ...rest] = wrap(block.text, { columns: look.prose, indent });
      return [`${margin}${block.mark} ${first.trimStart()}`, ...rest];
    }
    case 'command':
      return [`${margin}${margin}${block.text}`];
    case 'lines': {
      const inner = { ...look, columns: look.columns === null ? null : look.columns - INDENT };
      return block.format(inner).map((line) => margin + line);
    }
  }
}
