// Where in an object a check stands. Made on every step and rendered, or compared with the object before an update,
// only when something is wrong: what is right costs one small object per field.

import type { Correlation } from './correlation.ts';
import { rootPath as unnamed } from './field-error.ts';

export class Place {
  readonly #parent: Place | null;
  readonly #step: string | number;
  readonly #segment: string;
  #before: Correlation | null | undefined;

  private constructor(parent: Place | null, step: string | number, segment: string) {
    this.#parent = parent;
    this.#step = step;
    this.#segment = segment;
  }

  /** `prefix` stands before the paths of its fields in errors, though not in their sentences. */
  static root(before: Correlation | null, prefix = ''): Place {
    const place = new Place(null, '', prefix);
    place.#before = before;
    return place;
  }

  field(name: string): Place {
    return new Place(this, name, `.${name}`);
  }

  /** A key of a map, where the API server writes it in brackets. */
  key(name: string): Place {
    return new Place(this, name, `[${name}]`);
  }

  index(index: number): Place {
    return new Place(this, index, `[${index}]`);
  }

  /** The same place, not to be compared with anything. */
  withoutBefore(): Place {
    const place = new Place(this.#parent, this.#step, this.#segment);
    place.#before = null;
    return place;
  }

  /** The same place before an update; null where there is none to compare with. */
  get before(): Correlation | null {
    if (this.#before === undefined) this.#before = this.#correlate();
    return this.#before;
  }

  /** As it stands in sentences: empty for the object itself. */
  get text(): string {
    const text = this.#segments;
    return text.startsWith('.') ? text.slice(1) : text;
  }

  /** As it stands in errors, where the object itself has a name too. */
  get path(): string {
    const { text, rootPath: root } = this;
    if (text === '') return root;
    if (root === unnamed) return text;
    return text.startsWith('[') ? root + text : `${root}.${text}`;
  }

  get rootPath(): string {
    return this.#parent === null ? this.#segment || unnamed : this.#parent.rootPath;
  }

  /** Whether the value here, or the nearest one around it that can be paired, is as it was before the update. */
  get isUnchanged(): boolean {
    if (this.before !== null) return this.before.isUnchanged;
    return this.#parent?.isUnchanged === true;
  }

  get #segments(): string {
    return this.#parent === null ? '' : this.#parent.#segments + this.#segment;
  }

  #correlate(): Correlation | null {
    const before = this.#parent?.before ?? null;
    if (before === null) return null;
    if (typeof this.#step === 'number') return before.item(this.#step);
    // The type of an object is not a change: both sides were converted to one version before they were compared.
    const isType = this.#step === 'apiVersion' || this.#step === 'kind';
    return isType && this.#parent !== null && this.#parent.#parent === null ? null : before.field(this.#step);
  }
}
