// Parts of times and durations. A zone is an IANA name or an offset such as `-08:00`; without one it is UTC.

import { type Overload, overload } from './overload.ts';
import { CelError } from './value.ts';

type Nanos = { readonly nanos: bigint };
type Part = (date: Date) => number;

const dayMs = 86_400_000;

const parts: readonly (readonly [string, Part])[] = [
  ['getFullYear', (date) => date.getUTCFullYear()],
  ['getMonth', (date) => date.getUTCMonth()],
  ['getDayOfYear', (date) => Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / dayMs)],
  ['getDayOfMonth', (date) => date.getUTCDate() - 1],
  ['getDate', (date) => date.getUTCDate()],
  ['getDayOfWeek', (date) => date.getUTCDay()],
  ['getHours', (date) => date.getUTCHours()],
  ['getMinutes', (date) => date.getUTCMinutes()],
  ['getSeconds', (date) => date.getUTCSeconds()],
  ['getMilliseconds', (date) => date.getUTCMilliseconds()],
];

export const times: readonly Overload[] = [
  ...parts.flatMap(([name, part]) => [
    overload(`timestamp => ${name}(): int`, (time: Nanos) => BigInt(part(dateOf(time)))),
    overload(`timestamp => ${name}(string): int`, (time: Nanos, zone: string) =>
      BigInt(part(inZone(dateOf(time), zone))),
    ),
  ]),
  overload('duration => getHours(): int', ({ nanos }: Nanos) => nanos / 3_600_000_000_000n),
  overload('duration => getMinutes(): int', ({ nanos }: Nanos) => nanos / 60_000_000_000n),
  overload('duration => getSeconds(): int', ({ nanos }: Nanos) => nanos / 1_000_000_000n),
  overload('duration => getMilliseconds(): int', ({ nanos }: Nanos) => nanos / 1_000_000n),
];

function dateOf({ nanos }: Nanos): Date {
  const ms = nanos / 1_000_000n;
  return new Date(Number(nanos % 1_000_000n < 0n ? ms - 1n : ms));
}

/** A date whose UTC parts are those of the clock in the zone. */
function inZone(date: Date, zone: string): Date {
  const [, sign, hours, minutes] = /^([+-]?)(\d\d):(\d\d)$/.exec(zone) ?? [];
  if (sign !== undefined) {
    const offset = (Number(hours) * 60 + Number(minutes)) * 60_000 * (sign === '-' ? -1 : 1);
    return new Date(date.getTime() + offset);
  }
  try {
    const shown = date.toLocaleString('sv-SE', { timeZone: zone });
    return new Date(Date.parse(`${shown.replace(' ', 'T')}Z`) + (((date.getTime() % 1000) + 1000) % 1000));
  } catch {
    throw new CelError(`unknown time zone ${zone}`);
  }
}
