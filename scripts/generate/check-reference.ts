// The tables of the reference page of checks, from the list of checks itself.

import { checks } from '../../src/checks/list.ts';
import { table } from './reference.ts';

export function checkTable(): string {
  const rows = checks.map(({ name, summary, params }) => [
    `\`${name}\``,
    summary,
    Object.keys(params)
      .map((param) => `\`${param}\``)
      .join(', '),
  ]);
  return table(['Check', 'What it proves', 'Parameters'], rows);
}

export function paramTable(): string {
  const rows = checks.flatMap(({ name, params }) =>
    Object.entries(params).map(([param, { kind, fallback, help }]) => [
      `\`${name}\``,
      `\`${param}\``,
      kind.words,
      `\`${JSON.stringify(fallback)}\``,
      help,
    ]),
  );
  return table(['Check', 'Parameter', 'Type', 'Default', 'Meaning'], rows);
}
