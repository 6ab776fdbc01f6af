// The HTTP front of one server: which document or resource a request is for, and who may ask.

import { timingSafeEqual } from 'node:crypto';
import type { ApiServer } from '../api-server.ts';
import { methodNotAllowed, type Refusal } from '../refusal.ts';
import { answerRefusal } from './answer.ts';
import {
  aggregated,
  aggregatedMediaType,
  coreVersions,
  groupList,
  groupOf,
  resourceList,
  rootPaths,
  serverVersion,
} from './discovery.ts';
import { type HttpAnswer, type HttpRequest, json, plain } from './exchange.ts';
import { wantsAggregatedDiscovery } from './media.ts';
import { ObjectTexts } from './object-text.ts';
import { openapiIndex, openapiOf } from './openapi.ts';
import { answerUnknown, answerUnservedGroup } from './out-of-scope.ts';
import { handleResource } from './resource-handler.ts';
import { type Route, routeOf } from './route.ts';

export type Handle = (request: HttpRequest) => HttpAnswer;

export type FrontOptions = {
  /** The bearer token that lets a client in; null lets everybody in. */
  readonly token: string | null;
};

export function createFront(server: ApiServer, options: FrontOptions): Handle {
  const texts = new ObjectTexts();
  return (request) => {
    const route = routeOf(request.path);
    if (route.kind !== 'health' && !isKnown(request, options)) return answerRefusal(UNAUTHORIZED);
    if (route.kind === 'resource') return handleResource({ server, texts }, request, route.resource);
    const document = documentOf(server, request, route);
    if (document.kind === 'missing') return document.answer();
    if (request.method !== 'GET' && request.method !== 'HEAD') return answerRefusal(methodNotAllowed());
    return document.answer();
  };
}

const UNAUTHORIZED: Refusal = { code: 401, reason: 'Unauthorized', message: 'Unauthorized' };

function isKnown({ headers }: HttpRequest, { token }: FrontOptions): boolean {
  if (token === null) return true;
  const [wanted, given] = [`Bearer ${token}`, headers.authorization ?? ''].map((text) => Buffer.from(text));
  return wanted !== undefined && given?.length === wanted.length && timingSafeEqual(given, wanted);
}

type Document = Exclude<Route, { readonly kind: 'resource' }>;

/** Asked for, or not there whatever the method. */
type Found = { readonly kind: 'found' | 'missing'; answer(): HttpAnswer };

function documentOf(server: ApiServer, request: HttpRequest, route: Document): Found {
  const { registry, store } = server;
  const isAggregated = wantsAggregatedDiscovery(request.headers.accept);
  switch (route.kind) {
    case 'root':
      return found(() => json(200, rootPaths(registry)));
    case 'version':
      return found(() => json(200, serverVersion));
    case 'health':
      return found(() => plain(200, 'ok'));
    case 'core':
      return found(() => (isAggregated ? aggregatedAnswer(server, 'core') : json(200, coreVersions())));
    case 'groups':
      return found(() => (isAggregated ? aggregatedAnswer(server, 'named') : json(200, groupList(registry))));
    case 'group':
      return perhaps(groupOf(registry, route.group), () => answerUnservedGroup(route.group));
    case 'groupVersion':
      return perhaps(resourceList(registry, route.group, route.version), () =>
        answerUnservedGroup(route.group, route.version),
      );
    case 'openapi':
      return found(() => json(200, openapiIndex(registry, store)));
    case 'openapiOf':
      return perhaps(openapiOf(server, route.group, route.version), () => answerUnknown(null));
    case 'nothing':
      return { kind: 'missing', answer: () => answerUnknown(route.group) };
  }
}

function aggregatedAnswer({ registry }: ApiServer, share: 'core' | 'named'): HttpAnswer {
  return json(200, aggregated(registry, share), { 'content-type': aggregatedMediaType });
}

function found(answer: () => HttpAnswer): Found {
  return { kind: 'found', answer };
}

function perhaps(document: Readonly<Record<string, unknown>> | null, missing: () => HttpAnswer): Found {
  return document === null ? { kind: 'missing', answer: missing } : found(() => json(200, document));
}
