// The ways to start a watch, and what each begins with.

import { expect } from 'vitest';
import { table, type Topic } from '../case.ts';
import { invalid, refusal } from '../expectations.ts';
import { lineOf } from '../watching.ts';
import { isBookmark, marked, versionNow } from './watches.ts';

const initial = 'sendInitialEvents=true&resourceVersionMatch=NotOlderThan';
const endMark = 'k8s.io/initial-events-end';

export const watchStarts: Topic = {
  name: 'starting a watch',
  cases: {
    'from a resourceVersion tells only what came after': async (bench) => {
      const { labels, path, query } = marked(bench);
      await bench.create('configmaps', { metadata: { labels } });
      const resourceVersion = await versionNow(bench, path);
      const { name } = await bench.create('configmaps', { metadata: { labels } });
      const watching = await bench.watch(path, `${query}&resourceVersion=${resourceVersion}`);
      expect((await watching.through('ADDED')).map(lineOf)).toEqual([`ADDED ${name}`]);
    },
    'from the resourceVersion of an object tells nothing of that object': async (bench) => {
      const { labels, path, query } = marked(bench);
      const first = await bench.create('configmaps', { metadata: { labels } });
      const watching = await bench.watch(path, `${query}&resourceVersion=${first.resourceVersion}`);
      await bench.patch(first.path, { data: { a: '1' } });
      expect((await watching.through('MODIFIED')).map(lineOf)).toEqual([`MODIFIED ${first.name}`]);
    },
    ...table<string>(
      {
        'from 0 begins with everything there is': 'resourceVersion=0',
        'from nowhere begins with everything there is': '',
      },
      async (bench, start) => {
        const { labels, path, query } = marked(bench);
        const first = await bench.create('configmaps', { metadata: { labels } });
        const watching = await bench.watch(path, `${query}&${start}`);
        expect(lineOf(await watching.until(() => true))).toBe(`ADDED ${first.name}`);
        const second = await bench.create('configmaps', { metadata: { labels } });
        const lines = (await watching.through('ADDED', second.name)).map(lineOf);
        expect(lines).toEqual([`ADDED ${first.name}`, `ADDED ${second.name}`]);
      },
    ),
    'with initial events ends them with a marked bookmark': async (bench) => {
      const { labels, path, query } = marked(bench);
      const made = [
        await bench.create('configmaps', { metadata: { labels } }),
        await bench.create('configmaps', { metadata: { labels } }),
      ];
      const watching = await bench.watch(path, `${query}&${initial}&allowWatchBookmarks=true`);
      const events = await watching.through('BOOKMARK');
      expect(events.map(({ type }) => type)).toEqual(['ADDED', 'ADDED', 'BOOKMARK']);
      const bookmark = events.at(-1)?.object;
      expect(bookmark).toMatchObject({ kind: 'ConfigMap', apiVersion: 'v1' });
      expect(bookmark?.metadata?.annotations).toEqual({ [endMark]: 'true' });
      expect(Number(bookmark?.metadata?.resourceVersion)).toBeGreaterThanOrEqual(
        Number(made[1]?.resourceVersion),
      );
    },
    'with initial events goes on with what happens': async (bench) => {
      const { labels, path, query } = marked(bench);
      const watching = await bench.watch(path, `${query}&${initial}&allowWatchBookmarks=true`);
      await watching.until(isBookmark);
      const { name } = await bench.create('configmaps', { metadata: { labels } });
      const [end, ...later] = await watching.through('ADDED');
      expect(end?.object.metadata?.annotations).toEqual({ [endMark]: 'true' });
      // A server may send another bookmark at any time, without the mark.
      const bookmarks = later.filter(isBookmark).map(({ object }) => object.metadata?.annotations);
      expect(bookmarks.every((annotations) => annotations === undefined)).toBe(true);
      expect(later.filter((event) => !isBookmark(event)).map(lineOf)).toEqual([`ADDED ${name}`]);
    },
    'after the bookmark of another continues without a gap': async (bench) => {
      const { labels, path, query } = marked(bench);
      const first = await bench.watch(path, `${query}&${initial}&allowWatchBookmarks=true`);
      const bookmark = await first.until(isBookmark);
      first.close();
      const { name } = await bench.create('configmaps', { metadata: { labels } });
      const second = await bench.watch(
        path,
        `${query}&resourceVersion=${bookmark.object.metadata?.resourceVersion}`,
      );
      expect((await second.through('ADDED')).map(lineOf)).toEqual([`ADDED ${name}`]);
    },
    'with initial events of custom resources marks the bookmark too': async (bench) => {
      const { name } = await bench.create('widgets', { spec: { colour: 'red' } });
      const query = `fieldSelector=metadata.name%3D${name}&${initial}&allowWatchBookmarks=true`;
      const watching = await bench.watch(bench.at.widgets, query);
      const events = await watching.through('BOOKMARK');
      expect(events.map(lineOf)).toEqual([`ADDED ${name}`, 'BOOKMARK']);
      expect(events[1]?.object).toMatchObject({
        kind: 'Widget',
        apiVersion: 'conformance.test/v1',
        metadata: { annotations: { [endMark]: 'true' } },
      });
    },
    'without bookmarks sends the initial events all the same': async (bench) => {
      const { labels, path, query } = marked(bench);
      const { name } = await bench.create('configmaps', { metadata: { labels } });
      const watching = await bench.watch(path, `${query}&${initial}&timeoutSeconds=1`);
      await watching.ended;
      expect(watching.events.map(lineOf)).toEqual([`ADDED ${name}`]);
    },
    ...table<string>(
      {
        'with initial events needs the match': 'sendInitialEvents=true&allowWatchBookmarks=true',
        'with initial events takes no exact match':
          'sendInitialEvents=true&resourceVersion=1&resourceVersionMatch=Exact',
        'with a match needs initial events': 'resourceVersion=1&resourceVersionMatch=NotOlderThan',
      },
      async ({ get, at }, query) => {
        expect(await get(`${at.configmaps}?watch=1&${query}`)).toMatchObject(
          invalid('resourceVersionMatch', 'FieldValueForbidden'),
        );
      },
    ),
    'is the only place for initial events': async ({ get, at }) => {
      expect(await get(`${at.configmaps}?sendInitialEvents=true`)).toMatchObject(
        invalid('sendInitialEvents', 'FieldValueForbidden'),
      );
    },
    'of a resource that is not served is refused like a list': async ({ get }) => {
      expect(await get('/api/v1/nopes?watch=1')).toMatchObject(refusal(404, 'NotFound'));
    },
    'takes true for 1': async (bench) => {
      const { labels, path, query } = marked(bench);
      const { name } = await bench.create('configmaps', { metadata: { labels } });
      const stream = await bench.target.watch(`${path}?watch=true&${query}`);
      for await (const line of stream.lines) {
        expect(JSON.parse(line)).toMatchObject({ type: 'ADDED', object: { metadata: { name } } });
        break;
      }
      stream.close();
    },
  },
};
