// Functions on strings. Positions count characters, a surrogate pair being one, and case is that of ASCII only.

import { err, ok, type Result } from '../../../base/result.ts';
import { goNumber, goQuote } from '../go-text.ts';
import { formatTimestamp } from '../go-time.ts';
import { compileRegExp, findAllMatches } from '../regular-expression.ts';
import { formatSeconds } from './conversions.ts';
import { type Overload, overload } from './overload.ts';
import { CelError, type CelList, kindOf, listOf, type Value } from './value.ts';

type Replacement = readonly [text: string, old: string, next: string, count: bigint];

export const strings: readonly Overload[] = [
  overload('string => contains(string): bool', (text: string, part: string) => text.includes(part)),
  overload('string => startsWith(string): bool', (text: string, part: string) => text.startsWith(part)),
  overload('string => endsWith(string): bool', (text: string, part: string) => text.endsWith(part)),
  overload('string => matches(string): bool', isMatch),
  overload('matches(string, string): bool', isMatch),
  overload(
    'string => find(string): string',
    (text: string, pattern: string) => expressionOf(pattern).exec(text)?.[0] ?? '',
  ),
  overload('string => findAll(string): list<string>', (text: string, pattern: string) =>
    listOf(findAllMatches(expressionOf(pattern), text)),
  ),
  overload('string => findAll(string, int): list<string>', (text: string, pattern: string, count: bigint) =>
    listOf(findAllMatches(expressionOf(pattern), text, count < 0n ? Infinity : Number(count))),
  ),
  overload('string => lowerAscii(): string', (text: string) =>
    text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()),
  ),
  overload('string => upperAscii(): string', (text: string) =>
    text.replace(/[a-z]/g, (letter) => letter.toUpperCase()),
  ),
  overload('string => trim(): string', trimmed),
  overload('string => charAt(int): string', charAt),
  overload('string => substring(int): string', (text: string, start: bigint) => substring(text, start)),
  overload('string => substring(int, int): string', substring),
  overload('string => indexOf(string): int', (text: string, part: string) => indexIn(text, part, 0n)),
  overload('string => indexOf(string, int): int', indexIn),
  overload('string => lastIndexOf(string): int', (text: string, part: string) => lastIndexIn(text, part)),
  overload('string => lastIndexOf(string, int): int', lastIndexIn),
  overload('string => replace(string, string): string', (text: string, old: string, next: string) =>
    text.replaceAll(old, () => next),
  ),
  overload('string => replace(string, string, int): string', (...[text, old, next, count]: Replacement) =>
    replaceSome(text, old, { next, count }),
  ),
  overload('string => split(string): list<string>', (text: string, by: string) =>
    listOf(split(text, by, -1n)),
  ),
  overload('string => split(string, int): list<string>', (text: string, by: string, count: bigint) =>
    listOf(split(text, by, count)),
  ),
  overload('list<string> => join(): string', (list: CelList) => join(list, '')),
  overload('list<string> => join(string): string', join),
  overload('strings.quote(string): string', quoteLiteral),
  overload('string => format(list<dyn>): string', (template: string, { items }: CelList) =>
    format(template, items),
  ),
];

/** Whether we can format as the API server does: fractions depend on its locale. */
export function checkFormat(template: string): Result<null, string> {
  const bad = template.replaceAll('%%', '').match(/%(?![sdxXbo])[\s\S]?/);
  return bad === null ? ok(null) : err(`the format ${bad[0]} is not supported here`);
}

function isMatch(text: string, pattern: string): boolean {
  return expressionOf(pattern).test(text);
}

function expressionOf(pattern: string): RegExp {
  const compiled = compileRegExp(pattern);
  if (compiled.kind === 'ok') return compiled.value;
  throw new CelError(compiled.error);
}

// What Unicode calls white space, which is not quite what JavaScript does.
function trimmed(text: string): string {
  return text.replace(/^[\p{White_Space}]+|[\p{White_Space}]+$/gu, '');
}

function charAt(text: string, index: bigint): string {
  const characters = Array.from(text);
  if (index < 0n || index > characters.length) throw new CelError(`index out of range: ${index}`);
  return characters[Number(index)] ?? '';
}

function substring(text: string, start: bigint, end?: bigint): string {
  const characters = Array.from(text);
  const size = BigInt(characters.length);
  if (end !== undefined && start > end)
    throw new CelError(`invalid substring range. start: ${start}, end: ${end}`);
  for (const index of end === undefined ? [start] : [start, end]) {
    if (index < 0n || index > size) throw new CelError(`index out of range: ${index}`);
  }
  return characters.slice(Number(start), end === undefined ? undefined : Number(end)).join('');
}

