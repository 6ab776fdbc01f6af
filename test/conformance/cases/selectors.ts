// Label and field selectors: what they select and what they refuse.

import { expect } from 'vitest';
import type { Bench } from '../bench.ts';
import { type Case, table, type Topic } from '../case.ts';
import { namesIn, refusal } from '../expectations.ts';

/** Four objects that differ in their labels, known by their last word. */
async function labelled({ create, name }: Bench): Promise<string> {
  const mark = name();
  const labels = { a: { app: 'x', tier: '1' }, b: { app: 'y' }, c: { app: 'x', tier: '9' }, d: { app: '' } };
  for (const [word, own] of Object.entries({ ...labels, e: {} })) {
    await create('configmaps', { metadata: { name: `${mark}-${word}`, labels: { ...own, mark } } });
  }
  return mark;
}

const selects = (rows: Readonly<Record<string, readonly [string, string]>>): Readonly<Record<string, Case>> =>
  table(rows, async (bench, [selector, words]) => {
    const mark = await labelled(bench);
    const query = encodeURIComponent(`mark=${mark},${selector}`);
    const reply = await bench.get(`${bench.at.configmaps}?labelSelector=${query}`);
    expect(namesIn(reply)).toEqual(words.split('').map((word) => `${mark}-${word}`));
  });

export const labelSelectors: Topic = {
  name: 'label selectors',
  cases: {
    ...selects({
      'select by equality': ['app=x', 'ac'],
      'select by equality with two signs': ['app==x', 'ac'],
      'select by inequality, what lacks the label included': ['app!=x', 'bde'],
      'select by a set': ['app in (x, y)', 'abc'],
      'select by the complement of a set, what lacks the label included': ['app notin (x)', 'bde'],
      'select by presence': ['tier', 'ac'],
      'select by absence': ['!tier', 'bde'],
      'select the empty value': ['app=', 'd'],
      'select the empty value by a set of nothing': ['app in ()', 'd'],
      'select greater numbers': ['tier>1', 'c'],
      'select smaller numbers': ['tier<9', 'a'],
      'select by several requirements at once': ['app=x,tier!=9,!none', 'a'],
    }),
    ...table<string>(
      {
        'refuse a missing key': '=x',
        'refuse a set without brackets': 'app in x',
        'refuse an open bracket': 'app in (x',
        'refuse two words': 'a b',
        'refuse an empty requirement': 'a=b,,c=d',
        'refuse to compare with what is no number': 'tier<x',
        'refuse a value that no label can have': 'app=-x',
        'refuse a key that no label can have': '-app=x',
      },
      async ({ get, at }, selector) => {
        const reply = await get(`${at.configmaps}?labelSelector=${encodeURIComponent(selector)}`);
        expect(reply).toMatchObject(refusal(400, 'BadRequest'));
      },
    ),
  },
};

async function found({ get }: Bench, path: string, selector: string) {
  return get(`${path}?fieldSelector=${encodeURIComponent(selector)}`);
}

export const fieldSelectors: Topic = {
  name: 'field selectors',
  cases: {
    'select by name and namespace': async (bench) => {
      const { name } = await bench.create('configmaps');
      const selector = `metadata.name==${name},metadata.namespace!=default`;
      expect(namesIn(await found(bench, '/api/v1/configmaps', selector))).toEqual([name]);
      const other = `metadata.name=${name},metadata.namespace=default`;
      expect(namesIn(await found(bench, '/api/v1/configmaps', other))).toEqual([]);
    },
    'select Nodes by whether they are schedulable': async (bench) => {
      const metadata = { labels: { group: bench.name() } };
      const open = await bench.create('nodes', { metadata });
      const closed = await bench.create('nodes', { metadata, spec: { unschedulable: true } });
      const nodes = (selector: string) =>
        bench.get(
          `${bench.at.nodes}?labelSelector=group%3D${metadata.labels.group}&fieldSelector=${selector}`,
        );
      expect(namesIn(await nodes('spec.unschedulable%3Dtrue'))).toEqual([closed.name]);
      expect(namesIn(await nodes('spec.unschedulable%3Dfalse'))).toEqual([open.name]);
    },
    'select Events by what they are about': async (bench) => {
      const involvedObject = { kind: 'Pod', namespace: bench.namespace, name: bench.name() };
      const { name } = await bench.create('events', { involvedObject, reason: 'A', type: 'Normal' });
      await bench.create('events', { involvedObject, reason: 'B', type: 'Normal' });
      const core = `involvedObject.name=${involvedObject.name},reason=A,type=Normal`;
      expect(namesIn(await found(bench, bench.at.events, core))).toEqual([name]);
      const modern = `regarding.name=${involvedObject.name},reason=A`;
      expect(namesIn(await found(bench, bench.at.newEvents, modern))).toEqual([name]);
    },
    'select custom resources by the fields that their definition names': async (bench) => {
      const metadata = { labels: { group: bench.name() } };
      const red = await bench.create('widgets', { metadata, spec: { colour: 'red', size: 2 } });
      const green = await bench.create('widgets', { metadata, spec: { colour: 'green' } });
      const widgets = (selector: string) =>
        bench.get(
          `${bench.at.widgets}?labelSelector=group%3D${metadata.labels.group}&fieldSelector=${encodeURIComponent(selector)}`,
        );
      expect(namesIn(await widgets('spec.colour=red'))).toEqual([red.name]);
      expect(namesIn(await widgets('spec.colour!=red'))).toEqual([green.name]);
      expect(namesIn(await widgets('spec.size=3'))).toEqual([green.name]);
      expect(namesIn(await widgets('spec.size=2,spec.colour=green'))).toEqual([]);
    },
    ...table<string>(
      {
        'refuse a field that is not selectable': 'data.a=b',
        'refuse a label as a field': 'metadata.labels.a=b',
        'refuse what has no operator': 'metadata.name',
        'refuse sets': 'metadata.name in (a)',
      },
      async (bench, selector) => {
        expect(await found(bench, bench.at.configmaps, selector)).toMatchObject(refusal(400, 'BadRequest'));
      },
    ),
    'refuse fields of custom resources that the definition does not name': async (bench) => {
      const reply = await found(bench, bench.at.widgets, 'spec.port=80');
      expect(reply).toMatchObject(refusal(400, 'BadRequest', 'field label not supported: spec.port'));
    },
    'refuse fields in a watch as in a list': async (bench) => {
      const { status } = await bench.get(`${bench.at.configmaps}?watch=1&fieldSelector=data.a%3Db`);
      expect(status).toBe(400);
    },
  },
};
