// What a watch tells while it runs, and how it ends.

import { expect } from 'vitest';
import type { Bench } from '../bench.ts';
import type { Topic } from '../case.ts';
import { versionOf } from '../expectations.ts';
import { lineOf, type WatchEvent } from '../watching.ts';

/** A mark that only objects of this case carry, as labels and as a query. */
export function marked({ name, at }: Bench) {
  const labels = { watched: name() };
  return { labels, path: at.configmaps, query: `labelSelector=watched%3D${labels.watched}` };
}

export async function versionNow({ get }: Bench, path: string): Promise<string> {
  return versionOf(await get(path));
}

export const isBookmark = ({ type }: WatchEvent) => type === 'BOOKMARK';

export const watches: Topic = {
  name: 'watches',
  cases: {
    'tell the life of an object in order': async (bench) => {
      const { labels, path, query } = marked(bench);
      const watching = await bench.watch(path, `${query}&resourceVersion=${await versionNow(bench, path)}`);
      const { path: object, name } = await bench.create('configmaps', { metadata: { labels } });
      await bench.patch(object, { data: { a: '1' } });
      await bench.remove(object);
      const events = await watching.through('DELETED');
      expect(events.map(lineOf)).toEqual([`ADDED ${name}`, `MODIFIED ${name}`, `DELETED ${name}`]);
      const versions = events.map(({ object: { metadata } }) => Number(metadata?.resourceVersion));
      expect(versions).toEqual([...new Set(versions)].sort((a, b) => a - b));
    },
    'end a life with its last state and a newer resourceVersion': async (bench) => {
      const { labels, path, query } = marked(bench);
      const made = await bench.create('configmaps', { metadata: { labels }, data: { last: 'words' } });
      const watching = await bench.watch(path, `${query}&resourceVersion=${made.resourceVersion}`);
      await bench.remove(made.path);
      const { object } = await watching.until(({ type }) => type === 'DELETED');
      expect(object).toMatchObject({
        kind: 'ConfigMap',
        metadata: { uid: made.uid },
        data: { last: 'words' },
      });
      expect(Number(object.metadata?.resourceVersion)).toBeGreaterThan(Number(made.resourceVersion));
    },
    'are silent about writes that change nothing': async (bench) => {
      const { labels, path, query } = marked(bench);
      const made = await bench.create('configmaps', { metadata: { labels }, data: { a: '1' } });
      const watching = await bench.watch(path, `${query}&resourceVersion=${made.resourceVersion}`);
      await bench.patch(made.path, { data: { a: '1' } });
      await bench.patch(made.path, { data: { a: '2' } });
      const events = await watching.through('MODIFIED');
      expect(events[0]?.object['data']).toEqual({ a: '2' });
    },
    'tell of an object that enters the selection as added': async (bench) => {
      const { labels, path, query } = marked(bench);
      const made = await bench.create('configmaps');
      const watching = await bench.watch(path, `${query}&resourceVersion=${made.resourceVersion}`);
      await bench.patch(made.path, { metadata: { labels } });
      expect(await watching.until(() => true)).toMatchObject({
        type: 'ADDED',
        object: { metadata: { labels } },
      });
    },
    'tell of an object that leaves the selection as deleted, with its labels before and its version after':
      async (bench) => {
        const { labels, path, query } = marked(bench);
        const made = await bench.create('configmaps', { metadata: { labels } });
        const watching = await bench.watch(path, `${query}&resourceVersion=${made.resourceVersion}`);
        const reply = await bench.patch(made.path, { metadata: { labels: { watched: null } } });
        const event = await watching.until(() => true);
        expect(event).toMatchObject({
          type: 'DELETED',
          object: { metadata: { labels, resourceVersion: versionOf(reply) } },
        });
      },
    'cross a field selector in the same way': async (bench) => {
      const metadata = { labels: { watched: bench.name() } };
      const { path, name, resourceVersion } = await bench.create('nodes', { metadata });
      const query = `labelSelector=watched%3D${metadata.labels.watched}&fieldSelector=spec.unschedulable%3Dtrue`;
      const watching = await bench.watch(bench.at.nodes, `${query}&resourceVersion=${resourceVersion}`);
      await bench.patch(path, { spec: { unschedulable: true } });
      await bench.patch(path, { metadata: { labels: { other: 'x' } } });
      await bench.patch(path, { spec: { unschedulable: null } });
      const lines = (await watching.through('DELETED')).map(lineOf);
      expect(lines).toEqual([`ADDED ${name}`, `MODIFIED ${name}`, `DELETED ${name}`]);
    },
    'are silent about objects that were never selected': async (bench) => {
      const { labels, path, query } = marked(bench);
      const watching = await bench.watch(path, `${query}&resourceVersion=${await versionNow(bench, path)}`);
      const other = await bench.create('configmaps');
      await bench.remove(other.path);
      const { name } = await bench.create('configmaps', { metadata: { labels } });
      expect((await watching.through('ADDED')).map(lineOf)).toEqual([`ADDED ${name}`]);
    },
    'show the beginning of a deletion as a modification': async (bench) => {
      const { labels, path, query } = marked(bench);
      const metadata = { labels, finalizers: ['conformance.test/hold'] };
      const made = await bench.create('configmaps', { metadata });
      const watching = await bench.watch(path, `${query}&resourceVersion=${made.resourceVersion}`);
      await bench.remove(made.path);
      const { object } = await watching.until(({ type }) => type === 'MODIFIED');
      expect(object.metadata?.deletionTimestamp).toEqual(expect.any(String));
      await bench.patch(made.path, { metadata: { finalizers: null } });
      await watching.until(({ type }) => type === 'DELETED');
    },
    'of one object select it by name': async (bench) => {
      const { path, name, resourceVersion } = await bench.create('leases');
      const query = `fieldSelector=metadata.name%3D${name}&resourceVersion=${resourceVersion}`;
      const watching = await bench.watch(bench.at.leases, query);
      await bench.create('leases');
      await bench.patch(path, { spec: { holderIdentity: 'me' } });
      expect((await watching.through('MODIFIED')).map(lineOf)).toEqual([`MODIFIED ${name}`]);
    },
    'of one object at its own path are plain reads': async (bench) => {
      const { path, name } = await bench.create('leases');
      expect((await bench.get(`${path}?watch=1`)).body).toMatchObject({ kind: 'Lease', metadata: { name } });
    },
    'tell of status writes too': async (bench) => {
      const { path, name, resourceVersion } = await bench.create('widgets', { spec: { colour: 'red' } });
      const query = `fieldSelector=metadata.name%3D${name}&resourceVersion=${resourceVersion}`;
      const watching = await bench.watch(bench.at.widgets, query);
      await bench.patch(`${path}/status`, { status: { phase: 'up' } });
      expect(await watching.until(() => true)).toMatchObject({
        type: 'MODIFIED',
        object: { status: { phase: 'up' } },
      });
    },
    'speak the version that is watched': async (bench) => {
      const { name } = await bench.create('widgets', { spec: { colour: 'red' } });
      const old = bench.at.widgets.replace('/v1/', '/v1beta1/');
      const watching = await bench.watch(old, `fieldSelector=metadata.name%3D${name}`);
      expect((await watching.until(() => true)).object.apiVersion).toBe('conformance.test/v1beta1');
    },
    'end cleanly after timeoutSeconds': async (bench) => {
      const { path, query } = marked(bench);
      const watching = await bench.watch(path, `${query}&timeoutSeconds=1`);
      await watching.ended;
      expect(watching).toMatchObject({ status: 200, events: [] });
    },
    'send a bookmark before they end': async (bench) => {
      const { path, query } = marked(bench);
      const resourceVersion = await versionNow(bench, path);
      const watching = await bench.watch(
        path,
        `${query}&resourceVersion=${resourceVersion}&allowWatchBookmarks=true&timeoutSeconds=5`,
      );
      const { object } = await watching.until(isBookmark);
      expect(object).toMatchObject({
        kind: 'ConfigMap',
        metadata: { resourceVersion: expect.stringMatching(/^\d+$/) },
      });
      expect(object.metadata).not.toHaveProperty('annotations');
      expect(Number(object.metadata?.resourceVersion)).toBeGreaterThanOrEqual(Number(resourceVersion));
    },
    'send no bookmarks unasked': async (bench) => {
      const { path, query } = marked(bench);
      const watching = await bench.watch(path, `${query}&resourceVersion=0&timeoutSeconds=4`);
      await watching.ended;
      expect(watching.events).toEqual([]);
    },
    'serve many at once': async (bench) => {
      const { labels, path, query } = marked(bench);
      const all = await Promise.all(
        Array.from({ length: 30 }, () => bench.watch(path, `${query}&resourceVersion=0`)),
      );
      const { name } = await bench.create('configmaps', { metadata: { labels } });
      const seen = await Promise.all(all.map((watching) => watching.until(() => true)));
      expect(new Set(seen.map(lineOf))).toEqual(new Set([`ADDED ${name}`]));
    },
  },
};
