// Objects as JSON text, written once each: a change that a hundred watchers see is one text. Stored objects never change,
// so a text holds for as long as its object lives.

import type { RawObject } from '../../objects/raw.ts';
import type { ResourceDefinition } from '../registry/definition.ts';

export class ObjectTexts {
  readonly #whole = new WeakMap<RawObject, string>();
  readonly #bare = new WeakMap<RawObject, string>();

  of(object: RawObject): string {
    const known = this.#whole.get(object);
    if (known !== undefined) return known;
    const text = JSON.stringify(object);
    this.#whole.set(object, text);
    return text;
  }

  /** As it stands in a list: built-in kinds leave out what the list says already. */
  inList(definition: ResourceDefinition, object: RawObject): string {
    if (definition.fields === null) return this.of(object);
    const known = this.#bare.get(object);
    if (known !== undefined) return known;
    const { kind: _, apiVersion: __, ...rest } = object;
    const text = JSON.stringify(rest);
    this.#bare.set(object, text);
    return text;
  }
}
