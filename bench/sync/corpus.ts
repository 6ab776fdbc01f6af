// The fleet as bytes, serialised once before anything is measured: as the lines of a watch and as the items of a list.

import type { RawObject } from '../../src/objects/raw.ts';

export type Corpus = {
  readonly size: number;
  /** One ADDED event per object, each a line. */
  readonly added: Buffer;
  /** The objects from one index to before another, with commas between them. */
  readonly items: (from: number, to: number) => Buffer;
  /** One object as a MODIFIED event, as if written just now. */
  readonly modified: (index: number, resourceVersion: string) => Buffer;
};

const comma = Buffer.from(',');
const modifiedHead = Buffer.from('{"type":"MODIFIED","object":');
const lineEnd = Buffer.from('}\n');
const versionHead = '"resourceVersion":"';

export function createCorpus(size: number, make: (index: number) => RawObject): Corpus {
  const objects = Array.from({ length: size }, (_, index) => JSON.stringify(make(index)));
  const added = Buffer.from(objects.map((text) => `{"type":"ADDED","object":${text}}\n`).join(''));
  const joined = Buffer.from(objects.join(','));
  const ends = endsOf(objects);
  const startOf = (index: number) => (index === 0 ? 0 : (ends[index - 1] ?? 0) + comma.length);
  const items = (from: number, to: number) =>
    to <= from ? Buffer.alloc(0) : joined.subarray(startOf(from), ends[to - 1]);
  return {
    size,
    added,
    items,
    modified(index, resourceVersion) {
      const object = items(index, index + 1);
      const from = object.indexOf(versionHead) + versionHead.length;
      const to = object.indexOf('"', from);
      const version = Buffer.from(resourceVersion);
      return Buffer.concat([modifiedHead, object.subarray(0, from), version, object.subarray(to), lineEnd]);
    },
  };
}

function endsOf(objects: readonly string[]): readonly number[] {
  let end = -comma.length;
  return objects.map((text) => (end += comma.length + Buffer.byteLength(text)));
}
