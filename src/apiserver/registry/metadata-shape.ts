// The metadata that every object has, and the fields around it.

import { type Field, type Fields, flag, int, list, pointer, setOf, struct, text, texts } from './shape.ts';

const ownerReference = struct({
  apiVersion: shownText(),
  kind: shownText(),
  name: shownText(),
  uid: shownText(),
  controller: pointer(flag),
  blockOwnerDeletion: pointer(flag),
});

/** managedFields are not kept: they belong to server-side apply, which is out of scope. */
export const metadataFields: Fields = {
  name: text,
  generateName: text,
  namespace: text,
  uid: text,
  resourceVersion: text,
  generation: int,
  creationTimestamp: pointer({ shape: { kind: 'time' }, emit: 'present' }),
  deletionTimestamp: pointer({ shape: { kind: 'time' }, emit: 'present' }),
  deletionGracePeriodSeconds: pointer(int),
  labels: texts,
  annotations: texts,
  ownerReferences: list(ownerReference, 'uid'),
  finalizers: setOf(text),
};

/** Fields that clients send and the server takes without a word, and does not keep. */
export const silentMetadata: readonly string[] = ['managedFields', 'selfLink'];

export const metadata = struct(metadataFields);

function shownText(): Field {
  return { shape: { kind: 'text' }, emit: 'always' };
}

/** A whole kind: its own fields behind the ones that all have. */
export function kindFields(fields: Fields): Fields {
  return { kind: text, apiVersion: text, metadata, ...fields };
}
