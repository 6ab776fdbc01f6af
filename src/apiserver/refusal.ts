// Why a request is refused, as a value: code, reason, sentence and details of the Status that a client reads. Every word a
// program may match on (reason, code, details) is the one that kube-apiserver sends.

import { type Cause, causeOf, type FieldError, formatFieldError } from './field-error.ts';

export type Refusal = {
  readonly code: number;
  /** Empty where kube-apiserver sends none. */
  readonly reason: string;
  readonly message: string;
  readonly details?: RefusalDetails;
  readonly retryAfterSeconds?: number;
  /** Where a list that cannot go on may go on all the same, at the state of now. */
  readonly continueToken?: string;
  /** Of the reading of the body, which went well. */
  readonly warnings?: readonly string[];
};

export type RefusalDetails = {
  readonly name?: string;
  readonly group?: string;
  readonly kind?: string;
  readonly causes?: readonly Cause[];
  readonly retryAfterSeconds?: number;
};

/** What a refusal speaks of. */
export type Subject = {
  readonly group: string;
  /** Of the kind, when the resource is served in another group than its kind is stored in. */
  readonly kindGroup?: string;
  readonly plural: string;
  readonly kind: string;
  readonly name: string;
};

export function notFound(subject: Subject): Refusal {
  const details = pluralDetails(subject);
  return { code: 404, reason: 'NotFound', message: `${named(subject)} not found`, details };
}

export function unknownPath(): Refusal {
  const message = 'the server could not find the requested resource';
  return { code: 404, reason: 'NotFound', message, details: {} };
}

/** Clients wait for the end of an object of whose deletion they are told. */
export function alreadyExists(subject: Subject, existing: 'staying' | 'leaving'): Refusal {
  const message = `${existing === 'leaving' ? 'object is being deleted: ' : ''}${named(subject)} already exists`;
  return { code: 409, reason: 'AlreadyExists', message, details: pluralDetails(subject) };
}

export function conflict(subject: Subject, why: string): Refusal {
  const message = `Operation cannot be fulfilled on ${named(subject)}: ${why}`;
  return { code: 409, reason: 'Conflict', message, details: pluralDetails(subject) };
}

export function modified(subject: Subject): Refusal {
  const why = 'the object has been modified; please apply your changes to the latest version and try again';
  return conflict(subject, why);
}

export function invalidObject(
  { group, kindGroup = group, kind, name }: Subject,
  errors: readonly FieldError[],
): Refusal {
  const words = [...new Set(errors.map((error) => `${causeOf(error).field}: ${formatFieldError(error)}`))];
  const list = words.length === 1 ? (words[0] ?? '') : `[${words.join(', ')}]`;
  const message = `${qualified(kind, kindGroup)} ${JSON.stringify(name)} is invalid: ${list}`;
  const details = { ...present({ name, group: kindGroup, kind }), causes: errors.map(causeOf) };
  return { code: 422, reason: 'Invalid', message, details };
}

export function badRequest(message: string): Refusal {
  return { code: 400, reason: 'BadRequest', message };
}

export function forbiddenFor(subject: Subject, why: string, causes: readonly Cause[] = []): Refusal {
  const details = { ...pluralDetails(subject), ...(causes.length > 0 ? { causes } : {}) };
  return { code: 403, reason: 'Forbidden', message: `${named(subject)} is forbidden: ${why}`, details };
}

export function expired(message: string): Refusal {
  return { code: 410, reason: 'Expired', message };
}

export function methodNotAllowed(): Refusal {
  const message = 'the server does not allow this method on the requested resource';
  return { code: 405, reason: 'MethodNotAllowed', message, details: {} };
}

export function unsupportedMediaType(message: string): Refusal {
  return { code: 415, reason: 'UnsupportedMediaType', message };
}

export function internalError(message: string): Refusal {
  return { code: 500, reason: '', message };
}

/** What the embedded server does not do: said, never pretended. */
export function notImplemented(what: string): Refusal {
  const message = `${what} is outside of what the embedded API server does; use a real cluster for it`;
  return { code: 501, reason: 'NotImplemented', message };
}

/** The Status object that a client reads. */
export function statusOf(refusal: Refusal): Readonly<Record<string, unknown>> {
  const { code, reason, message, details, continueToken } = refusal;
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: continueToken === undefined ? {} : { continue: continueToken },
    status: 'Failure',
    message,
    ...(reason === '' ? {} : { reason }),
    ...(details === undefined ? {} : { details }),
    code,
  };
}

function pluralDetails({ name, group, plural }: Subject): RefusalDetails {
  return { ...present({ name, group }), kind: plural };
}

/** `leases.coordination.k8s.io "a"`. */
function named({ plural, group, name }: Subject): string {
  return `${qualified(plural, group)} ${JSON.stringify(name)}`;
}

function qualified(name: string, group: string): string {
  return group === '' ? name : `${name}.${group}`;
}

function present(details: Readonly<Record<'name' | 'group', string> & { kind?: string }>): RefusalDetails {
  return Object.fromEntries(Object.entries(details).filter(([, value]) => value !== ''));
}
