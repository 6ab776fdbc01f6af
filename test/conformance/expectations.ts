// What cases expect, in few words: refusals as the server says them, names of a list, an object without its bookkeeping.

import { expect } from 'vitest';
import type { RawObject } from '../../src/objects/raw.ts';
import type { Reply } from './target.ts';

/** A Status of failure; its message must contain the words. */
export function refusal(code: number, reason: string, words = ''): object {
  const message = expect.stringContaining(words);
  return {
    status: code,
    body: { kind: 'Status', apiVersion: 'v1', status: 'Failure', code, reason, message },
  };
}

/** Invalid, with a cause of this reason at this field. */
export function invalid(field: string, cause: string): object {
  return {
    status: 422,
    body: {
      kind: 'Status',
      reason: 'Invalid',
      code: 422,
      details: { causes: expect.arrayContaining([expect.objectContaining({ field, reason: cause })]) },
    },
  };
}

export function namesIn({ body }: Reply): readonly (string | undefined)[] {
  return (body.items ?? []).map((item) => item.metadata?.name);
}

export function versionOf({ body }: { readonly body: RawObject }): string {
  return body.metadata?.resourceVersion ?? '';
}

/** The reply's own word for where to go on, empty at the end of a list. */
export function continueOf({ body }: Reply): string {
  const token: unknown = Reflect.get(body.metadata ?? {}, 'continue');
  return typeof token === 'string' ? token : '';
}

/** For a PUT: what was read, changed. */
export function changed(object: RawObject, change: RawObject): RawObject {
  return { ...object, ...change, metadata: { ...object.metadata, ...change.metadata } };
}

/** The texts of the Warning headers. */
export function warningsOf({ headers }: Reply): readonly string[] {
  const header = headers['warning'] ?? '';
  return [...header.matchAll(/299 - "((?:[^"\\]|\\.)*)"/g)].map(([, text = '']) =>
    text.replaceAll('\\"', '"'),
  );
}
