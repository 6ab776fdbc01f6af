// The token between two pages of a list: the revision that the pages share and the key after which the next one begins.
// It says everything itself, so that the server remembers no list.

import { isRecord } from '../../objects/raw.ts';

type Continue = { readonly revision: number; readonly after: string };

const FORM = 'meta.k8s.io/v1';

export function formatContinue(revision: number, after: string): string {
  return Buffer.from(JSON.stringify({ v: FORM, rv: revision, start: `${after}\0` })).toString('base64url');
}

export function parseContinue(token: string): Continue | null {
  try {
    const read: unknown = JSON.parse(Buffer.from(token, 'base64url').toString('utf8'));
    if (!isRecord(read) || read['v'] !== FORM) return null;
    const { rv, start } = read;
    if (typeof rv !== 'number' || typeof start !== 'string' || !start.endsWith('\0')) return null;
    return { revision: rv, after: start.slice(0, -1) };
  } catch {
    return null;
  }
}
