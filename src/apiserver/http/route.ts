// Which part of the API a path names. Paths that name nothing are told apart from resources that are not served.

export type Route =
  | { readonly kind: 'resource'; readonly resource: ResourcePath }
  | { readonly kind: 'groupVersion'; readonly group: string; readonly version: string }
  | { readonly kind: 'group'; readonly group: string }
  | { readonly kind: 'core' | 'groups' | 'root' | 'version' | 'openapi' | 'health' }
  | { readonly kind: 'openapiOf'; readonly group: string; readonly version: string }
  /** The group is null outside of the API. */
  | { readonly kind: 'nothing'; readonly group: string | null };

export type ResourcePath = {
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly namespace: string;
  /** Empty for the collection. */
  readonly name: string;
  readonly subresource: string;
  /** The old way to ask for a watch: /api/v1/watch/nodes. */
  readonly isWatch: boolean;
};

const NOTHING: Route = { kind: 'nothing', group: null };

export function routeOf(path: string): Route {
  const segments = segmentsOf(path);
  if (segments === null) return NOTHING;
  const [first = '', ...rest] = segments;
  switch (first) {
    case '':
      return { kind: 'root' };
    case 'api':
      return rest.length === 0 ? { kind: 'core' } : versioned('', rest);
    case 'apis':
      return groupRoute(rest);
    case 'version':
      return rest.length === 0 ? { kind: 'version' } : NOTHING;
    case 'healthz':
    case 'readyz':
    case 'livez':
      return { kind: 'health' };
    case 'openapi':
      return openapiRoute(rest);
    default:
      return NOTHING;
  }
}

function segmentsOf(path: string): readonly string[] | null {
  try {
    const segments = path.replace(/^\/+|\/+$/g, '').split('/');
    return path.includes('%') ? segments.map(decodeURIComponent) : segments;
  } catch {
    return null;
  }
}

function groupRoute(segments: readonly string[]): Route {
  const [group = '', ...rest] = segments;
  if (group === '') return { kind: 'groups' };
  return rest.length === 0 ? { kind: 'group', group } : versioned(group, rest);
}

function openapiRoute([form, prefix, ...rest]: readonly string[]): Route {
  if (form !== 'v3') return NOTHING;
  if (prefix === undefined) return { kind: 'openapi' };
  const [group = '', version = ''] = prefix === 'api' ? ['', ...rest] : rest;
  return version === '' ? NOTHING : { kind: 'openapiOf', group, version };
}

function versioned(group: string, [version = '', ...rest]: readonly string[]): Route {
  if (rest.length === 0) return { kind: 'groupVersion', group, version };
  const isWatch = rest[0] === 'watch';
  const [first = '', second = '', third = '', ...more] = isWatch ? rest.slice(1) : rest;
  const base = { group, version, isWatch };
  // A namespace is a resource itself: /namespaces/a/status is a part of it, /namespaces/a/pods is not.
  const isInside = first === 'namespaces' && third !== '' && !['status', 'finalize'].includes(third);
  const [plural, name, subresource, ...extra] = isInside ? [third, ...more] : [first, second, third, ...more];
  // What follows a proxy is a path of somebody else's.
  const isTooLong = extra.length > 0 && subresource !== 'proxy';
  if (isTooLong || plural === undefined) return { kind: 'nothing', group };
  const namespace = isInside ? second : '';
  return {
    kind: 'resource',
    resource: { ...base, plural, namespace, name: name ?? '', subresource: subresource ?? '' },
  };
}
