// Tables of the reference pages, from schemas and vocabularies. A page keeps its own words around the marked blocks.

import type { KindDefinition } from '../../src/api/crd.ts';
import { isRecord, textOf } from '../../src/objects/raw.ts';

type Schema = Readonly<Record<string, unknown>>;

/** One row per field of spec and status, in the order of the schema. */
export function fieldTable({ spec, status }: KindDefinition): string {
  return table(['Field', 'Type', 'Meaning'], [...fieldRows('spec', spec), ...fieldRows('status', status)]);
}

export function meaningTable(heading: string, meanings: Readonly<Record<string, string>>): string {
  const rows = Object.entries(meanings).map(([name, meaning]) => [`\`${name}\``, meaning]);
  return table([heading, 'Meaning'], rows);
}

/** Replaces what stands between `<!-- generated: name -->` and `<!-- end -->`. Every block must have its place. */
export function fillBlocks(page: string, blocks: Readonly<Record<string, string>>): string {
  const places = [...page.matchAll(block)].map(([, name]) => name);
  const missing = Object.keys(blocks).filter((name) => !places.includes(name));
  if (missing.length > 0) throw new Error(`no place marked for ${missing.join(', ')}`);
  return page.replaceAll(block, (_, name: string) => {
    const content = blocks[name];
    if (content === undefined) throw new Error(`nothing is generated for the place ${name}`);
    return `<!-- generated: ${name} -->\n${content}<!-- end -->`;
  });
}

const block = /<!-- generated: ([\w-]+) -->\n[^]*?<!-- end -->/g;

/** Padded as the formatter of this repository pads, so that the two never undo each other. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = headings.map((_, column) =>
    Math.max(...[headings, ...rows].map((cells) => cells[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |\n`;
  const rule = widths.map((width) => '-'.repeat(width));
  return [headings, rule, ...rows].map(line).join('');
}

function fieldRows(path: string, schema: unknown): readonly (readonly string[])[] {
  if (!isRecord(schema)) return [];
  const { properties, items } = schema;
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  const inner = isRecord(items) && isRecord(items['properties']) ? fieldRows(`${path}[]`, items) : [];
  const fields = Object.entries(isRecord(properties) ? properties : {}).flatMap(([name, field]) => {
    if (!isRecord(field)) return [];
    const type = required.includes(name) ? `${typeWords(field)}, required` : typeWords(field);
    return [
      [`\`${path}.${name}\``, type, textOf(field['description'])],
      ...fieldRows(`${path}.${name}`, field),
    ];
  });
  return [...inner, ...fields];
}

function typeWords(schema: Schema): string {
  const { enum: values, default: fallback } = schema;
  const words = Array.isArray(values) ? values.map((value) => `\`${value}\``).join(', ') : plainType(schema);
  const hasDefault = fallback !== undefined && typeof fallback !== 'object';
  return hasDefault ? `${words}; default \`${word(fallback)}\`` : words;
}

function plainType(schema: Schema): string {
  switch (schema['type']) {
    case 'string':
      return schema['format'] === 'date-time' ? 'time' : `text, up to ${word(schema['maxLength'])}`;
    case 'integer':
      return 'maximum' in schema
        ? `integer, ${word(schema['minimum'])} to ${word(schema['maximum'])}`
        : 'integer';
    case 'array':
      return `list, up to ${word(schema['maxItems'])}`;
    case 'object':
      return 'properties' in schema ? 'object' : `map of text, up to ${word(schema['maxProperties'])}`;
    default:
      return textOf(schema['type']) || 'integer or text';
  }
}

function word(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
