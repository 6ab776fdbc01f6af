// Tables of the reference pages of commands: their options, and the metrics that the sources declare.

import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Option, type OptionList, shownFallback } from '../../src/cli/options.ts';
import { table } from './reference.ts';

/** Environment variables get a column where a command knows any. */
export function optionTable(options: OptionList): string {
  const hasEnv = Object.values(options).some(({ env }) => env !== undefined);
  const rows = Object.values(options).map((option) => [
    flagOf(option),
    option.key === null ? '' : `\`${option.key}\``,
    ...(hasEnv ? [option.env === undefined ? '' : `\`${option.env}\``] : []),
    shownFallback(option),
    option.help,
  ]);
  return table(['Flag', 'Config key', ...(hasEnv ? ['Variable'] : []), 'Default', 'Meaning'], rows);
}

/** Flag, default and meaning, for a command without a config file. */
export function optionRows(options: OptionList): readonly (readonly string[])[] {
  return Object.values(options).map((option) => [flagOf(option), shownFallback(option), option.help]);
}

/** Variables first, for a command that is configured by its pod and has no config file. */
export function variableTable(options: OptionList): string {
  const rows = Object.values(options).map((option) => [
    option.env === undefined ? '' : `\`${option.env}\``,
    flagOf(option),
    shownFallback(option),
    option.help,
  ]);
  return table(['Variable', 'Flag', 'Default', 'Meaning'], rows);
}

function flagOf({ flag, short, kind }: Option): string {
  const shown = `\`--${flag}${kind.placeholder === '' ? '' : ` ${kind.placeholder}`}\``.replaceAll(
    '|',
    '\\|',
  );
  return short === undefined ? shown : `\`-${short}\`, ${shown}`;
}

/** Every metric is declared with its name and help side by side, so the sources themselves are the list. */
export function metricTable(): string {
  const found = sourceFiles().flatMap((file) => [...readFileSync(file, 'utf8').matchAll(declaration)]);
  const rows = new Map(
    found.map(([, name = '', help = '', labels = '']) => [name, [`\`${name}\``, labelWords(labels), help]]),
  );
  return table(
    ['Metric', 'Labels', 'Meaning'],
    [...rows.values()].sort(([a = ''], [b = '']) => (a < b ? -1 : 1)),
  );
}

/** Labels that are spread into the others are there only where the operator was told so. */
function labelWords(labels: string): string {
  return labels
    .replace(/['\s]/g, '')
    .replace(/\.\.\.\w+/, '(node)')
    .replace(/,$/, '')
    .replaceAll(',', ', ');
}

const declaration =
  /name: '((?:muster|node_readiness|kube_node_ready|workqueue|controller_runtime|rest_client|leader_election)_\w+)',\s+help: '([^']+)',?(?:\s+labels: \[([^\]]*)\])?/g;

function sourceFiles(): readonly string[] {
  const src = path.resolve(import.meta.dirname, '../../src');
  return readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .map((file) => path.join(src, file));
}
