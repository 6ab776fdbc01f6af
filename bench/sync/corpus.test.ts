import { describe, expect, it } from 'vitest';
import { createCorpus } from './corpus.ts';

const nodeAt = (index: number) => ({
  kind: 'Node',
  metadata: { name: `n${index}`, resourceVersion: String(100 + index), labels: { city: 'Köln' } },
  spec: { tail: 'end' },
});
const corpus = createCorpus(4, nodeAt);

describe('a corpus', () => {
  it('is one ADDED event per line', () => {
    const lines = corpus.added.toString().trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual(
      [0, 1, 2, 3].map((index) => ({ type: 'ADDED', object: nodeAt(index) })),
    );
  });

  it.each([
    [0, 4],
    [0, 1],
    [1, 3],
    [3, 4],
    [2, 2],
  ])('has the items from %d to before %d as the inside of a JSON list', (from, to) => {
    const indexes = [0, 1, 2, 3].slice(from, to);
    expect(JSON.parse(`[${corpus.items(from, to).toString()}]`)).toEqual(indexes.map(nodeAt));
  });

  it('changes nothing of an object but its resourceVersion when it is modified', () => {
    const line = corpus.modified(2, '123456789').toString();
    const { metadata, ...rest } = nodeAt(2);
    expect(line.endsWith('\n')).toBe(true);
    expect(JSON.parse(line)).toEqual({
      type: 'MODIFIED',
      object: { ...rest, metadata: { ...metadata, resourceVersion: '123456789' } },
    });
  });
});
