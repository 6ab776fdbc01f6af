// The columns in which kubectl shows a kind, as data: the server prints, so that every client shows the same.

import type { Instant } from '../../base/clock.ts';
import { parseTime } from '../../base/timestamp.ts';
import type { RawObject } from '../../objects/raw.ts';

export type Column = {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  readonly format: string;
  readonly description: string;
  /** 0 is always shown; others only in the wide form. */
  readonly priority: number;
  cell(object: RawObject, now: Instant): unknown;
};

export function column(name: string, cell: Column['cell'], more: Partial<Column> = {}): Column {
  return { name, type: 'string', format: '', description: name, priority: 0, cell, ...more };
}

export const nameColumn = column('Name', (object) => object.metadata?.name ?? '', { format: 'name' });
export const ageColumn = column('Age', (object, now) => formatAge(object.metadata?.creationTimestamp, now));
export const nameAndAge: readonly Column[] = [nameColumn, ageColumn];

export function wide(name: string, cell: Column['cell']): Column {
  return column(name, cell, { priority: 1 });
}

export function count(name: string, cell: Column['cell']): Column {
  return column(name, cell, { type: 'integer' });
}

/** `<unknown>` for what is no time; else as kubectl writes ages: `37s`, `2m5s`, `3h`, `2d4h`, `319d`, `2y`. */
export function formatAge(timestamp: unknown, now: Instant): string {
  const then = typeof timestamp === 'string' ? parseTime(timestamp) : null;
  return then === null ? '<unknown>' : formatDuration(Math.max(0, Math.floor((now - then) / 1000)));
}

type Step = { readonly below: number; readonly units: readonly (readonly [size: number, unit: string])[] };

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

const steps: readonly Step[] = [
  { below: 2 * MINUTE, units: [[1, 's']] },
  {
    below: 10 * MINUTE,
    units: [
      [MINUTE, 'm'],
      [1, 's'],
    ],
  },
  { below: 3 * HOUR, units: [[MINUTE, 'm']] },
  {
    below: 8 * HOUR,
    units: [
      [HOUR, 'h'],
      [MINUTE, 'm'],
    ],
  },
  { below: 2 * DAY, units: [[HOUR, 'h']] },
  {
    below: 8 * DAY,
    units: [
      [DAY, 'd'],
      [HOUR, 'h'],
    ],
  },
  { below: 2 * YEAR, units: [[DAY, 'd']] },
  {
    below: 8 * YEAR,
    units: [
      [YEAR, 'y'],
      [DAY, 'd'],
    ],
  },
  { below: Number.POSITIVE_INFINITY, units: [[YEAR, 'y']] },
];

function formatDuration(seconds: number): string {
  const { units } = steps.find(({ below }) => seconds < below) ?? { units: [] };
  let rest = seconds;
  const parts = units.map(([size, unit], index) => {
    const amount = Math.floor(rest / size);
    rest -= amount * size;
    return amount === 0 && index > 0 ? '' : `${amount}${unit}`;
  });
  return parts.join('');
}