function indexIn(text: string, part: string, from: bigint): bigint {
  if (part === '') return from;
  if (from < 0n) throw new CelError(`index out of range: ${from}`);
  const before = Array.from(text).slice(0, Number(from)).join('');
  const found = text.indexOf(part, before.length);
  return found < 0 || from >= Array.from(text).length ? -1n : BigInt(Array.from(text.slice(0, found)).length);
}

function lastIndexIn(text: string, part: string, from?: bigint): bigint {
  const characters = Array.from(text);
  if (part === '') return from ?? BigInt(characters.length);
  if (from !== undefined && from < 0n) throw new CelError(`index out of range: ${from}`);
  if (from !== undefined && from >= characters.length) return -1n;
  const limit = from === undefined ? Infinity : characters.slice(0, Number(from)).join('').length;
  const found = text.lastIndexOf(part, limit);
  return found < 0 ? -1n : BigInt(Array.from(text.slice(0, found)).length);
}

function replaceSome(text: string, old: string, { next, count }: { next: string; count: bigint }): string {
  if (count < 0n) return text.replaceAll(old, () => next);
  let left = count;
  return text.replaceAll(old, (found) => (left-- > 0n ? next : found));
}

function split(text: string, by: string, count: bigint): readonly string[] {
  if (count === 0n) return [];
  const parts = by === '' ? Array.from(text) : text.split(by);
  if (count < 0n || parts.length <= count) return parts;
  const kept = parts.slice(0, Number(count) - 1);
  return [...kept, parts.slice(Number(count) - 1).join(by)];
}

/** Unlike `%q`, only what has an escape of its own is escaped. */
function quoteLiteral(text: string): string {
  const letters: Readonly<Record<string, string>> = {
    '\x07': 'a',
    '\b': 'b',
    '\f': 'f',
    '\n': 'n',
    '\r': 'r',
    '\t': 't',
    '\v': 'v',
  };
  // oxlint-disable-next-line no-control-regex
  return `"${text.replace(/[\x07\b\f\n\r\t\v\\"]/g, (found) => `\\${letters[found] ?? found}`)}"`;
}

function join({ items }: CelList, by: string): string {
  const isText = (item: Value) => typeof item === 'string';
  if (!items.every(isText)) throw new CelError('no such overload');
  return items.filter(isText).join(by);
}

function format(template: string, args: readonly Value[]): string {
  let index = 0;
  return template.replace(/%([%sdxXbo])/g, (_, verb: string) => {
    if (verb === '%') return '%';
    const value = args[index];
    if (value === undefined) throw new CelError(`index ${index} out of range`);
    index += 1;
    return verb === 's' ? formatValue(value) : formatNumber(verb, value);
  });
}

function formatNumber(verb: string, value: Value): string {
  if (typeof value === 'bigint') {
    const text = value.toString({ d: 10, x: 16, X: 16, b: 2, o: 8 }[verb] ?? 10);
    return verb === 'X' ? text.toUpperCase() : text;
  }
  if (typeof value === 'boolean' && verb === 'b') return value ? '1' : '0';
  if (typeof value === 'string' && verb.toLowerCase() === 'x') {
    const text = Buffer.from(value).toString('hex');
    return verb === 'X' ? text.toUpperCase() : text;
  }
  throw new CelError(`error during formatting: %${verb} cannot be used on a value of type ${kindOf(value)}`);
}

function formatValue(value: Value): string {
  if (typeof value === 'number') return goNumber(value);
  if (value === null || typeof value !== 'object') return String(value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString();
  if (value.kind === 'timestamp') return formatTimestamp(value);
  if (value.kind === 'duration') return formatSeconds(value.nanos);
  if (value.kind === 'list') return `[${value.items.map(quoted).join(', ')}]`;
  if (value.kind === 'map') {
    const entries = [...value.entries].map(([key, item]) => `${quoted(key)}: ${quoted(item)}`);
    return `{${entries.sort().join(', ')}}`;
  }
  throw new CelError(`error during formatting: %s of a ${value.kind} is not supported here`);
}

// Fractions inside of a list depend on the locale of the server.
function quoted(value: Value): string {
  const kind = kindOf(value);
  if (typeof value === 'string') return goQuote(value);
  if (['int', 'bool', 'null_type', 'list', 'map'].includes(kind)) return formatValue(value);
  throw new CelError(`error during formatting: %s of a list of ${kind} is not supported here`);
}
