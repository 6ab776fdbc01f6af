// What every KubeApi promises about watches: both ways to start, bookmarks, order, and how they end.
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { RawObject } from '../../src/objects/raw.ts';
import type { ApiFailure, KubeApi, Selection, WatchEvent, WatchStart } from '../../src/runtime/ports.ts';
import { type Bench, configMapType, valueOf } from './kube-api-bench.ts';

type Watching = {
  readonly events: readonly WatchEvent[];
  /** Every call in order. */
  readonly calls: readonly string[];
  readonly until: (isEnough: (event: WatchEvent) => boolean) => Promise<WatchEvent>;
  readonly over: Promise<ApiFailure | null>;
  readonly close: () => void;
};

function startWatch(api: KubeApi, selection: Selection, start: WatchStart): Watching {
  const events: WatchEvent[] = [];
  const calls: string[] = [];
  const waiting = new Set<() => void>();
  const over = Promise.withResolvers<ApiFailure | null>();
  const note = (call: string) => {
    calls.push(call);
    for (const look of waiting) look();
  };
  const close = api.watch(selection, start, {
    opened: () => note('opened'),
    event(event) {
      events.push(event);
      note(event.kind);
    },
    ended(failure) {
      note('ended');
      over.resolve(failure);
    },
  });
  const until = (isEnough: (event: WatchEvent) => boolean) =>
    new Promise<WatchEvent>((resolve) => {
      const look = () => {
        const found = events.find(isEnough);
        if (found === undefined) return;
        waiting.delete(look);
        resolve(found);
      };
      waiting.add(look);
      look();
    });
  return { events, calls, until, over: over.promise, close };
}

const isChange = (change: string) => (event: WatchEvent) =>
  event.kind === 'object' && event.change === change;
const isFirstBookmark = (event: WatchEvent) => event.kind === 'bookmark' && event.endsInitialEvents;

function line(event: WatchEvent): string {
  if (event.kind !== 'object') return event.kind;
  return `${event.change} ${event.object.metadata?.name}`;
}

export function describeWatches({ api, namespace, create }: Bench): void {
  /** Only what carries this mark, so that tests do not see each other. */
  const marked = () => {
    const mark = randomUUID();
    const selection: Selection = {
      type: configMapType,
      namespace: namespace(),
      labelSelector: `watch=${mark}`,
    };
    return { selection, content: { metadata: { labels: { watch: mark } } } satisfies RawObject };
  };
  const versionNow = async (selection: Selection) => valueOf(await api().list(selection)).resourceVersion;

  describe('watching', () => {
    it('begins with everything, closed by a marked bookmark, and goes on', async () => {
      const { selection, content } = marked();
      const [one, two] = [await create(configMapType, content), await create(configMapType, content)];
      const watching = startWatch(api(), selection, { kind: 'initialEvents' });
      await watching.until(isFirstBookmark);
      const names = [one, two].map(({ ref }) => `ADDED ${ref.name}`).sort();
      expect(watching.events.slice(0, 2).map(line).sort()).toEqual(names);
      expect(watching.calls.slice(0, 4)).toEqual(['opened', 'object', 'object', 'bookmark']);

      valueOf(await api().patch(one.ref, { kind: 'merge', body: { data: { a: '1' } } }));
      expect(line(await watching.until(isChange('MODIFIED')))).toBe(`MODIFIED ${one.ref.name}`);
      watching.close();
      expect(await watching.over).toBe(null);
    });

    it('gives the bookmark a resourceVersion from which one can go on', async () => {
      const { selection, content } = marked();
      const first = startWatch(api(), selection, { kind: 'initialEvents' });
      const bookmark = await first.until(isFirstBookmark);
      first.close();
      await first.over;
      const { ref } = await create(configMapType, content);
      const resourceVersion = bookmark.kind === 'bookmark' ? bookmark.resourceVersion : '';
      const second = startWatch(api(), selection, { kind: 'after', resourceVersion });
      expect(line(await second.until(isChange('ADDED')))).toBe(`ADDED ${ref.name}`);
      second.close();
      await second.over;
    });

    it('tells the life of an object in order', async () => {
      const { selection, content } = marked();
      const resourceVersion = await versionNow(selection);
      const { ref, object } = await create(configMapType, content);
      valueOf(await api().patch(ref, { kind: 'merge', body: { data: { a: '1' } } }));
      valueOf(await api().delete(ref));
      const watching = startWatch(api(), selection, { kind: 'after', resourceVersion });
      await watching.until(isChange('DELETED'));
      watching.close();
      const lives = watching.events.filter((event) => event.kind === 'object');
      expect(lives.map(line)).toEqual([`ADDED ${ref.name}`, `MODIFIED ${ref.name}`, `DELETED ${ref.name}`]);
      expect(lives[0]?.object.metadata).toMatchObject({
        uid: object.metadata?.uid,
        resourceVersion: object.metadata?.resourceVersion,
      });
      expect(await watching.over).toBe(null);
    });

    it('tells that an object left the selection', async () => {
      const { selection, content } = marked();
      const { ref } = await create(configMapType, content);
      const watching = startWatch(api(), selection, { kind: 'initialEvents' });
      await watching.until(isFirstBookmark);
      valueOf(await api().patch(ref, { kind: 'merge', body: { metadata: { labels: { watch: null } } } }));
      expect(line(await watching.until(isChange('DELETED')))).toBe(`DELETED ${ref.name}`);
      watching.close();
      await watching.over;
    });

    it('ends once when it is closed, and says nothing more', async () => {
      const { selection, content } = marked();
      const watching = startWatch(api(), selection, { kind: 'initialEvents' });
      await watching.until(isFirstBookmark);
      watching.close();
      watching.close();
      expect(await watching.over).toBe(null);
      await create(configMapType, content);
      expect(watching.calls).toEqual(['opened', 'bookmark', 'ended']);
    });

    it('ends with the reason when the type is not served', async () => {
      const type = { ...configMapType, group: 'nowhere.test', plural: 'nothings' };
      const watching = startWatch(api(), { type }, { kind: 'initialEvents' });
      expect(await watching.over).toMatchObject({ reason: 'NotFound' });
      expect(watching.calls).toEqual(['ended']);
    });

    it('keeps many watches open at once', async () => {
      const { selection, content } = marked();
      const watches = Array.from({ length: 40 }, () =>
        startWatch(api(), selection, { kind: 'initialEvents' }),
      );
      await Promise.all(watches.map((watching) => watching.until(isFirstBookmark)));
      const { ref } = await create(configMapType, content);
      const seen = await Promise.all(watches.map((watching) => watching.until(isChange('ADDED'))));
      expect(new Set(seen.map(line))).toEqual(new Set([`ADDED ${ref.name}`]));
      for (const watching of watches) watching.close();
      expect(await Promise.all(watches.map(({ over }) => over))).toEqual(watches.map(() => null));
    });
  });
}
