// How Go prints values: the messages of the API server quote them, and ours must read the same.

import { isRecord } from '../../objects/raw.ts';

const namedEscapes: ReadonlyMap<string, string> = new Map([
  ['\x07', '\\a'],
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\v', '\\v'],
  ['"', '\\"'],
  ['\\', '\\\\'],
]);

/** `%q` of a string. */
export function goQuote(text: string): string {
  return `"${text.replace(/["\\]|[^\P{C}]|[^\P{Z} ]/gu, escaped)}"`;
}

function escaped(character: string): string {
  const named = namedEscapes.get(character);
  if (named !== undefined) return named;
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x80) return `\\x${hex(code, 2)}`;
  return code < 0x10000 ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`;
}

function hex(code: number, width: number): string {
  return code.toString(16).padStart(width, '0');
}

/** `%v` of a number: exponents have two digits and begin below 1e-4 and at 1e21. */
export function goNumber(value: number): string {
  const magnitude = Math.abs(value);
  if (magnitude !== 0 && magnitude < 1e-4) return twoDigitExponent(value.toExponential());
  return twoDigitExponent(String(value));
}

/** The shortest text of a double as Go converts it: exponents begin at a million already. */
export function goDouble(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  const magnitude = Math.abs(value);
  if (magnitude === Number.POSITIVE_INFINITY) return value > 0 ? '+Inf' : '-Inf';
  const isPlain = magnitude === 0 || (magnitude >= 1e-4 && magnitude < 1e6);
  return isPlain ? goNumber(value) : twoDigitExponent(value.toExponential());
}

function twoDigitExponent(text: string): string {
  return text.replace(/e([+-])(\d)$/, 'e$10$2');
}

/** Keys sorted, except those of a Map, which stands for a struct; what HTML could misread escaped. */
export function goJson(value: unknown): string {
  const text = JSON.stringify(value, sortKeys) ?? 'null';
  return text.replace(/[<>&\u2028\u2029]/g, (character) => `\\u${hex(character.charCodeAt(0), 4)}`);
}

function sortKeys(_key: string, value: unknown): unknown {
  if (value instanceof Map) return Object.fromEntries(value);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
