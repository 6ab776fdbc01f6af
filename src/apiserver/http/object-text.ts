// Objects as JSON text, written once for all who are told of one change. Only the latest texts are kept: ten thousand objects
// would need as much memory again as text.

import type { RawObject } from '../../objects/raw.ts';
import type { ResourceDefinition } from '../registry/definition.ts';

/** Enough for the changes that are on their way to watchers. */
const TEXTS_MAX = 256;

export class ObjectTexts {
  readonly #texts = new Map<RawObject, string>();

  of(object: RawObject): string {
    const known = this.#texts.get(object);
    if (known !== undefined) return known;
    const text = JSON.stringify(object);
    this.#texts.set(object, text);
    const [oldest] = this.#texts.keys();
    if (this.#texts.size > TEXTS_MAX && oldest !== undefined) this.#texts.delete(oldest);
    return text;
  }

  /** As it stands in a list: built-in kinds leave out what the list says already. */
  inList(definition: ResourceDefinition, object: RawObject): string {
    if (definition.fields === null) return JSON.stringify(object);
    const { kind: _, apiVersion: __, ...rest } = object;
    return JSON.stringify(rest);
  }
}
