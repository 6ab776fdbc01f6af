// What a request means in the words of fault rules: verb, resource, name. Pure, and only as far as an operator speaks.

import type { Happening } from '../../../src/sim/faults/rule-book.ts';

export type Spoken = Pick<Happening, 'verb' | 'resource' | 'name'>;

/** Null for what is no request for a resource. An object that is created has its name in the body alone. */
export function spokenIn(method: string, url: string, body = ''): Spoken | null {
  const { pathname, searchParams } = new URL(url, 'https://localhost');
  const place = placeIn(pathname);
  if (place === null) return null;
  const { resource, name, isPart } = place;
  switch (method) {
    case 'GET':
      if (searchParams.get('watch') === 'true') return { verb: 'watch', resource, name: '' };
      return { verb: name === '' ? 'list' : 'get', resource, name };
    case 'POST':
      return { verb: 'create', resource, name: name === '' ? nameIn(body) : name };
    case 'PUT':
      return { verb: 'replace', resource, name };
    case 'PATCH':
      return { verb: 'patch', resource, name };
    case 'DELETE':
      return name === '' && !isPart ? null : { verb: 'delete', resource, name };
    default:
      return null;
  }
}

/** Of an object as JSON; empty when it has none. */
export function nameIn(text: string): string {
  const object = JSON.parse(text) as { readonly metadata?: { readonly name?: string } };
  return object.metadata?.name ?? '';
}

type PlaceInApi = { readonly resource: string; readonly name: string; readonly isPart: boolean };

function placeIn(pathname: string): PlaceInApi | null {
  const [first, ...rest] = pathname.split('/').filter((part) => part !== '');
  const [group, segments] = first === 'api' ? ['', rest.slice(1)] : [rest[0] ?? '', rest.slice(2)];
  if (first !== 'api' && first !== 'apis') return null;
  const isInside = segments[0] === 'namespaces' && segments.length > 2;
  const [plural, name = '', part] = isInside ? segments.slice(2) : segments;
  if (plural === undefined) return null;
  const kind = group === '' ? plural : `${plural}.${group}`;
  const resource = part === undefined ? kind : `${kind}/${part}`;
  return { resource, name: decodeURIComponent(name), isPart: part !== undefined };
}
