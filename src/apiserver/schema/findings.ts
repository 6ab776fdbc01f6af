// What the checks of one value found, and how much of it fitted: of several alternatives that all failed, the one that
// fitted most is the one whose errors are shown.

import { type FieldError, invalid, typeInvalid } from './field-error.ts';
import type { Place } from './place.ts';

export class Findings {
  readonly #entries: { readonly sentence: string; readonly error: FieldError }[] = [];
  matches = 0;

  /** The same sentence is said once. */
  add(sentence: string, error: FieldError): void {
    if (!this.#entries.some((entry) => entry.sentence === sentence)) this.#entries.push({ sentence, error });
  }

  merge(other: Findings): void {
    for (const { sentence, error } of other.#entries) this.add(sentence, error);
    this.matches += other.matches;
  }

  /** Takes back what was found after there were so many. */
  forgetAfter(count: number): void {
    this.#entries.length = count;
  }

  get count(): number {
    return this.#entries.length;
  }

  get errors(): readonly FieldError[] {
    return this.#entries.map(({ error }) => error);
  }
}

export type Complaint = { readonly at: Place; readonly value: unknown; readonly words: string };

/** `spec.x in body should be ...`, with the value that is not. */
export function addInvalid(findings: Findings, { at, value, words }: Complaint): void {
  const sentence = `${at.text} in body ${words}`;
  findings.add(sentence, invalid(at.path, value, sentence));
}

export function addTypeInvalid(findings: Findings, { at, value, words }: Complaint): void {
  const sentence = `${at.text} in body ${words}`;
  findings.add(sentence, typeInvalid(at.path, value, sentence));
}

/** What the API server says without a field: the sentence names the place, the path is that of the whole. */
export function addGeneral(findings: Findings, at: Place, sentence: string): void {
  findings.add(sentence, invalid(at.rootPath, '', sentence));
}
