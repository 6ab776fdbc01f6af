// What each verb of KubeApi looks like to the API server: method, path, parameters, media type and body. Pure.

import type { RawObject } from '../objects/raw.ts';
import { type ObjectRef, type ResourceType, resourceName } from '../objects/ref.ts';
import type {
  DeleteOptions,
  PageRequest,
  Patch,
  Selection,
  WatchStart,
  WriteOptions,
} from '../runtime/ports.ts';
import type { Verb } from './api-metrics.ts';
import type { Asked } from './errors.ts';
import { collectionPath, objectPath, type Query, withQuery } from './resource-path.ts';
import type { TransportRequest } from './transport.ts';

export type ApiRequest = {
  readonly verb: Verb;
  /** `nodes`, `leases.coordination.k8s.io`, `nodes/status`: for metrics. */
  readonly resource: string;
  readonly method: TransportRequest['method'];
  readonly path: string;
  readonly asked: Asked;
  readonly content: { readonly type: string; readonly value: unknown } | null;
};

export function getRequest(ref: ObjectRef): ApiRequest {
  return {
    verb: 'get',
    resource: resourceName(ref.type),
    method: 'GET',
    path: objectPath(ref),
    asked: { isWrite: false, isOfOneObject: true },
    content: null,
  };
}

export function listRequest(selection: Selection, page: PageRequest): ApiRequest {
  return collectionRequest('list', selection, { limit: page.limit, continue: page.continueToken });
}

export function watchRequest(selection: Selection, start: WatchStart, timeoutSeconds: number): ApiRequest {
  const from =
    start.kind === 'initialEvents'
      ? { sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' }
      : { resourceVersion: start.resourceVersion };
  return collectionRequest('watch', selection, {
    watch: true,
    allowWatchBookmarks: true,
    timeoutSeconds,
    ...from,
  });
}

function collectionRequest(verb: 'list' | 'watch', selection: Selection, query: Query): ApiRequest {
  const { type, namespace, labelSelector, fieldSelector } = selection;
  return {
    verb,
    resource: resourceName(type),
    method: 'GET',
    path: withQuery(collectionPath(type, namespace), { labelSelector, fieldSelector, ...query }),
    asked: { isWrite: false, isOfOneObject: false },
    content: null,
  };
}

/** A write, and who the API server notes as the author of its fields. */
export type Authored = {
  readonly ref: ObjectRef;
  readonly options: WriteOptions;
  readonly fieldManager: string;
};

export function createRequest(write: Authored, body: RawObject): ApiRequest {
  const { ref, options } = write;
  const path = options.subresource
    ? objectPath(ref, options.subresource)
    : collectionPath(ref.type, ref.namespace);
  return {
    ...writeRequest('create', ref.type, options),
    method: 'POST',
    path: withQuery(path, writeQuery(write)),
    content: { type: 'application/json', value: body },
  };
}

export function replaceRequest(write: Authored, body: RawObject): ApiRequest {
  return {
    ...writeRequest('update', write.ref.type, write.options),
    method: 'PUT',
    path: withQuery(objectPath(write.ref, write.options.subresource), writeQuery(write)),
    content: { type: 'application/json', value: body },
  };
}

export function patchRequest(write: Authored, patch: Patch): ApiRequest {
  const query = { ...writeQuery(write), force: patch.kind === 'apply' && patch.force };
  return {
    ...writeRequest('patch', write.ref.type, write.options),
    method: 'PATCH',
    path: withQuery(objectPath(write.ref, write.options.subresource), query),
    content: { type: patchTypes[patch.kind], value: patch.body },
  };
}

export function deleteRequest(ref: ObjectRef, options: DeleteOptions): ApiRequest {
  const { uid, resourceVersion, propagation, gracePeriodSeconds } = options;
  // JSON leaves out what is undefined.
  const isGuarded = uid !== undefined || resourceVersion !== undefined;
  const value = {
    apiVersion: 'v1',
    kind: 'DeleteOptions',
    preconditions: isGuarded ? { uid, resourceVersion } : undefined,
    propagationPolicy: propagation,
    gracePeriodSeconds,
  };
  return {
    ...writeRequest('delete', ref.type, {}),
    method: 'DELETE',
    path: objectPath(ref),
    content: { type: 'application/json', value },
  };
}

/** An apply is a patch in YAML by name only: JSON is YAML too. */
const patchTypes: Readonly<Record<Patch['kind'], string>> = {
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
  strategic: 'application/strategic-merge-patch+json',
  apply: 'application/apply-patch+yaml',
};

function writeRequest(verb: Verb, type: ResourceType, { subresource }: WriteOptions) {
  return {
    verb,
    resource: subresource ? `${resourceName(type)}/${subresource}` : resourceName(type),
    asked: { isWrite: true, isOfOneObject: true },
  };
}

function writeQuery({ options, fieldManager }: Authored): Query {
  return { fieldManager, dryRun: options.dryRun ? 'All' : undefined };
}
