// Requests for resources: the verb that method and path mean, its options, and the answer in the form that was asked for.

import { err, ok, type Result } from '../../base/result.ts';
import type { ApiServer } from '../api-server.ts';
import { CUSTOM_PATCHES, type PatchKind } from '../patch/patch.ts';
import {
  badRequest,
  methodNotAllowed,
  notFound,
  notImplemented,
  type Refusal,
  unknownPath,
  unsupportedMediaType,
} from '../refusal.ts';
import type { ResourceDefinition } from '../registry/definition.ts';
import { type Outcome, subjectOf, type Target, type WriteOptions } from '../resources/request.ts';
import type { Part } from '../resources/update.ts';
import { parseFieldTerms } from '../store/field-query.ts';
import { answerOutcome, answerPage, answerRefusal } from './answer.ts';
import { duplicateFields } from './duplicate-fields.ts';
import { type HttpAnswer, type HttpRequest, withWarning } from './exchange.ts';
import { type Asked, type Handling, tooLarge } from './handling.ts';
import { answerLog } from './log-handler.ts';
import { formOf } from './media.ts';
import { answerUnknown, answerUnserved } from './out-of-scope.ts';
import {
  type ListQuery,
  optionsRefusal,
  readDeleteOptions,
  readListQuery,
  readWriteOptions,
  versionRefusal,
} from './query.ts';
import type { ResourcePath } from './route.ts';
import { includeOf } from './table.ts';
import { answerWatch } from './watch-handler.ts';

export function handleResource(handling: Handling, request: HttpRequest, path: ResourcePath): HttpAnswer {
  const { registry } = handling.server;
  const definition = registry.find(path);
  if (definition === undefined) return answerUnserved(path);
  if (!isPlace(definition, path)) return answerUnknown(path.group);
  const form = formOf(request.headers.accept);
  if (form.kind === 'error') return answerRefusal(form.error);
  const target = { definition, namespace: path.namespace, name: path.name };
  const wanted = { definition, form: form.value, include: includeOf(request.query) };
  const given = answer(handling, { request, path, target, wanted });
  return definition.warning === null ? given : withWarning(given, definition.warning);
}

/** Cluster-scoped resources are in no namespace, and objects of the others only in one. */
function isPlace({ type }: ResourceDefinition, { namespace, name }: ResourcePath): boolean {
  return type.scope === 'Cluster' ? namespace === '' : namespace !== '' || name === '';
}

function answer(handling: Handling, asked: Asked): HttpAnswer {
  const { path, request } = asked;
  if (path.name === '') return onCollection(handling, asked);
  if (path.isWatch) return onCollection(handling, asked);
  if (path.subresource === 'log' && asked.target.definition.subresources.includes('log'))
    return request.method === 'GET'
      ? answerLog(handling, request, asked.target)
      : answerRefusal(methodNotAllowed());
  const outcome = path.subresource === '' ? onObject(handling, asked) : onPart(handling, asked);
  if (outcome === null) return answerRefusal(methodNotAllowed());
  return answerOutcome(partsOf(handling), outcome, asked.wanted);
}

function onCollection(handling: Handling, asked: Asked): HttpAnswer {
  const { request, target, wanted } = asked;
  const { resources } = handling.server;
  const isEverywhere = target.definition.type.scope === 'Namespaced' && target.namespace === '';
  if (isEverywhere && request.method !== 'GET') return answerRefusal(methodNotAllowed());
  switch (request.method) {
    case 'GET': {
      const query = readListQuery(request.query);
      if (query.kind === 'error') return answerRefusal(query.error);
      const refusal = readRefusal(handling, asked, query.value);
      if (refusal !== null) return answerRefusal(refusal);
      if (query.value.isWatch || asked.path.isWatch) return answerWatch(handling, asked, query.value);
      return answerList(handling, asked, query.value);
    }
    case 'POST': {
      const write = writeOf(request, 'CreateOptions');
      const outcome = write.kind === 'error' ? write : resources.create(target, write.value);
      return answerOutcome(partsOf(handling), outcome, wanted);
    }
    case 'DELETE': {
      if (target.definition.isDeletedSingly) return answerRefusal(methodNotAllowed());
      const query = readListQuery(request.query);
      const options = readDeleteOptions(request.query, request.body);
      if (query.kind === 'error') return answerRefusal(query.error);
      if (options.kind === 'error') return answerRefusal(options.error);
      const page = resources.deleteCollection({ ...query.value, target }, options.value);
      return page.kind === 'error'
        ? answerRefusal(page.error)
        : answerPage(partsOf(handling), page.value, wanted);
    }
    default:
      return answerRefusal(methodNotAllowed());
  }
}

/** In the order in which the real server comes to look at it. */
function readRefusal({ server }: Handling, { request, target }: Asked, query: ListQuery): Refusal | null {
  const { labelSelector, fieldSelector } = query;
  const terms = parseFieldTerms(fieldSelector);
  return (
    server.resources.selectionRefusal({ target, labelSelector }) ??
    (terms.kind === 'error' ? badRequest(terms.error) : null) ??
    optionsRefusal(request.query) ??
    server.resources.selectionRefusal({ target, fieldSelector }) ??
    versionRefusal(request.query)
  );
}

