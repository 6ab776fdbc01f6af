// The only door to the YAML parser, which is loaded when a kubeconfig is read and not before: in a pod it never is.

import { err, ok, type Result } from '../base/result.ts';
import { thrownMessage } from './thrown.ts';

/** One document as plain data, undefined for an empty text. The error says where it is wrong, but not what stands there. */
export async function parseYaml(text: string): Promise<Result<unknown, string>> {
  const { loadAll } = await import('js-yaml');
  try {
    const documents = loadAll(text);
    return documents.length > 1 ? err('more than one document') : ok(documents[0]);
  } catch (error) {
    // The lines after the first quote the text around the mistake, and with it secrets.
    return err(thrownMessage(error).split('\n', 1).join());
  }
}
