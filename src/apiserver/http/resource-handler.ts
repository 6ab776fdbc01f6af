// Requests for resources: the verb that method and path mean, its options, and the answer in the form that was asked for.

import { err, ok, type Result } from '../../base/result.ts';
import type { ApiServer } from '../api-server.ts';
import type { PatchKind } from '../patch/patch.ts';
import {
  badRequest,
  methodNotAllowed,
  notImplemented,
  type Refusal,
  unknownPath,
  unsupportedMediaType,
} from '../refusal.ts';
import type { ResourceDefinition } from '../registry/definition.ts';
import type { Outcome, Target } from '../resources/request.ts';
import type { Part } from '../resources/update.ts';
import { answerOutcome, answerPage, answerRefusal } from './answer.ts';
import { type HttpAnswer, type HttpRequest, plain } from './exchange.ts';
import { type Asked, type Handling, tooLarge } from './handling.ts';
import { formOf } from './media.ts';
import { type ListQuery, readDeleteOptions, readListQuery, readWriteOptions } from './query.ts';
import type { ResourcePath } from './route.ts';
import { includeOf } from './table.ts';
import { answerWatch } from './watch-handler.ts';

export function handleResource(handling: Handling, request: HttpRequest, path: ResourcePath): HttpAnswer {
  const { registry } = handling.server;
  const definition = registry.find(path);
  if (definition === undefined) {
    const isGroup = path.group === '' || registry.versionsOf(path.group).length > 0;
    return isGroup ? answerRefusal(unknownPath()) : plain(404, '404 page not found\n');
  }
  if (!isPlace(definition, path)) return answerRefusal(unknownPath());
  const form = formOf(request.headers.accept);
  if (form.kind === 'error') return answerRefusal(form.error);
  const target = { definition, namespace: path.namespace, name: path.name };
  const wanted = { definition, form: form.value, include: includeOf(request.query) };
  return answer(handling, { request, path, target, wanted });
}

/** Cluster-scoped resources are in no namespace, and objects of the others only in one. */
function isPlace({ type }: ResourceDefinition, { namespace, name }: ResourcePath): boolean {
  return type.scope === 'Cluster' ? namespace === '' : namespace !== '' || name === '';
}

function answer(handling: Handling, asked: Asked): HttpAnswer {
  const { path, request } = asked;
  if (path.name === '') return onCollection(handling, asked);
  if (path.isWatch) return onCollection(handling, asked);
  const outcome = path.subresource === '' ? onObject(handling, asked) : onPart(handling, asked);
  if (outcome === null) return answerRefusal(request.method === 'HEAD' ? unknownPath() : methodNotAllowed());
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
      if (query.value.isWatch || asked.path.isWatch) return answerWatch(handling, asked, query.value);
      return answerList(handling, asked, query.value);
    }
    case 'POST': {
      const write = writeOf(request, 'CreateOptions');
      const outcome = write.kind === 'error' ? write : resources.create(target, write.value);
      return answerOutcome(partsOf(handling), outcome, wanted);
    }
    case 'DELETE': {
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
  if (!isKnown)
    return err(
      outOfScope.has(subresource)
        ? notImplemented(`${target.definition.type.plural}/${subresource}`)
        : unknownPath(),
    );
  if (subresource === 'log') return err(notImplemented('reading the log of a pod'));
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

/** Parts that the real kinds have and this server does not do. */
const outOfScope = new Set([
  'exec',
  'attach',
  'portforward',
  'proxy',
  'ephemeralcontainers',
  'resize',
  'scale',
]) as ReadonlySet<string>;

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
  const options = readWriteOptions(request.query, 'PatchOptions');
  if (options.kind === 'error') return options;
  const body = parseJson(request.body);
  if (body.kind === 'error') return err(badRequest(`error decoding patch: ${body.error}`));
  return server.resources.patch(target, { patch: { kind, body: body.value }, options: options.value, part });
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
  return ok({ body: body.value, options: options.value });
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
