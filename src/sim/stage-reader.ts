// Reads fields of untrusted data and keeps every problem with its path. What cannot be read becomes the fallback, so that
// reading goes on to the next problem.

import { parseDuration } from '../base/duration.ts';
import type { Problem } from '../base/result.ts';
import { isRecord } from '../objects/raw.ts';
import type { Delay } from './stage.ts';

type Fields = Readonly<Record<string, unknown>>;

export class StageReader {
  readonly problems: Problem[] = [];

  complain(path: string, message: string): void {
    this.problems.push({ path, message });
  }

  /** The record at the path, with a problem for every field that is not known. */
  record(raw: unknown, path: string, known: readonly string[]): Fields {
    if (raw === undefined) return {};
    if (!isRecord(raw)) {
      this.complain(path, `must be a map, not ${JSON.stringify(raw)}`);
      return {};
    }
    for (const field of Object.keys(raw).filter((each) => !known.includes(each)))
      this.complain(at(path, field), `is not a known field; known are ${known.join(', ')}`);
    return raw;
  }

  text(raw: unknown, path: string): string {
    if (typeof raw === 'string' && raw !== '') return raw;
    this.complain(path, raw === undefined ? 'is missing' : `must be text, not ${JSON.stringify(raw)}`);
    return '';
  }

  optionalText(raw: unknown, path: string): string {
    return raw === undefined || raw === '' ? '' : this.text(raw, path);
  }

  whole(raw: unknown, path: string, bounds: { min: number; max: number; fallback: number }): number {
    if (raw === undefined) return bounds.fallback;
    if (typeof raw === 'number' && Number.isInteger(raw) && raw >= bounds.min && raw <= bounds.max)
      return raw;
    this.complain(
      path,
      `must be a whole number from ${bounds.min} to ${bounds.max}, not ${JSON.stringify(raw)}`,
    );
    return bounds.fallback;
  }

  choice<const C extends string>(raw: unknown, path: string, choices: readonly C[]): C | null {
    const found = choices.find((each) => each === raw);
    if (found !== undefined) return found;
    this.complain(path, `must be one of ${choices.join(', ')}, not ${JSON.stringify(raw)}`);
    return null;
  }

  /** One or several of the choices. */
  choices<const C extends string>(raw: unknown, path: string, choices: readonly C[]): readonly C[] {
    if (raw === undefined) {
      this.complain(path, 'is missing');
      return [];
    }
    const list: readonly unknown[] = Array.isArray(raw) ? raw : [raw];
    return list.flatMap(
      (each, index) => this.choice(each, Array.isArray(raw) ? `${path}[${index}]` : path, choices) ?? [],
    );
  }

  texts(raw: unknown, path: string): Readonly<Record<string, string>> {
    if (raw === undefined) return {};
    if (!isRecord(raw)) {
      this.complain(path, `must be a map of texts, not ${JSON.stringify(raw)}`);
      return {};
    }
    return Object.fromEntries(
      Object.entries(raw).map(([key, value]) => [key, this.text(value, `${path}[${key}]`)]),
    );
  }

  /** `2s`, or `{ for: 2s, jitter: 1s }`. */
  delay(raw: unknown, path: string): Delay {
    if (typeof raw === 'string') return { forMs: this.#duration(raw, path), jitterMs: 0 };
    const fields = this.record(raw, path, ['for', 'jitter']);
    return {
      forMs: this.#duration(fields['for'], `${path}.for`),
      jitterMs: fields['jitter'] === undefined ? 0 : this.#duration(fields['jitter'], `${path}.jitter`),
    };
  }

  #duration(raw: unknown, path: string): number {
    const ms = typeof raw === 'string' ? parseDuration(raw) : null;
    if (ms !== null) return ms;
    this.complain(
      path,
      raw === undefined ? 'is missing' : `must be a duration such as 500ms or 2s, not ${JSON.stringify(raw)}`,
    );
    return 0;
  }
}

function at(path: string, field: string): string {
  return path === '' ? field : `${path}.${field}`;
}
