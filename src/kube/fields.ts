// Reads untrusted records field by field and collects everything that is wrong, with its path, instead of stopping at
// the first. A field that is missing or null reads as empty; one of another type is a problem and reads as empty too.

import type { Problem } from '../base/result.ts';
import { fieldsOf, isRecord } from '../objects/raw.ts';

/** Where a record stands: the path is empty for the whole of a file. */
export type FieldPlace = { readonly file: string; readonly path: string };

export class Fields {
  readonly #place: FieldPlace;
  readonly #record: Readonly<Record<string, unknown>>;
  readonly #problems: Problem[];

  constructor(value: unknown, place: FieldPlace, problems: Problem[]) {
    this.#place = place;
    this.#problems = problems;
    this.#record = fieldsOf(value);
    if (!isRecord(value) && value !== undefined && value !== null) this.refuse('', 'must be a mapping');
  }

  /** Notes a problem of a field; without a field, of the record itself. */
  refuse(field: string, message: string): void {
    const { file, path } = this.#placeOf(field);
    this.#problems.push({ path: path === '' ? file : `${file}: ${path}`, message });
  }

  has(field: string): boolean {
    return this.#record[field] !== undefined && this.#record[field] !== null;
  }

  text(field: string): string {
    if (!this.has(field)) return '';
    const value = this.#record[field];
    if (typeof value === 'string') return value;
    this.refuse(field, 'must be a text');
    return '';
  }

  requiredText(field: string): string {
    const value = this.text(field);
    if (!this.has(field) || this.#record[field] === '') this.refuse(field, 'is missing');
    return value;
  }

  /** Bytes in base64, read as text: PEM is ASCII. */
  base64(field: string): string {
    const encoded = this.text(field).replace(/\s/g, '');
    if (/^[A-Za-z0-9+/]*={0,2}$/.test(encoded) && encoded.length % 4 === 0) {
      return Buffer.from(encoded, 'base64').toString('utf8');
    }
    this.refuse(field, 'must be base64');
    return '';
  }

  isTrue(field: string): boolean {
    const value = this.#record[field] ?? false;
    if (typeof value === 'boolean') return value;
    this.refuse(field, 'must be true or false');
    return false;
  }

  oneOf<T extends string>(field: string, values: readonly T[]): T | null {
    const value = this.text(field);
    const found = values.find((candidate) => candidate === value);
    if (found === undefined && value !== '') this.refuse(field, `must be one of ${values.join(', ')}`);
    return found ?? null;
  }

  record(field: string): Fields {
    return new Fields(this.#record[field], this.#placeOf(field), this.#problems);
  }

  records(field: string): readonly Fields[] {
    return this.#list(field).map((entry, index) => {
      return new Fields(entry, this.#placeOf(`${field}[${index}]`), this.#problems);
    });
  }

  texts(field: string): readonly string[] {
    return this.#list(field).map((entry, index) => {
      if (typeof entry === 'string') return entry;
      this.refuse(`${field}[${index}]`, 'must be a text');
      return '';
    });
  }

  /** As it came, for those who only pass it on. */
  raw(field: string): unknown {
    return this.#record[field];
  }

  #list(field: string): readonly unknown[] {
    const value = this.#record[field] ?? [];
    if (Array.isArray(value)) return value;
    this.refuse(field, 'must be a list');
    return [];
  }

  #placeOf(field: string): FieldPlace {
    const { file, path } = this.#place;
    return { file, path: [path, field].filter((part) => part !== '').join('.') };
  }
}
