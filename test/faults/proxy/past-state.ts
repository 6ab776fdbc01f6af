// A watch as an API server would serve it that is behind: the objects as they were so many revisions ago, and all that came since
// only after that. A real server tells of past states as long as they are not compacted.

type ListBody = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: { readonly resourceVersion: string };
  readonly items: readonly object[];
};

export type PastState = {
  /** The initial events, up to the bookmark that ends them. */
  readonly lines: readonly string[];
  /** Where the watch goes on from there. */
  readonly followUrl: string;
};

export type ReadList = (url: string) => Promise<unknown>;

export async function pastStateOf(
  watchUrl: string,
  revisionsBack: number,
  read: ReadList,
): Promise<PastState> {
  const now = (await read(listUrl(watchUrl, { limit: '1' }))) as ListBody;
  const resourceVersion = String(Math.max(1, Number(now.metadata.resourceVersion) - revisionsBack));
  const past = (await read(
    listUrl(watchUrl, { resourceVersion, resourceVersionMatch: 'Exact' }),
  )) as ListBody;
  const type = { kind: past.kind.replace(/List$/, ''), apiVersion: past.apiVersion };
  const bookmark = {
    ...type,
    metadata: { resourceVersion, annotations: { 'k8s.io/initial-events-end': 'true' } },
  };
  return {
    lines: [
      ...past.items.map((item) => JSON.stringify({ type: 'ADDED', object: { ...type, ...item } })),
      JSON.stringify({ type: 'BOOKMARK', object: bookmark }),
    ],
    followUrl: followUrl(watchUrl, resourceVersion),
  };
}

/** What only a watch says of itself. */
const ofWatches = [
  'watch',
  'sendInitialEvents',
  'allowWatchBookmarks',
  'timeoutSeconds',
  'resourceVersion',
  'resourceVersionMatch',
];

function listUrl(watchUrl: string, page: Readonly<Record<string, string>>): string {
  return withParameters(watchUrl, ofWatches, page);
}

function followUrl(watchUrl: string, resourceVersion: string): string {
  return withParameters(watchUrl, ['sendInitialEvents', 'resourceVersionMatch'], { resourceVersion });
}

function withParameters(
  url: string,
  dropped: readonly string[],
  added: Readonly<Record<string, string>>,
): string {
  const { pathname, searchParams } = new URL(url, 'https://localhost');
  for (const name of dropped) searchParams.delete(name);
  for (const [name, value] of Object.entries(added)) searchParams.set(name, value);
  return `${pathname}?${searchParams.toString()}`;
}
