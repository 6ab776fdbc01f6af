// Other forms of the same objects: tables for people, metadata for collectors.

import { expect } from 'vitest';
import type { Topic } from '../case.ts';
import { refusal } from '../expectations.ts';
import type { Reply } from '../target.ts';

const tableType = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const partialType = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io';
const partialListType = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';

type Column = {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly priority: number;
};
type Row = { readonly cells: readonly unknown[]; readonly object?: unknown };

const columnsOf = ({ body }: Reply) => (body['columnDefinitions'] ?? []) as readonly Column[];
const rowsOf = ({ body }: Reply) => (body['rows'] ?? []) as readonly Row[];

export const tables: Topic = {
  name: 'tables',
  cases: {
    'print a list of Nodes': async ({ create, get, at, name }) => {
      const labels = { printed: name(), 'node-role.kubernetes.io/worker': '' };
      const made = await create('nodes', {
        metadata: { labels },
        spec: { unschedulable: true },
        status: { conditions: [{ type: 'Ready', status: 'True' }], nodeInfo: { kubeletVersion: 'v1.36.3' } },
      });
      const reply = await get(`${at.nodes}?labelSelector=printed%3D${labels.printed}`, tableType);
      expect(reply.body).toMatchObject({ kind: 'Table', apiVersion: 'meta.k8s.io/v1' });
      expect(columnsOf(reply).map((column) => column.name)).toEqual([
        'Name',
        'Status',
        'Roles',
        'Age',
        'Version',
        'Internal-IP',
        'External-IP',
        'OS-Image',
        'Kernel-Version',
        'Container-Runtime',
      ]);
      expect(columnsOf(reply).map(({ priority }) => priority)).toEqual([0, 0, 0, 0, 0, 1, 1, 1, 1, 1]);
      const [row] = rowsOf(reply);
      const age = expect.stringMatching(/^\d+s$/);
      expect(row?.cells.slice(0, 5)).toEqual([
        made.name,
        'Ready,SchedulingDisabled',
        'worker',
        age,
        'v1.36.3',
      ]);
      expect(row?.cells.slice(5)).toEqual(['<none>', '<none>', '<unknown>', '<unknown>', '<unknown>']);
    },
    'print one object': async ({ create, get }) => {
      const { path, name } = await create('configmaps', { data: { a: '1', b: '2' } });
      const reply = await get(path, tableType);
      expect(columnsOf(reply).map((column) => column.name)).toEqual(['Name', 'Data', 'Age']);
      expect(rowsOf(reply)).toMatchObject([{ cells: [name, 2, expect.any(String)] }]);
    },
    'print the columns that a definition names': async ({ create, get, patch }) => {
      const { path, name } = await create('widgets', { spec: { colour: 'red' } });
      await patch(`${path}/status`, { status: { phase: 'up' } });
      const reply = await get(path, tableType);
      expect(columnsOf(reply)).toMatchObject([
        { name: 'Name', type: 'string', format: 'name', priority: 0 },
        { name: 'Colour', type: 'string', format: '', priority: 0, description: 'What it looks like.' },
        { name: 'Size', type: 'integer', format: '', priority: 1 },
        { name: 'Phase', type: 'string', priority: 0 },
        { name: 'Since', type: 'date', priority: 0 },
      ]);
      expect(rowsOf(reply)).toMatchObject([
        { cells: [name, 'red', 3, 'up', expect.stringMatching(/^\d+s$/)] },
      ]);
    },
    'leave a cell null where the field is not there': async ({ create, get }) => {
      const { path } = await create('widgets', { spec: { colour: 'red' } });
      expect(rowsOf(await get(path, tableType))[0]?.cells[3]).toBe(null);
    },
    'print name and age when a definition names no columns': async ({ create, get }) => {
      const { path, name } = await create('gadgets');
      const reply = await get(path, tableType);
      expect(columnsOf(reply).map((column) => column.name)).toEqual(['Name', 'Age']);
      expect(rowsOf(reply)).toMatchObject([{ cells: [name, expect.any(String)] }]);
    },
    'carry the metadata of each row': async ({ create, get }) => {
      const { path, name, uid } = await create('widgets', { spec: { colour: 'red' } });
      const object = { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: { name, uid } };
      const [row] = rowsOf(await get(path, tableType));
      expect(row).toMatchObject({ object });
      expect(row?.object).not.toHaveProperty('spec');
    },
    'carry whole objects or nothing when told to': async ({ create, get }) => {
      const { path } = await create('widgets', { spec: { colour: 'red' } });
      const [whole] = rowsOf(await get(`${path}?includeObject=Object`, tableType));
      expect(whole).toMatchObject({ object: { kind: 'Widget', spec: { colour: 'red' } } });
      const [bare] = rowsOf(await get(`${path}?includeObject=None`, tableType));
      expect(bare).toMatchObject({ object: null });
    },
    'are offered in the way kubectl asks for them': async ({ get, at }) => {
      const wish = `${tableType},application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json`;
      expect((await get(at.widgets, wish)).body.kind).toBe('Table');
    },
    'define their columns once in a watch': async (bench) => {
      const metadata = { labels: { printed: bench.name() } };
      await bench.create('widgets', { metadata, spec: { colour: 'red' } });
      await bench.create('widgets', { metadata, spec: { colour: 'green' } });
      const query = `labelSelector=printed%3D${metadata.labels.printed}&resourceVersion=0`;
      const watching = await bench.watch(bench.at.widgets, query, tableType);
      await watching.until(() => watching.events.length === 2);
      const [first, second] = watching.events.map(({ object }) => object);
      expect(first).toMatchObject({ kind: 'Table', columnDefinitions: expect.any(Array), rows: [{}] });
      expect(second).toMatchObject({ kind: 'Table', columnDefinitions: null, rows: [{}] });
    },
    'are not made of errors': async ({ get, at }) => {
      expect(await get(`${at.widgets}/nope`, tableType)).toMatchObject(refusal(404, 'NotFound'));
    },
  },
};