function answerList(handling: Handling, { target, wanted }: Asked, query: ListQuery): HttpAnswer {
  const { resources, store } = handling.server;
  if (Number(query.resourceVersion) > store.revision)
    return answerRefusal(tooLarge(Number(query.resourceVersion), store.revision));
  const page = resources.list({ ...query, target }, query.page);
  return page.kind === 'error'
    ? answerRefusal(page.error)
    : answerPage(partsOf(handling), page.value, wanted);
}

/** Null for a method that objects do not have. */
function onObject(handling: Handling, { request, target }: Asked): Outcome | null {
  const { resources } = handling.server;
  switch (request.method) {
    case 'GET':
      return resources.get(target);
    case 'PUT':
      return replaced(handling, { request, target, part: 'main' });
    case 'PATCH':
      return patched(handling, { request, target, part: 'main' });
    case 'DELETE': {
      const options = readDeleteOptions(request.query, request.body);
      return options.kind === 'error' ? options : resources.delete(target, options.value);
    }
    default:
      return null;
  }
}

function onPart(handling: Handling, { request, path, target }: Asked): Outcome | null {
  const { resources } = handling.server;
  const { subresource } = path;
  const isKnown = target.definition.subresources.some((each) => each === subresource);
  if (!isKnown) return err(unservedPart(target, subresource));
  if (subresource !== 'status' && subresource !== 'finalize') {
    if (request.method !== 'POST') return null;
    const write = writeOf(request, 'CreateOptions');
    return write.kind === 'error' ? write : resources.act(target, subresource, write.value);
  }
  if (request.method === 'PUT') return replaced(handling, { request, target, part: subresource });
  if (subresource === 'finalize') return null;
  if (request.method === 'GET') return resources.get(target);
  return request.method === 'PATCH' ? patched(handling, { request, target, part: 'status' }) : null;
}

/** A custom resource without the part is not told apart from one that is not there. */
function unservedPart({ definition, ...rest }: Target, subresource: string): Refusal {
  if (definition.unservedParts.includes(subresource))
    return notImplemented(`${definition.type.plural}/${subresource}`);
  return definition.fields === null ? notFound(subjectOf({ definition, ...rest })) : unknownPath();
}

type Changing = { readonly request: HttpRequest; readonly target: Target; readonly part: Part };

function replaced({ server }: Handling, { request, target, part }: Changing): Outcome {
  const write = writeOf(request, 'UpdateOptions');
  return write.kind === 'error' ? write : server.resources.replace(target, { ...write.value, part });
}

const patchKinds: Readonly<Record<string, PatchKind>> = {
  'application/merge-patch+json': 'merge',
  'application/json-patch+json': 'json',
  'application/strategic-merge-patch+json': 'strategic',
  'application/apply-patch+yaml': 'apply',
  'application/apply-patch+cbor': 'apply',
};

function patched({ server }: Handling, { request, target, part }: Changing): Outcome {
  const kind = patchKinds[mediaType(request)];
  if (kind === undefined) return err({ ...unsupportedMediaType('415: Unsupported Media Type'), details: {} });
  if (kind === 'apply') return err(notImplemented('server-side apply'));
  if (kind === 'strategic' && target.definition.fields === null)
    return err(unsupportedMediaType(CUSTOM_PATCHES));
  const options = readWriteOptions(request.query, 'PatchOptions');
  if (options.kind === 'error') return options;
  const body = parseJson(request.body);
  if (body.kind === 'error') return err(badRequest(`error decoding patch: ${body.error}`));
  return server.resources.patch(target, {
    patch: { kind, body: body.value },
    options: withDuplicates(options.value, request.body),
    part,
  });
}

type WriteRead = Result<Parameters<ApiServer['resources']['create']>[1], Refusal>;

function writeOf(request: HttpRequest, kind: string): WriteRead {
  const type = mediaType(request);
  if (type !== '' && type !== 'application/json')
    return err(
      unsupportedMediaType(
        'the body of the request was in an unknown format - accepted media types include: application/json',
      ),
    );
  const options = readWriteOptions(request.query, kind);
  if (options.kind === 'error') return options;
  const body = parseJson(request.body);
  if (body.kind === 'error')
    return err(
      badRequest(
        `the object provided is unrecognized: couldn't get version/kind; json parse error: ${body.error}`,
      ),
    );
  return ok({ body: body.value, options: withDuplicates(options.value, request.body) });
}

function withDuplicates(options: WriteOptions, text: string): WriteOptions {
  if (options.fieldValidation === 'Ignore') return options;
  return { ...options, duplicateFields: duplicateFields(text) };
}

function mediaType({ headers }: HttpRequest): string {
  return (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

function parseJson(text: string): Result<unknown, string> {
  try {
    return ok(JSON.parse(text));
  } catch (error) {
    return err(error instanceof Error ? error.message : String(error));
  }
}

function partsOf({ server, texts }: Handling) {
  return { clock: server.clock, texts };
}
