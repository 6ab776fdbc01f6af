// What a case works with: short words for requests, names that nobody else uses, and the duty to take everything away again.

import { randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import type { RawObject } from '../../src/objects/raw.ts';
import { until } from '../control-plane/until.ts';
import type { Reply, Target } from './target.ts';
import { startWatch, type Watching } from './watching.ts';

export type Ground = { readonly target: Target; readonly namespace: string };

/** Collections that cases use, by the plural of their kind. */
export type Collections = ReturnType<typeof collectionsIn>;
export type Plural = keyof Collections;

export type Made = {
  readonly name: string;
  readonly path: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly object: RawObject;
};

export type Bench = Ground & {
  readonly at: Collections;
  /** Of this case alone. */
  readonly name: (prefix?: string) => string;
  /** Makes an object under a name of this case, unless the content has one, and sees to it that it goes. */
  readonly create: (plural: Plural, content?: RawObject, query?: string) => Promise<Made>;
  /** For objects that a case makes by other means. */
  readonly forget: (path: string) => void;
  readonly send: Target['request'];
  readonly get: (path: string, accept?: string) => Promise<Reply>;
  readonly post: (path: string, body: unknown) => Promise<Reply>;
  readonly put: (path: string, body: unknown) => Promise<Reply>;
  readonly patch: (path: string, body: unknown, type?: PatchType) => Promise<Reply>;
  readonly remove: (path: string, options?: unknown) => Promise<Reply>;
  readonly watch: (path: string, query: string, accept?: string) => Promise<Watching>;
  readonly gone: (path: string) => Promise<void>;
};

export type PatchType = 'merge' | 'json' | 'strategic';

export const patchTypes = {
  merge: 'application/merge-patch+json',
  json: 'application/json-patch+json',
  strategic: 'application/strategic-merge-patch+json',
} as const;

export function createBench(ground: Ground): {
  readonly bench: Bench;
  readonly cleanUp: () => Promise<void>;
} {
  const { target, namespace } = ground;
  const send = target.request;
  const id = randomBytes(4).toString('hex');
  const left = new Set<string>();
  const watches: Watching[] = [];
  let names = 0;

  const at = collectionsIn(namespace);
  const name = (prefix = 'case') => `${prefix}-${id}-${++names}`;
  const create: Bench['create'] = async (plural, content = {}, query = '') => {
    const metadata = { name: name(), ...content.metadata };
    const reply = await send('POST', `${at[plural]}${query}`, {
      body: { ...headOf(plural), ...content, metadata },
    });
    expect(reply, reply.text).toMatchObject({ status: 201 });
    const made = madeOf(reply, at[plural]);
    left.add(made.path);
    return made;
  };
  const bench: Bench = {
    ...ground,
    at,
    name,
    create,
    forget: (path) => void left.add(path),
    send,
    get: (path, accept) => target.request('GET', path, accept === undefined ? {} : { accept }),
    post: (path, body) => send('POST', path, { body }),
    put: (path, body) => send('PUT', path, { body }),
    patch: (path, body, type = 'merge') => send('PATCH', path, { body, contentType: patchTypes[type] }),
    remove: (path, options) => send('DELETE', path, options === undefined ? {} : { body: options }),
    watch: async (path, query, accept) => {
      const options = accept === undefined ? {} : { accept };
      const watching = startWatch(await target.watch(`${path}?watch=1&${query}`, options));
      watches.push(watching);
      return watching;
    },
    gone: (path) => gone(target, path),
  };
  const cleanUp = async () => {
    for (const watching of watches) watching.close();
    for (const path of left) await discard(target, path);
  };
  return { bench, cleanUp };
}

export function collectionsIn(namespace: string) {
  const core = `/api/v1/namespaces/${namespace}`;
  return {
    nodes: '/api/v1/nodes',
    namespaces: '/api/v1/namespaces',
    configmaps: `${core}/configmaps`,
    secrets: `${core}/secrets`,
    pods: `${core}/pods`,
    serviceaccounts: `${core}/serviceaccounts`,
    services: `${core}/services`,
    events: `${core}/events`,
    newEvents: `/apis/events.k8s.io/v1/namespaces/${namespace}/events`,
    leases: `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`,
    poddisruptionbudgets: `/apis/policy/v1/namespaces/${namespace}/poddisruptionbudgets`,
    csinodes: '/apis/storage.k8s.io/v1/csinodes',
    customresourcedefinitions: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    widgets: `/apis/conformance.test/v1/namespaces/${namespace}/widgets`,
    gadgets: '/apis/conformance.test/v1/gadgets',
  } as const;
}

// Built-in kinds go without: the server knows them by the path.
function headOf(plural: Plural): RawObject {
  if (plural === 'widgets') return { apiVersion: 'conformance.test/v1', kind: 'Widget' };
  if (plural === 'gadgets') return { apiVersion: 'conformance.test/v1', kind: 'Gadget' };
  return {};
}

export function madeOf({ body }: Pick<Reply, 'body'>, collection: string): Made {
  const { name = '', uid = '', resourceVersion = '' } = body.metadata ?? {};
  return { name, path: `${collection}/${name}`, uid, resourceVersion, object: body };
}

function gone(target: Target, path: string): Promise<void> {
  // The garbage collector and the namespace controller work in their own time.
  return until(`${path} is gone`, 30_000, async () =>
    (await target.request('GET', path)).status === 404 ? true : undefined,
  ).then(() => undefined);
}

async function discard(target: Target, path: string): Promise<void> {
  const { body } = await target.request('DELETE', path, { body: { gracePeriodSeconds: 0 } });
  const isHeld = (body.metadata?.finalizers ?? []).length > 0;
  if (isHeld && body.kind !== 'CustomResourceDefinition') {
    await target.request('PATCH', path, { body: { metadata: { finalizers: null } } });
  }
}