export const partialObjects: Topic = {
  name: 'partial objects',
  cases: {
    'have metadata and nothing else': async ({ create, get }) => {
      const { path, object } = await create('widgets', {
        metadata: { labels: { a: 'b' } },
        spec: { colour: 'red' },
      });
      const { body } = await get(path, partialType);
      expect(Object.keys(body).sort()).toEqual(['apiVersion', 'kind', 'metadata']);
      expect(body).toMatchObject({
        kind: 'PartialObjectMetadata',
        apiVersion: 'meta.k8s.io/v1',
        metadata: object.metadata,
      });
    },
    'come in lists': async ({ create, get, at }) => {
      const { name, uid } = await create('nodes');
      const reply = await get(`${at.nodes}?fieldSelector=metadata.name%3D${name}`, partialListType);
      expect(reply.body).toMatchObject({
        kind: 'PartialObjectMetadataList',
        apiVersion: 'meta.k8s.io/v1',
        metadata: { resourceVersion: expect.any(String) },
      });
      expect(reply.body.items).toMatchObject([{ metadata: { name, uid } }]);
      expect(reply.body.items?.[0]).not.toHaveProperty('spec');
    },
    'come in pages': async ({ create, get, at, name }) => {
      const labels = { partial: name() };
      for (let index = 0; index < 3; index++) await create('nodes', { metadata: { labels } });
      const path = `${at.nodes}?labelSelector=partial%3D${labels.partial}&limit=2`;
      const { body } = await get(path, partialListType);
      expect(body.items).toHaveLength(2);
      expect(body.metadata).toHaveProperty('continue');
    },
    'come in watches': async (bench) => {
      const { name } = await bench.create('nodes');
      const watching = await bench.watch(
        bench.at.nodes,
        `fieldSelector=metadata.name%3D${name}`,
        partialType,
      );
      const { type, object } = await watching.until(() => true);
      expect(type).toBe('ADDED');
      expect(object).toMatchObject({ kind: 'PartialObjectMetadata', metadata: { name } });
      expect(object).not.toHaveProperty('status');
    },
    'answer writes too': async ({ create, send }) => {
      const { path, name } = await create('nodes');
      const body = { metadata: { labels: { a: 'b' } } };
      const reply = await send('PATCH', path, { body, accept: partialType });
      expect(reply.body).toMatchObject({
        kind: 'PartialObjectMetadata',
        metadata: { name, labels: { a: 'b' } },
      });
    },
    'of another form are not known': async ({ get, at }) => {
      const unknown = 'application/json;as=Nonsense;v=v1;g=meta.k8s.io';
      expect(await get(at.nodes, unknown)).toMatchObject(refusal(406, 'NotAcceptable'));
    },
  },
};
