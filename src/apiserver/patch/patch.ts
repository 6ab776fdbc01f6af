// Applies a patch of any kind to an object as its version shows it. Never changes the object; what the result may be is
// decided by whoever reads it again.

import jsonPatch, { JsonPatchError, type Operation } from 'fast-json-patch';
import { err, ok, type Result } from '../../base/result.ts';
import { applyMergePatch } from '../../objects/patch.ts';
import { isRecord, type RawObject } from '../../objects/raw.ts';
import { badRequest, notImplemented, type Refusal, unsupportedMediaType } from '../refusal.ts';
import type { ResourceDefinition } from '../registry/definition.ts';
import { strategicMerge } from './strategic-merge.ts';

export type PatchKind = 'merge' | 'json' | 'strategic' | 'apply';

export type PatchBody = { readonly kind: PatchKind; readonly body: unknown };

export function applyPatch(
  { fields }: Pick<ResourceDefinition, 'fields'>,
  object: RawObject,
  { kind, body }: PatchBody,
): Result<RawObject, Refusal> {
  switch (kind) {
    case 'merge':
      return isRecord(body) ? ok(asObject(applyMergePatch(object, body))) : err(undecodable('an object'));
    case 'json':
      return Array.isArray(body) ? applyOperations(object, body) : err(undecodable('a list of operations'));
    case 'strategic':
      if (fields === null) return err(unsupportedMediaType(CUSTOM_MEDIA));
      return isRecord(body) ? ok(strategicMerge(fields, object, body)) : err(undecodable('an object'));
    case 'apply':
      return err(notImplemented('server-side apply'));
  }
}

const CUSTOM_MEDIA =
  'the body of the request was in an unknown format - accepted media types include: application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml';

const REJECTED: Refusal = {
  code: 422,
  reason: 'Invalid',
  message: 'the server rejected our request due to an error in our request',
  details: {},
};

function applyOperations(object: RawObject, operations: readonly unknown[]): Result<RawObject, Refusal> {
  if (!operations.every(isOperation)) return err(REJECTED);
  try {
    const copy: RawObject = structuredClone(object);
    // The library follows what it was given: a copy keeps the caller's values its own.
    const { newDocument } = jsonPatch.applyPatch(copy, structuredClone([...operations]), true);
    return ok(asObject(newDocument));
  } catch (error) {
    if (error instanceof JsonPatchError) return err(REJECTED);
    throw error;
  }
}

function isOperation(value: unknown): value is Operation {
  return isRecord(value) && typeof value['op'] === 'string' && typeof value['path'] === 'string';
}

function undecodable(wanted: string): Refusal {
  return badRequest(`error decoding patch: it must be ${wanted}`);
}

function asObject(value: unknown): RawObject {
  return isRecord(value) ? value : {};
}
