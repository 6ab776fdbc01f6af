import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { noteOf } from './event-note.ts';

describe('the note of an event', () => {
  it.each([
    ['plain words stay as they are', 'gate a/b is open', 'gate a/b is open'],
    ['a line break is shown', 'one\ntwo', 'one\\ntwo'],
    ['a terminal sequence is shown', '\u001b[31mred', '\\u{1b}[31mred'],
    ['a change of direction is shown', 'a\u202eb', 'a\\u{202e}b'],
    ['half of a character is replaced', 'a\ud800', 'a\ufffd'],
  ])('%s', (_sentence, text, note) => {
    expect(noteOf(text)).toBe(note);
  });

  it('never exceeds 1 kB nor holds anything that cannot be printed', () => {
    const text = fc.string({ unit: 'binary', maxLength: 3_000 });
    fc.assert(
      fc.property(text, (any) => {
        const note = noteOf(any);
        expect(Buffer.byteLength(note)).toBeLessThanOrEqual(1024);
        expect(note.isWellFormed()).toBe(true);
        expect(note).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
      }),
      { numRuns: 50 },
    );
  });

  it('shows that it was cut', () => {
    const note = noteOf('é'.repeat(1_000));
    expect(note).toBe(`${'é'.repeat(510)}…`);
  });
});
