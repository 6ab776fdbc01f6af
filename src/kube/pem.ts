// Certificates and keys as kubeconfigs hold them: the text itself, or the file to read it from.

import { err, ok, type Result } from '../base/result.ts';
import type { Files } from './host-ports.ts';

export type Pem =
  | { readonly kind: 'inline'; readonly text: string }
  | { readonly kind: 'file'; readonly path: string };

/** The error is a sentence that names the file. */
export async function readPem(pem: Pem, files: Files): Promise<Result<string, string>> {
  if (pem.kind === 'inline') return ok(pem.text);
  const content = await files.read(pem.path);
  return content.kind === 'ok' ? content : err(content.error.message);
}
