// What is wrong with an object, field by field, in the words of the API server: people search for them and clients
// match on them. Never worded anywhere else in this folder than through these constructors.

import { goJson, goNumber, goQuote } from './go-text.ts';

export type FieldErrorReason =
  | 'FieldValueRequired'
  | 'FieldValueInvalid'
  | 'FieldValueTypeInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueForbidden'
  | 'FieldValueDuplicate'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany';

/** One cause of a Status: `path` is its field, `message` its message without the field. */
export type FieldError = {
  readonly path: string;
  readonly reason: FieldErrorReason;
  readonly message: string;
};

/** The path of the object itself, as the API server prints it. */
export const rootPath = '<nil>';

/** For a value that is too large to be shown. */
export const omitted = Symbol('omitted');

export function required(path: string, detail = ''): FieldError {
  return { path, reason: 'FieldValueRequired', message: withDetail('Required value', detail) };
}

export function invalid(path: string, value: unknown, detail: string): FieldError {
  return {
    path,
    reason: 'FieldValueInvalid',
    message: withDetail(withValue('Invalid value', value), detail),
  };
}

export function typeInvalid(path: string, value: unknown, detail: string): FieldError {
  return { ...invalid(path, value, detail), reason: 'FieldValueTypeInvalid' };
}

export function notSupported(path: string, value: unknown, supported: readonly string[]): FieldError {
  const detail = supported.length === 0 ? '' : `supported values: ${supported.map(goQuote).join(', ')}`;
  const message = withDetail(withValue('Unsupported value', value), detail);
  return { path, reason: 'FieldValueNotSupported', message };
}

export function forbidden(path: string, detail: string): FieldError {
  return { path, reason: 'FieldValueForbidden', message: withDetail('Forbidden', detail) };
}

export function duplicate(path: string, value: unknown): FieldError {
  return { path, reason: 'FieldValueDuplicate', message: withValue('Duplicate value', value) };
}

export function tooLong(path: string, max: number): FieldError {
  const message = `Too long: may not be more than ${max} ${max === 1 ? 'byte' : 'bytes'}`;
  return { path, reason: 'FieldValueTooLong', message };
}

export function tooMany(path: string, actual: number, max: number): FieldError {
  const message = `Too many: ${actual}: must have at most ${max} ${max === 1 ? 'item' : 'items'}`;
  return { path, reason: 'FieldValueTooMany', message };
}

/** All errors as one line: what stands after `is invalid: ` in the message of a Status. */
export function formatFieldErrors(errors: readonly FieldError[]): string {
  const lines = [...new Set(errors.map(({ path, message }) => `${path}: ${message}`))];
  return lines.length === 1 ? String(lines[0]) : `[${lines.join(', ')}]`;
}

function withValue(words: string, value: unknown): string {
  if (value === omitted) return words;
  if (typeof value === 'string') return `${words}: ${goQuote(value)}`;
  if (typeof value === 'number') return `${words}: ${goNumber(value)}`;
  return `${words}: ${goJson(value)}`;
}

function withDetail(words: string, detail: string): string {
  return detail === '' ? words : `${words}: ${detail}`;
}
