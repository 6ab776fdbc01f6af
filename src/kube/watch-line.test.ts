import { describe, expect, it } from 'vitest';
import { readerWithoutLists } from './unread-lists.ts';
import { parseWatchLine } from './watch-line.ts';

const read = (line: string) => parseWatchLine(Buffer.from(line), readerWithoutLists([]));

function bookmark(annotations?: Readonly<Record<string, string>>): string {
  return JSON.stringify({ type: 'BOOKMARK', object: { metadata: { resourceVersion: '77', annotations } } });
}

describe('parseWatchLine', () => {
  it.each(['ADDED', 'MODIFIED', 'DELETED'])('reads %s', (change) => {
    const object = { kind: 'Node', metadata: { name: 'a', resourceVersion: '5' } };
    expect(read(JSON.stringify({ type: change, object }))).toEqual({
      kind: 'object',
      change,
      object,
    });
  });

  it('tells the bookmark that ends the initial events from the others', () => {
    const plain = { kind: 'bookmark', resourceVersion: '77', endsInitialEvents: false };
    expect(read(bookmark())).toEqual(plain);
    expect(read(bookmark({ 'k8s.io/initial-events-end': 'true' }))).toEqual({
      ...plain,
      endsInitialEvents: true,
    });
  });

  it('reads an error as a classified failure', () => {
    const line =
      '{"type":"ERROR","object":{"kind":"Status","code":410,"reason":"Expired","message":"too old"}}';
    expect(read(line)).toMatchObject({
      kind: 'error',
      failure: { reason: 'Expired', retry: 'soon' },
    });
  });

  it.each([
    ['half a line', '{"type":"ADDED","obj'],
    ['a page of something else', '<html>'],
    ['a number', '5'],
    ['no object', '{"type":"ADDED"}'],
    ['a type that is not known', '{"type":"RENAMED","object":{}}'],
    ['a null', 'null'],
  ])('takes %s for garbled', (_name, line) => {
    expect(read(line)).toEqual({ kind: 'garbled', text: line });
  });

  it('keeps only the beginning of a garbled line', () => {
    expect(read('x'.repeat(5000))).toEqual({ kind: 'garbled', text: 'x'.repeat(200) });
  });
});
