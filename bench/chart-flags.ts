// The flags of Node that the chart runs the operator with, read from the chart itself: what is measured is what is shipped.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';

const chart = join(import.meta.dirname, '../charts/muster');

export function chartFlags(): readonly string[] {
  const template = readFileSync(join(chart, 'templates/deployment.yaml'), 'utf8');
  const values = load(readFileSync(join(chart, 'values.yaml'), 'utf8')) as { readonly heapMiB: number };
  return flagsIn(template, values.heapMiB);
}

export function flagsIn(template: string, heapMiB: number): readonly string[] {
  const [, options] = /name: NODE_OPTIONS\s+value: (.*)/.exec(template) ?? [];
  if (options === undefined) throw new Error('the chart no longer sets NODE_OPTIONS in its deployment');
  return options
    .replace(/\{\{\s*\.Values\.heapMiB\s*\}\}/, String(heapMiB))
    .trim()
    .split(' ');
}
