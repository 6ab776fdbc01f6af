// The environment that the chart runs the operator in, read from the chart itself: what is measured is what is shipped.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';

const chart = join(import.meta.dirname, '../charts/muster');

/** The flags of Node, and what else the chart sets for everybody. */
export function chartEnvironment(heapMiB = chartHeapMiB()): Readonly<Record<string, string>> {
  return {
    NODE_OPTIONS: chartFlags(heapMiB).join(' '),
    MALLOC_ARENA_MAX: valueIn(readTemplate(), 'MALLOC_ARENA_MAX').replaceAll('"', ''),
  };
}

export function chartFlags(heapMiB = chartHeapMiB()): readonly string[] {
  return flagsIn(readTemplate(), heapMiB);
}

export function chartHeapMiB(): number {
  return readValues().heapMiB;
}

/** The memory limit of its container, with as much beside another heap as beside its own. */
export function chartMemoryMiB(heapMiB = chartHeapMiB()): number {
  const { memory } = readValues().resources.limits;
  const [, amount] = /^(\d+)Mi$/.exec(memory) ?? [];
  if (amount === undefined) throw new Error(`the chart limits memory to ${memory}, which is no number of Mi`);
  return Number(amount) + heapMiB - chartHeapMiB();
}

type ChartValues = {
  readonly heapMiB: number;
  readonly resources: { readonly limits: { readonly memory: string } };
};

function readValues(): ChartValues {
  return load(readFileSync(join(chart, 'values.yaml'), 'utf8')) as ChartValues;
}

export function flagsIn(template: string, heapMiB: number): readonly string[] {
  return valueIn(template, 'NODE_OPTIONS')
    .replace(/\{\{\s*\.Values\.heapMiB\s*\}\}/, String(heapMiB))
    .split(' ');
}

function valueIn(template: string, name: string): string {
  const [, value] = new RegExp(`name: ${name}\\s+value: (.*)`).exec(template) ?? [];
  if (value === undefined) throw new Error(`the chart no longer sets ${name} in its deployment`);
  return value.trim();
}

function readTemplate(): string {
  return readFileSync(join(chart, 'templates/deployment.yaml'), 'utf8');
}
