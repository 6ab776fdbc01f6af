import { describe, expect, it } from 'vitest';
import { LiveRegion } from './live-region.ts';

function terminal() {
  const writes: string[] = [];
  return { writes, region: new LiveRegion({ write: (text) => void writes.push(text) }) };
}

/** What a terminal shows after these writes: enough of one for what a region does. */
function screenOf(writes: readonly string[]): readonly string[] {
  let lines: string[] = [''];
  let row = 0;
  for (const piece of writes.join('').split(/(\n|\r)/)) {
    const [line = '', ...codes] = piece.split('\u001B[');
    if (piece === '\n') lines[++row] ??= '';
    else if (line !== '' && line !== '\r') lines[row] = line;
    for (const code of codes) {
      if (/^\d+A/.test(code)) row -= Number.parseInt(code, 10);
      if (code === 'J') lines = [...lines.slice(0, row), ''];
      const after = code.replace(/^[?\d]*[A-Za-z]/, '');
      if (after !== '') lines[row] = after;
    }
  }
  return lines;
}

describe('a live region', () => {
  it('is drawn in place, each time with one write', () => {
    const { region, writes } = terminal();
    region.draw(['one', 'two', 'three']);
    region.draw(['one', 'TWO']);
    expect(writes).toHaveLength(2);
    expect(screenOf(writes)).toEqual(['one', 'TWO', '']);
  });

  it('writes nothing when nothing changed', () => {
    const { region, writes } = terminal();
    region.draw(['one']);
    region.draw(['one']);
    expect(writes).toHaveLength(1);
  });

  it('hides the cursor while it lives and gives it back at its end', () => {
    const { region, writes } = terminal();
    region.draw(['one']);
    region.end();
    expect(writes[0]).toContain('\u001B[?25l');
    expect(writes.at(-1)).toContain('\u001B[?25h');
  });

  it('leaves a terminal alone that it never drew on', () => {
    const { region, writes } = terminal();
    region.redraw(['above']);
    region.end();
    expect(writes).toEqual([]);
  });

  it('starts on an empty screen after the window changed', () => {
    const { region, writes } = terminal();
    region.draw(['one']);
    region.redraw(['above']);
    expect(writes.slice(1).join('')).toContain('\u001B[2J\u001B[Habove\n');
    expect(writes.at(-1)).toContain('one');
  });
});
