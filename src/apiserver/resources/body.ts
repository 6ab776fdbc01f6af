// Reads the body of a write: is it of the right kind, version and namespace, and does it say nothing unknown.

import { err, ok, type Result } from '../../base/result.ts';
import { isRecord, type RawObject, textOf } from '../../objects/raw.ts';
import { apiVersionOf } from '../../objects/ref.ts';
import { invalid } from '../field-error.ts';
import { badRequest, invalidObject, type Refusal } from '../refusal.ts';
import { withMetadata } from '../store/stored-object.ts';
import type { Target, WriteOptions } from './request.ts';

export type Reading = {
  readonly options: WriteOptions;
  /** The object that the body is to replace, if there is one. */
  readonly old?: RawObject | undefined;
};

export type Read = { readonly object: RawObject; readonly warnings: readonly string[] };

export function readBody(target: Target, body: unknown, reading: Reading): Result<Read, Refusal> {
  // Nothing at all is an empty object where the kind is known by the path.
  const given = body === null && target.definition.fields !== null ? {} : body;
  if (!isRecord(given)) return err(unrecognized(target, given));
  const mismatch = kindMismatch(target, given);
  if (mismatch !== null) return err(mismatch);
  const decoded = decode(target, given, reading);
  if (decoded.kind === 'error') return err(badRequest(`${subject(target)}: ${decoded.error}`));
  return inNamespace(target, decoded.value);
}

/** The result of a patch is read like a body, but what is wrong with it is wrong with the patch. */
export function readPatched(target: Target, body: RawObject, reading: Reading): Result<Read, Refusal> {
  const mismatch = kindMismatch(target, body);
  if (mismatch !== null) return err(mismatch);
  const decoded = decode(target, body, reading);
  if (decoded.kind === 'ok') return inNamespace(target, decoded.value);
  const errors = [invalid('patch', JSON.stringify(body), decoded.error)];
  return err(invalidObject({ group: '', plural: '', kind: '', name: '' }, errors));
}

function decode({ definition }: Target, body: RawObject, { options, old }: Reading): Result<Read, string> {
  const decoded = definition.decode(body, old);
  if (decoded.kind === 'error') return decoded;
  const { object, unknownPaths } = decoded.value;
  const { fieldValidation, duplicateFields = [] } = options;
  const notes = [
    ...duplicateFields.map((path) => `duplicate field ${JSON.stringify(path)}`),
    ...unknownPaths.map((path) => `unknown field ${JSON.stringify(path)}`),
  ];
  if (fieldValidation === 'Strict' && notes.length > 0)
    return err(`strict decoding error: ${notes.join(', ')}`);
  return ok({ object, warnings: fieldValidation === 'Warn' ? notes : [] });
}

function inNamespace({ definition, namespace }: Target, { object, warnings }: Read): Result<Read, Refusal> {
  const given = object.metadata?.namespace ?? '';
  if (definition.type.scope === 'Cluster')
    return ok({ object: withMetadata(object, { namespace: undefined }), warnings });
  if (given !== '' && given !== namespace)
    return err(
      badRequest('the namespace of the provided object does not match the namespace sent on the request'),
    );
  return ok({ object: withMetadata(object, { namespace }), warnings });
}

function kindMismatch(target: Target, body: RawObject): Refusal | null {
  const { type, fields } = target.definition;
  const [kind, apiVersion] = [textOf(body.kind), textOf(body.apiVersion)];
  if (fields === null) {
    if (kind === '') return unrecognized(target, body);
    if (apiVersion === apiVersionOf(type)) return null;
    return badRequest(
      `the API version in the data (${apiVersion}) does not match the expected API version (${apiVersionOf(type)})`,
    );
  }
  const isRight =
    (kind === '' || kind === type.kind) && (apiVersion === '' || apiVersion === apiVersionOf(type));
  if (isRight) return null;
  const [givenKind, givenVersion] = [kind || type.kind, apiVersion || apiVersionOf(type)];
  const version = JSON.stringify(givenVersion.split('/').at(-1));
  return badRequest(
    `${givenKind} in version ${version} cannot be handled as a ${type.kind}: no kind ${JSON.stringify(givenKind)} is registered for version ${JSON.stringify(givenVersion)} in scheme "pkg/runtime/scheme.go:111"`,
  );
}

function unrecognized({ definition }: Target, body: unknown): Refusal {
  const text = JSON.stringify(body) ?? '';
  return badRequest(
    `the object provided is unrecognized (must be of type ${definition.type.kind}): Object 'Kind' is missing in '${text.slice(0, 200)}'`,
  );
}

function subject({ definition: { type } }: Target): string {
  return `${type.kind} in version ${JSON.stringify(type.version)} cannot be handled as a ${type.kind}`;
}
