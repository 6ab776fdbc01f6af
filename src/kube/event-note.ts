// The note of an Event: what people read in `kubectl describe`. Parts of it come from other systems, so nothing in it may
// move the cursor, break a line or turn the reading direction, and it fits into what the API server accepts.

export function noteOf(text: string): string {
  const escaped = text.toWellFormed().replaceAll(unprintable, escapeOf);
  if (Buffer.byteLength(escaped) <= bytesMax) return escaped;
  // Stops before a character that does not fit as a whole.
  const room = new Uint8Array(bytesMax - Buffer.byteLength(ellipsis));
  return `${escaped.slice(0, encoder.encodeInto(escaped, room).read)}${ellipsis}`;
}

const bytesMax = 1024;
const ellipsis = '…';
const encoder = new TextEncoder();

/** Controls, formats (bidirectional overrides among them) and line separators. */
const unprintable = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

function escapeOf(character: string): string {
  if (character === '\n') return '\\n';
  if (character === '\t') return '\\t';
  const code = character.codePointAt(0) ?? 0;
  return `\\u{${code.toString(16)}}`;
}
