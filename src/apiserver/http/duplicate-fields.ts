// Fields that a JSON text says twice. The parser keeps the last one and says nothing, so the text is gone through once more:
// for every write, so without a copy of anything but the keys.

import { textOf } from '../../objects/raw.ts';

/** An object or list that is open; lists have no keys. */
type Place = { readonly keys: Set<string> | null; key: string; index: number };

const [QUOTE, BACKSLASH, COLON, COMMA] = [0x22, 0x5c, 0x3a, 0x2c];
const [OBJECT, OBJECT_END, LIST, LIST_END] = [0x7b, 0x7d, 0x5b, 0x5d];

/** The paths, in the order in which they are met. The text is known to be JSON. */
export function duplicateFields(text: string): readonly string[] {
  const found: string[] = [];
  const places: Place[] = [];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const end = endOfString(text, at);
      if (isKey(text, end)) note(places, text.slice(at, end + 1), found);
      at = end;
    } else if (code === OBJECT || code === LIST)
      places.push({ keys: code === OBJECT ? new Set() : null, key: '', index: 0 });
    else if (code === OBJECT_END || code === LIST_END) places.pop();
    else if (code === COMMA) {
      const place = places.at(-1);
      if (place !== undefined) place.index++;
    }
  }
  return found;
}

function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end < 0 ? text.length : end;
}

function isEscaped(text: string, at: number): boolean {
  let backslashes = 0;
  while (text.charCodeAt(at - 1 - backslashes) === BACKSLASH) backslashes++;
  return backslashes % 2 === 1;
}

function isKey(text: string, end: number): boolean {
  let next = end + 1;
  while (text.charCodeAt(next) <= 0x20) next++;
  return text.charCodeAt(next) === COLON;
}

function note(places: readonly Place[], quoted: string, found: string[]): void {
  const place = places.at(-1);
  if (place === undefined || place.keys === null) return;
  place.key = quoted.includes('\\') ? textOf(JSON.parse(quoted)) : quoted.slice(1, -1);
  if (!place.keys.has(place.key)) place.keys.add(place.key);
  else if (!found.includes(pathOf(places))) found.push(pathOf(places));
}

function pathOf(places: readonly Place[]): string {
  const path = places.map(({ keys, key, index }) => (keys === null ? `[${index}]` : `.${key}`)).join('');
  return path.startsWith('.') ? path.slice(1) : path;
}
