// The only door to the YAML parser, which is loaded when a kubeconfig is read and not before: in a pod it never is.

import { err, ok, type Result } from '../base/result.ts';

/** One document as plain data; the error says where it is wrong. */
export async function parseYaml(text: string): Promise<Result<unknown, string>> {
  const { load } = await import('js-yaml');
  try {
    return ok(load(text));
  } catch (error) {
    return err((error as Error).message);
  }
}
