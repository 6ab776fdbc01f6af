// Sentences of a server without what differs from server to server: uids, versions, places in storage, names of Go types, and the
// object that is quoted whole.

import { textOf } from '../../../src/objects/raw.ts';

export function comparableSentence(text: unknown, nameOf: (uid: string) => string): string {
  return (
    textOf(text)
      .replaceAll(/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g, (uid) => nameOf(uid))
      .replaceAll(/(ResourceVersion in (?:the precondition|record)) \(\d+\)/g, '$1 (some version)')
      .replaceAll(/StorageError: .*?AdditionalErrorMsg: /g, '')
      .replaceAll(/(json: cannot unmarshal \w+).*?(?=,|$)/g, '$1')
      // What changed in the spec of a pod, in the names of Go.
      .replaceAll(/\n@@.*?(?=\]?$)/gs, '')
      // A patch that cannot be read is quoted with the whole object, field managers included.
      .replaceAll(/Invalid value: "(?:\{|map\[).*[}\]]": /gs, 'Invalid value: the object: ')
  );
}
