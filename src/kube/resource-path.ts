// Where things are on an API server: paths and queries. Pure; everything that came from outside is escaped.

import type { ObjectRef, ResourceType } from '../objects/ref.ts';

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

/** All objects of a type; with a namespace, those in it. */
export function collectionPath(type: ResourceType, namespace = ''): string {
  const root =
    type.group === ''
      ? `/api/${escaped(type.version)}`
      : `/apis/${escaped(type.group)}/${escaped(type.version)}`;
  const within = namespace === '' ? '' : `/namespaces/${escaped(namespace)}`;
  return `${root}${within}/${escaped(type.plural)}`;
}

export function objectPath(ref: ObjectRef, subresource = ''): string {
  const path = `${collectionPath(ref.type, ref.namespace)}/${escaped(ref.name)}`;
  return subresource === '' ? path : `${path}/${escaped(subresource)}`;
}

/** What is undefined, empty or false is left out: it means "not asked for" to the API server. */
export function withQuery(path: string, query: Query): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '' && value !== false) parameters.append(name, String(value));
  }
  return parameters.size === 0 ? path : `${path}?${parameters.toString()}`;
}

function escaped(segment: string): string {
  return encodeURIComponent(segment);
}
