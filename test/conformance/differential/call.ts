// An operation as a request: fills in names, the namespace and what a guard stands for. Knows no target and remembers nothing.

import { isRecord } from '../../../src/objects/raw.ts';
import { collectionsIn, patchTypes } from '../bench.ts';
import type { RequestOptions } from '../target.ts';
import type { Content, Form, Guard, Kind, Operation, Slot } from './operation.ts';

/** Where a world lives. The prefix is of one length in all worlds, so that bounds on names meet them alike. */
export type Place = { readonly namespace: string; readonly prefix: string };

export type Call = { readonly method: string; readonly path: string; readonly options: RequestOptions };

export type Guarded = { readonly on: Kind; readonly slot: Slot; readonly guard: Guard };

type Asked = Exclude<Operation, { readonly kind: 'watch' }>;

export function pathOf({ namespace, prefix }: Place, on: Kind, slot: Slot): string {
  return `${collectionsIn(namespace)[on]}/${prefix}-${slot}`;
}

/** `identityOf` says what a guarded write has to carry: a resourceVersion, a uid or nothing. */
export function callOf(operation: Asked, place: Place, identityOf: (write: Guarded) => Content): Call {
  const collection = collectionsIn(place.namespace)[operation.on];
  if (operation.kind === 'list' || operation.kind === 'delete-many') {
    const path = `${collection}?${operation.query.replaceAll('%24NAME', place.prefix)}`;
    if (operation.kind === 'list') return { method: 'GET', path, options: acceptOf(operation.form, 'List') };
    return { method: 'DELETE', path, options: {} };
  }
  const name = `${place.prefix}-${operation.slot}`;
  const path = `${collection}/${name}`;
  const bodyOf = (content: Content, identity: Content) => ({
    ...(operation.on === 'widgets' ? { apiVersion: 'conformance.test/v1', kind: 'Widget' } : {}),
    ...withMetadata(filled(content, place), { ...identity, name }),
  });
  switch (operation.kind) {
    case 'create': {
      const body = bodyOf(operation.content, {});
      return { method: 'POST', path: `${collection}?${operation.query}`, options: { body } };
    }
    case 'get':
      return { method: 'GET', path: partOf(path, operation), options: acceptOf(operation.form, '') };
    case 'replace': {
      const body = bodyOf(operation.content, identityOf(operation));
      return { method: 'PUT', path: partOf(path, operation), options: { body } };
    }
    case 'patch': {
      const isMerge = isRecord(operation.body);
      const body = isMerge
        ? withMetadata(filled(operation.body, place), identityOf(operation))
        : operation.body;
      const options = { body, contentType: patchTypes[operation.type] };
      return { method: 'PATCH', path: partOf(path, operation), options };
    }
    case 'delete': {
      const body = { ...operation.options, preconditions: identityOf(operation) };
      return { method: 'DELETE', path, options: { body } };
    }
    case 'act': {
      const body = withMetadata(operation.content, { name });
      return { method: 'POST', path: `${path}/${operation.part}`, options: { body } };
    }
  }
}

function acceptOf(form: Form, of: '' | 'List'): RequestOptions {
  if (form === 'object') return {};
  const as = form === 'table' ? 'Table' : `PartialObjectMetadata${of}`;
  return { accept: `application/json;as=${as};v=v1;g=meta.k8s.io` };
}

type Parted = { readonly part: 'object' | 'status'; readonly query?: string };

function partOf(path: string, { part, query = '' }: Parted): string {
  const whole = part === 'status' ? `${path}/status` : path;
  return query === '' ? whole : `${whole}?${query}`;
}

function filled(content: Content, { namespace }: Place): Content {
  return JSON.parse(JSON.stringify(content).replaceAll('$NAMESPACE', namespace)) as Content;
}

function withMetadata(content: Content, more: Content): Content {
  const { metadata } = content;
  const isNothing = metadata === undefined && Object.keys(more).length === 0;
  return isNothing ? content : { ...content, metadata: { ...(isRecord(metadata) ? metadata : {}), ...more } };
}
