import { describe, expect, it } from 'vitest';
import { manualClock } from '../../../test/support/manual-clock.ts';
import { PacedWriter } from './pace.ts';

/** Every look at the clock finds a millisecond gone. */
function scene(reader: 'fast' | 'slow') {
  const written: string[] = [];
  const seen = { turns: 0, drains: 0 };
  let elapsedMs = 0;
  const clock = {
    ...manualClock(),
    monotonicMs: () => elapsedMs++,
    nextTurn: async () => void seen.turns++,
  };
  const sink = {
    write: (text: string) => written.push(text) > 0 && reader === 'fast',
    drained: async () => void seen.drains++,
    end() {},
  };
  return { writer: new PacedWriter(sink, clock), written, seen };
}

async function write(writer: PacedWriter, texts: readonly string[]): Promise<void> {
  for (const text of texts) if (writer.add(text)) await writer.flush();
  await writer.flush();
}

describe('a paced writer', () => {
  it.each(['fast', 'slow'] as const)('gives way again and again to a %s reader', async (reader) => {
    const { writer, seen } = scene(reader);
    await write(
      writer,
      Array.from({ length: 100 }, () => 'a'),
    );
    expect(seen.turns).toBeGreaterThan(15);
  });

  it('waits for a slow reader after every batch', async () => {
    const { writer, written, seen } = scene('slow');
    await write(
      writer,
      Array.from({ length: 100 }, () => 'a'),
    );
    expect(seen.drains).toBe(written.length);
  });

  it('writes everything once, in order, several texts at a time', async () => {
    const { writer, written } = scene('fast');
    const texts = Array.from({ length: 100 }, (_, index) => `${index};`);
    await write(writer, texts);
    expect(written.join('')).toBe(texts.join(''));
    expect(written.length).toBeLessThan(texts.length / 2);
  });

  it('does not let a batch grow beyond its size', async () => {
    const { writer } = scene('fast');
    expect(writer.add('a'.repeat(64 * 1024))).toBe(true);
    await writer.flush();
    expect(writer.add('a')).toBe(false);
  });
});
