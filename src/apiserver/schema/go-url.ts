// URLs as Go's url.ParseRequestURI takes them: an absolute path or an absolute URL, without a fragment of its own.

export type GoUrl = {
  readonly scheme: string;
  /** With the port. */
  readonly host: string;
  readonly hostname: string;
  readonly port: string;
  readonly escapedPath: string;
  readonly query: ReadonlyMap<string, readonly string[]>;
};

export function parseRequestUri(text: string): GoUrl | null {
  // oxlint-disable-next-line no-control-regex
  if (text === '' || /[\x00-\x1f\x7f]/.test(text)) return null;
  const scheme = /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(text)?.[1] ?? '';
  const rest = scheme === '' ? text : text.slice(scheme.length + 1);
  if (!rest.startsWith('/')) return scheme === '' ? null : { ...nowhere, scheme: scheme.toLowerCase() };
  const [beforeQuery = '', ...queries] = rest.split('?');
  const authority =
    scheme !== '' && beforeQuery.startsWith('//') ? beforeQuery.slice(2).split('/')[0] : undefined;
  const path = authority === undefined ? beforeQuery : beforeQuery.slice(authority.length + 2);
  const host = authority?.replace(/^.*@/, '') ?? '';
  if (!isHost(host) || /%(?![0-9A-Fa-f]{2})/.test(path)) return null;
  return {
    scheme: scheme.toLowerCase(),
    host,
    ...hostParts(host),
    escapedPath: escapePath(path),
    query: parseQuery(queries.join('?')),
  };
}

const nowhere: GoUrl = {
  scheme: '',
  host: '',
  hostname: '',
  port: '',
  escapedPath: '',
  query: new Map() as ReadonlyMap<string, readonly string[]>,
};

function isHost(host: string): boolean {
  if (host.startsWith('[')) return /^\[[0-9a-fA-F:.]+(?:%25[^\]]*)?\](?::\d*)?$/.test(host);
  return /^[^\s"<>\\^`{}|:[\]]*(?::\d*)?$/.test(host) && !/%(?![0-9A-Fa-f]{2})/.test(host);
}

function hostParts(host: string): { readonly hostname: string; readonly port: string } {
  const [, bracketed, plain, port = ''] = /^(?:\[([^\]]*)\]|([^:]*))(?::(\d*))?$/.exec(host) ?? [];
  return { hostname: bracketed ?? plain ?? '', port };
}

function escapePath(path: string): string {
  return path.replace(/[^A-Za-z0-9\-._~!$&'()*+,;=:@/%[\]]/gu, (character) => encodeURIComponent(character));
}

function parseQuery(text: string): ReadonlyMap<string, readonly string[]> {
  const query = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(text)) query.set(name, [...(query.get(name) ?? []), value]);
  return query;
}
