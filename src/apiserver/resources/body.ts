// Reads the body of a write: is it of the right kind, version and namespace, and does it say nothing unknown.

import { err, ok, type Result } from '../../base/result.ts';
import { isRecord, type RawObject, textOf } from '../../objects/raw.ts';
import { apiVersionOf } from '../../objects/ref.ts';
import { invalid } from '../field-error.ts';
import { badRequest, invalidObject, type Refusal } from '../refusal.ts';
import { withMetadata } from '../store/stored-object.ts';
import type { FieldValidation, Target } from './request.ts';

export type Reading = {
  readonly validation: FieldValidation;
  /** The object that the body is to replace, if there is one. */
  readonly old?: RawObject | undefined;
};

export type Read = { readonly object: RawObject; readonly warnings: readonly string[] };

export function readBody(target: Target, body: unknown, reading: Reading): Result<Read, Refusal> {
  if (!isRecord(body)) return err(unrecognized(target, body));
  const mismatch = kindMismatch(target, body);
  if (mismatch !== null) return err(mismatch);
  const decoded = decode(target, body, reading);
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

function decode({ definition }: Target, body: RawObject, { validation, old }: Reading): Result<Read, string> {
  const decoded = definition.decode(body, old);
  if (decoded.kind === 'error') return decoded;
  const { object, unknownPaths } = decoded.value;
  const notes = unknownPaths.map((path) => `unknown field ${JSON.stringify(path)}`);
  if (validation === 'Strict' && notes.length > 0) return err(`strict decoding error: ${notes.join(', ')}`);
  return ok({ object, warnings: validation === 'Warn' ? notes : [] });
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
  const version = apiVersion.split('/').at(-1) || type.version;
  return badRequest(
    `${kind || type.kind} in version ${JSON.stringify(version)} cannot be handled as a ${type.kind}: no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)}`,
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
