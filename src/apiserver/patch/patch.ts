// Applies a patch of any kind to an object as its version shows it. Never changes the object; what the result may be is
// decided by whoever reads it again.

import { err, ok, type Result } from '../../base/result.ts';
import { applyMergePatch } from '../../objects/patch.ts';
import { isRecord, type RawObject } from '../../objects/raw.ts';
import { badRequest, internalError, notImplemented, type Refusal, unsupportedMediaType } from '../refusal.ts';
import type { ResourceDefinition } from '../registry/definition.ts';
import type { Fields } from '../registry/shape.ts';
import { applyJsonPatch } from './json-patch.ts';
import { BadPatch, strategicMerge } from './strategic-merge.ts';

export type PatchKind = 'merge' | 'json' | 'strategic' | 'apply';

export type PatchBody = { readonly kind: PatchKind; readonly body: unknown };

export function applyPatch(
  { fields }: Pick<ResourceDefinition, 'fields'>,
  object: RawObject,
  { kind, body }: PatchBody,
): Result<RawObject, Refusal> {
  switch (kind) {
    case 'merge':
      if (body === null) return err(badRequest('Invalid JSON Patch'));
      return isRecord(body) ? ok(asObject(applyMergePatch(object, body))) : err(undecodable(body, OBJECT));
    case 'json':
      return applyOperations(object, body ?? []);
    case 'strategic':
      if (fields === null) return err(unsupportedMediaType(CUSTOM_PATCHES));
      return isRecord(body) ? mergeByShape(fields, object, body) : err(undecodable(body, OBJECT));
    case 'apply':
      return err(notImplemented('server-side apply'));
  }
}

/** Without a shape there is no strategy to merge by. */
export const CUSTOM_PATCHES =
  'the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml';

const OBJECT = 'map[string]interface {}';
const OPERATION = 'handlers.jsonPatchOp';

const REJECTED: Refusal = {
  code: 422,
  reason: 'Invalid',
  message: 'the server rejected our request due to an error in our request',
  details: {},
};

function applyOperations(object: RawObject, operations: unknown): Result<RawObject, Refusal> {
  if (!Array.isArray(operations)) return err(undecodable(operations, `[]${OPERATION}`));
  const strange = operations.find((operation) => !isRecord(operation));
  if (strange !== undefined) return err(undecodable(strange, OPERATION));
  const applied = applyJsonPatch(object, operations);
  return applied.kind === 'error' ? err(REJECTED) : ok(asObject(applied.value));
}

function mergeByShape(
  fields: Fields,
  object: RawObject,
  patch: Readonly<Record<string, unknown>>,
): Result<RawObject, Refusal> {
  try {
    return ok(strategicMerge(fields, object, patch));
  } catch (error) {
    if (!(error instanceof BadPatch)) throw error;
    return err(error.code === 400 ? badRequest(error.message) : internalError(error.message));
  }
}

function undecodable(found: unknown, wanted: string): Refusal {
  const type = Array.isArray(found) ? 'array' : typeof found === 'boolean' ? 'bool' : typeof found;
  return badRequest(`error decoding patch: json: cannot unmarshal ${type} into Go value of type ${wanted}`);
}

function asObject(value: unknown): RawObject {
  return isRecord(value) ? value : {};
}
