// One thing wrong with one field of an object, in the words of Kubernetes: clients and people know them by heart.

/** As a Status names them among its causes. */
export type FieldReason =
  | 'FieldValueRequired'
  | 'FieldValueInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueDuplicate'
  | 'FieldValueForbidden'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'FieldValueTypeInvalid'
  | 'FieldValueNotFound';

export type FieldError = {
  /** `spec.taints[1].key`; empty for the object itself. */
  readonly path: string;
  readonly reason: FieldReason;
  /** The words after the path, with or without the ones that the reason begins with. */
  readonly message: string;
};

export function required(path: string, message = ''): FieldError {
  return { path, reason: 'FieldValueRequired', message };
}

export function invalid(path: string, value: unknown, message: string): FieldError {
  return { path, reason: 'FieldValueInvalid', message: `${JSON.stringify(value)}: ${message}` };
}

export function forbidden(path: string, message: string): FieldError {
  return { path, reason: 'FieldValueForbidden', message };
}

export function duplicate(path: string, value: unknown, message = ''): FieldError {
  const tail = message === '' ? '' : `: ${message}`;
  return { path, reason: 'FieldValueDuplicate', message: `${JSON.stringify(value)}${tail}` };
}

export function notSupported(path: string, value: unknown, allowed: readonly string[]): FieldError {
  const list = allowed.map((each) => JSON.stringify(each)).join(', ');
  return {
    path,
    reason: 'FieldValueNotSupported',
    message: `${JSON.stringify(value)}: supported values: ${list}`,
  };
}

export function immutable(path: string, value: unknown): FieldError {
  return invalid(path, value, 'field is immutable');
}

/** `Invalid value: "b": field is immutable`. */
export function formatFieldError({ reason, message }: FieldError): string {
  const opening = openings[reason];
  if (message.startsWith(opening)) return message;
  return message === '' ? opening : `${opening}: ${message}`;
}

/** How a Status names the reason among its causes. */
export function causeOf(error: FieldError): Cause {
  const message = formatFieldError(error);
  return { reason: error.reason, message, field: error.path === '' ? '<nil>' : error.path };
}

export type Cause = { readonly reason: string; readonly message: string; readonly field?: string };

const openings: Readonly<Record<FieldReason, string>> = {
  FieldValueRequired: 'Required value',
  FieldValueInvalid: 'Invalid value',
  FieldValueNotSupported: 'Unsupported value',
  FieldValueDuplicate: 'Duplicate value',
  FieldValueForbidden: 'Forbidden',
  FieldValueTooLong: 'Too long',
  FieldValueTooMany: 'Too many',
  FieldValueTypeInvalid: 'Invalid value',
  FieldValueNotFound: 'Not found',
};
