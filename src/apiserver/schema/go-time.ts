// Times and durations as Go reads and prints them, exactly, in nanoseconds: a double cannot hold those of our century.

const unitNanos: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', 1_000n],
  ['µs', 1_000n],
  ['μs', 1_000n],
  ['ms', 1_000_000n],
  ['s', 1_000_000_000n],
  ['m', 60_000_000_000n],
  ['h', 3_600_000_000_000n],
]);

const int64Max = 2n ** 63n - 1n;

/** `1h30m`, `-2.5s`, `0`; null for what is no duration. */
export function parseDuration(text: string): bigint | null {
  const match = /^([+-]?)((?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+|0)$/.exec(text);
  const [, sign, body = ''] = match ?? [];
  if (match === null) return null;
  let total = 0n;
  for (const [, whole = '', fraction = '', unit = ''] of body.matchAll(
    /(\d*)\.?(\d*)(ns|us|µs|μs|ms|s|m|h)/g,
  )) {
    const nanos = unitNanos.get(unit) ?? 0n;
    total += BigInt(whole || '0') * nanos;
    total += (BigInt(fraction || '0') * nanos) / 10n ** BigInt(fraction.length);
  }
  if (total > int64Max) return null;
  return sign === '-' ? -total : total;
}

// In the order in which they are tried: the last name of a unit may be followed by more letters.
const looseUnits: readonly (readonly [readonly string[], bigint])[] = [
  [['ns', 'nano'], 1n],
  [['us', 'µs', 'micro'], 1_000n],
  [['ms', 'milli'], 1_000_000n],
  [['s', 'sec'], 1_000_000_000n],
  [['m', 'min'], 60_000_000_000n],
  [['h', 'hr', 'hour'], 3_600_000_000_000n],
  [['d', 'day'], 86_400_000_000_000n],
  [['w', 'wk', 'week'], 604_800_000_000_000n],
];

/** What the format `duration` allows besides: `3 days`, `2 weeks`. */
export function parseLooseDuration(text: string): bigint | null {
  const strict = parseDuration(text);
  if (strict !== null) return strict;
  let total: bigint | null = null;
  for (const [, count = '', letters = ''] of text.matchAll(/(\d+)\s*([A-Za-zµ]+)/g)) {
    const unit = letters.toLowerCase();
    for (const [names, nanos] of looseUnits) {
      if (names.includes(unit) || unit.startsWith(names.at(-1) ?? ''))
        total = (total ?? 0n) + BigInt(count) * nanos;
    }
  }
  return total;
}

/** `1h30m0s`. */
export function formatDuration(nanos: bigint): string {
  if (nanos === 0n) return '0s';
  const sign = nanos < 0n ? '-' : '';
  const rest = nanos < 0n ? -nanos : nanos;
  if (rest < 1_000n) return `${sign}${rest}ns`;
  if (rest < 1_000_000n) return `${sign}${decimal(rest, 3)}µs`;
  if (rest < 1_000_000_000n) return `${sign}${decimal(rest, 6)}ms`;
  const seconds = decimal(rest % 60_000_000_000n, 9);
  const minutes = rest / 60_000_000_000n;
  if (minutes === 0n) return `${sign}${seconds}s`;
  return minutes < 60n
    ? `${sign}${minutes}m${seconds}s`
    : `${sign}${minutes / 60n}h${minutes % 60n}m${seconds}s`;
}

/** A moment and the zone in which it was written: texts of it keep the zone. */
export type ZonedTime = { readonly nanos: bigint; readonly offsetMinutes: number };

/** Null for what is no time. The `T` and the `Z` are upper case, as Go wants them. */
export function parseRfc3339(text: string): ZonedTime | null {
  const match = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:[.,](\d+))?(?:Z|([+-])(\d\d):(\d\d))$/.exec(
    text,
  );
  if (match === null) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
  const isTime = hour < 24 && minute < 60 && second < 60 && month >= 1 && month <= 12;
  if (!isTime || day < 1 || day > daysOf(year, month)) return null;
  const [, , , , , , , fraction = '', sign = '+', offsetHours = '0', offsetMinute = '0'] = match;
  if (Number(offsetHours) > 23 || Number(offsetMinute) > 59) return null;
  const offsetMinutes = (Number(offsetHours) * 60 + Number(offsetMinute)) * (sign === '-' ? -1 : 1);
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute - offsetMinutes, second);
  const nanos = BigInt(date.getTime()) * 1_000_000n + BigInt(fraction.slice(0, 9).padEnd(9, '0'));
  return { nanos, offsetMinutes };
}

/** With as many fractional digits as needed. */
export function formatTimestamp({ nanos, offsetMinutes }: ZonedTime): string {
  const fraction = ((nanos % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n;
  const seconds = Number((nanos - fraction) / 1_000_000_000n) + offsetMinutes * 60;
  const text = new Date(seconds * 1000).toISOString().slice(0, 19);
  const digits = fraction === 0n ? '' : `.${String(fraction).padStart(9, '0').replace(/0+$/, '')}`;
  return `${text}${digits}${zoneText(offsetMinutes)}`;
}

function zoneText(offsetMinutes: number): string {
  if (offsetMinutes === 0) return 'Z';
  const size = Math.abs(offsetMinutes);
  const twoDigits = (value: number) => String(value).padStart(2, '0');
  return `${offsetMinutes < 0 ? '-' : '+'}${twoDigits(Math.floor(size / 60))}:${twoDigits(size % 60)}`;
}

export function daysOf(year: number, month: number): number {
  if (month !== 2) return [4, 6, 9, 11].includes(month) ? 30 : 31;
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28;
}

function decimal(value: bigint, places: number): string {
  const scale = 10n ** BigInt(places);
  const fraction = String(value % scale)
    .padStart(places, '0')
    .replace(/0+$/, '');
  return fraction === '' ? String(value / scale) : `${value / scale}.${fraction}`;
}
