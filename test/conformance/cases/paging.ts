// Lists: order, pages, consistency and resourceVersions.

import { expect } from 'vitest';
import { until } from '../../control-plane/until.ts';
import type { Bench } from '../bench.ts';
import { table, type Topic } from '../case.ts';
import { continueOf, invalid, namesIn, refusal, versionOf } from '../expectations.ts';

async function five({ create, at, name }: Bench) {
  const mark = name();
  const metadata = (index: number) => ({ name: `${mark}-${index}`, labels: { page: mark } });
  for (const index of [3, 1, 5, 2, 4]) await create('configmaps', { metadata: metadata(index) });
  return {
    path: `${at.configmaps}?labelSelector=page%3D${mark}`,
    names: [1, 2, 3, 4, 5].map((n) => `${mark}-${n}`),
  };
}

export const paging: Topic = {
  name: 'lists',
  cases: {
    'are sorted by name': async (bench) => {
      const { path, names } = await five(bench);
      expect(namesIn(await bench.get(path))).toEqual(names);
    },
    'come in pages that together are the whole, at one resourceVersion': async (bench) => {
      const { path, names } = await five(bench);
      const pages = [await bench.get(`${path}&limit=2`)];
      while (continueOf(pages.at(-1)!) !== '') {
        pages.push(await bench.get(`${path}&limit=2&continue=${continueOf(pages.at(-1)!)}`));
      }
      expect(pages.map(({ body }) => body.items?.length)).toEqual([2, 2, 1]);
      expect(pages.flatMap(namesIn)).toEqual(names);
      expect(new Set(pages.map(versionOf)).size).toBe(1);
    },
    'show the state of the first page to the end': async (bench) => {
      const { path, names } = await five(bench);
      const first = await bench.get(`${path}&limit=2`);
      await bench.remove(`${bench.at.configmaps}/${names[4]}`);
      await bench.patch(`${bench.at.configmaps}/${names[3]}`, { data: { late: 'yes' } });
      const rest = await bench.get(`${path}&continue=${continueOf(first)}`);
      expect(namesIn(rest)).toEqual(names.slice(2));
      expect(rest.body.items?.[1]).not.toHaveProperty('data');
    },
    'say no continuation when nothing is left': async ({ get }) => {
      expect(continueOf(await get('/api/v1/namespaces?limit=500'))).toBe('');
    },
    'may lead to an empty page when only what is not selected is left': async (bench) => {
      const { path } = await five(bench);
      await bench.create('configmaps', { metadata: { name: bench.name('zzz') } });
      const token = continueOf(await bench.get(`${path}&limit=5`));
      if (token !== '') expect(namesIn(await bench.get(`${path}&limit=5&continue=${token}`))).toEqual([]);
    },
    'count what remains only when nothing is selected': async (bench) => {
      const { path } = await five(bench);
      const selected = await bench.get(`${path}&limit=2`);
      expect(selected.body.metadata).not.toHaveProperty('remainingItemCount');
      const all = await bench.get('/api/v1/namespaces?limit=1');
      expect(all.body.metadata).toMatchObject({ remainingItemCount: expect.any(Number) });
    },
    'are whole again, if perhaps not fresh, when a limit meets resourceVersion 0': async (bench) => {
      const { path } = await five(bench);
      await until('the list shows what was written', 10_000, async () => {
        const reply = await bench.get(`${path}&limit=2&resourceVersion=0`);
        expect(continueOf(reply)).toBe('');
        return reply.body.items?.length === 5 ? true : undefined;
      });
    },
    'are whole when the limit is zero': async (bench) => {
      const { path } = await five(bench);
      expect((await bench.get(`${path}&limit=0`)).body.items).toHaveLength(5);
    },
    'can be had as they were at one resourceVersion': async (bench) => {
      const { path, names } = await five(bench);
      const resourceVersion = versionOf(await bench.get(path));
      await bench.remove(`${bench.at.configmaps}/${names[0]}`);
      const old = await bench.get(`${path}&resourceVersion=${resourceVersion}&resourceVersionMatch=Exact`);
      expect(namesIn(old)).toEqual(names);
      expect(versionOf(old)).toBe(resourceVersion);
    },
    'are at least as new as the resourceVersion they are asked for': async (bench) => {
      const { path, names } = await five(bench);
      await bench.remove(`${bench.at.configmaps}/${names[0]}`);
      const asked = versionOf(await bench.get(path));
      const reply = await bench.get(`${path}&resourceVersion=${asked}&resourceVersionMatch=NotOlderThan`);
      expect(namesIn(reply)).toEqual(names.slice(1));
      expect(Number(versionOf(reply))).toBeGreaterThanOrEqual(Number(asked));
    },
    'carry the newest resourceVersion, whoever wrote': async ({ create, get, at }) => {
      const { resourceVersion } = await create('nodes');
      expect(Number(versionOf(await get(at.leases)))).toBeGreaterThanOrEqual(Number(resourceVersion));
    },
    'have items without a kind when it is built in, with it when it is custom': async ({
      create,
      get,
      at,
    }) => {
      const { name } = await create('configmaps');
      const query = `fieldSelector=metadata.name%3D${name}`;
      const [item] = (await get(`${at.configmaps}?${query}`)).body.items ?? [];
      expect(item).not.toHaveProperty('kind');
      const widget = await create('widgets', { spec: { colour: 'red' } });
      const list = await get(`${at.widgets}?fieldSelector=metadata.name%3D${widget.name}`);
      expect(list.body).toMatchObject({
        kind: 'WidgetList',
        apiVersion: 'conformance.test/v1',
        metadata: { continue: '' },
        items: [{ kind: 'Widget', apiVersion: 'conformance.test/v1' }],
      });
    },
    'span namespaces': async ({ create, get }) => {
      const { name, path } = await create('configmaps');
      const reply = await get(`/api/v1/configmaps?fieldSelector=metadata.name%3D${name}`);
      expect(namesIn(reply)).toEqual([name]);
      expect(reply.body.items?.[0]?.metadata?.namespace).toBe(path.split('/')[4]);
    },
    ...table<string>(
      {
        'refuse a continuation that is none': 'continue=garbage',
        'refuse a limit that is no number': 'limit=x',
        'refuse a resourceVersion that is no number': 'resourceVersion=x',
      },
      async ({ get, at }, query) => {
        expect(await get(`${at.configmaps}?${query}`)).toMatchObject(refusal(400, 'BadRequest'));
      },
    ),
    'refuse a continuation with a resourceVersion': async (bench) => {
      const { path } = await five(bench);
      const token = continueOf(await bench.get(`${path}&limit=2`));
      const reply = await bench.get(`${path}&resourceVersion=5&continue=${token}`);
      expect(reply).toMatchObject(refusal(400, 'BadRequest', 'not allowed when using continue'));
    },
    ...table<string>(
      {
        'refuse a match without a resourceVersion': 'resourceVersionMatch=Exact',
        'refuse an exact match of resourceVersion 0': 'resourceVersion=0&resourceVersionMatch=Exact',
      },
      async ({ get, at }, query) => {
        expect(await get(`${at.configmaps}?${query}`)).toMatchObject(
          invalid('resourceVersionMatch', 'FieldValueForbidden'),
        );
      },
    ),
    'wait for a resourceVersion of the future and then give up': async ({ get, at }) => {
      const reply = await get(`${at.configmaps}?resourceVersion=999999999`);
      expect(reply).toMatchObject(refusal(504, 'Timeout', 'Too large resource version'));
      expect(reply.body).toMatchObject({
        details: { causes: [{ reason: 'ResourceVersionTooLarge' }], retryAfterSeconds: 1 },
      });
    },
  },
};
