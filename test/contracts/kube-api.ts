// What every KubeApi promises, as tests that also hold against a real API server. Works on ConfigMaps in a namespace of
// its own and on Nodes and Leases of names nobody else uses, and leaves nothing behind.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RawObject } from '../../src/objects/raw.ts';
import { leaseType, nodeType, type ObjectRef, type ResourceType } from '../../src/objects/ref.ts';
import type { KubeApi, Page } from '../../src/runtime/ports.ts';
import {
  type Bench,
  bodyOf,
  configMapType,
  type Created,
  failureOf,
  valueOf,
  versionOf,
} from './kube-api-bench.ts';
import { describeApply, describeNoApply } from './kube-api-apply.ts';
import { describeWatches } from './kube-api-watches.ts';

export type KubeApiUnderTest = {
  readonly api: KubeApi;
  /** Exists, and holds no ConfigMaps or Leases but those of the suite. */
  readonly namespace: string;
  readonly cleanUp: () => Promise<void>;
};

/** What a KubeApi may lack, if it says so. */
export type Lacking = { readonly lacks?: readonly 'apply'[] };

export function describeKubeApi(
  name: string,
  makeApi: () => Promise<KubeApiUnderTest>,
  { lacks = [] }: Lacking = {},
): void {
  describe(name, () => {
    let made: KubeApiUnderTest;
    const created: ObjectRef[] = [];

    beforeAll(async () => {
      made = await makeApi();
    });

    afterAll(async () => {
      for (const ref of created) await made.api.delete(ref);
      await made.cleanUp();
    });

    /** A name of its own, deleted in the end. */
    const refOf = (type: ResourceType): ObjectRef => {
      const namespace = type.scope === 'Cluster' ? '' : made.namespace;
      const ref = { type, namespace, name: `contract-${randomUUID()}` };
      created.push(ref);
      return ref;
    };
    const create = async (type: ResourceType, content: RawObject = {}): Promise<Created> => {
      const ref = refOf(type);
      return { ref, object: valueOf(await made.api.create(ref, bodyOf(ref, content))) };
    };
    const bench: Bench = { api: () => made.api, namespace: () => made.namespace, refOf, create };

    describeReads(bench);
    describeCreates(bench);
    describeReplaces(bench);
    describePatches(bench);
    if (lacks.includes('apply')) describeNoApply(bench);
    else describeApply(bench);
    describeDeletes(bench);
    describeWatches(bench);
  });
}

function describeReads({ api, namespace, refOf, create }: Bench): void {
  describe('reading', () => {
    it('gets an object whole', async () => {
      const { ref, object } = await create(configMapType, { data: { text: 'größe €' } });
      expect(valueOf(await api().get(ref))).toEqual(object);
      expect(object).toMatchObject({ metadata: { name: ref.name }, data: { text: 'größe €' } });
    });

    it.each([configMapType, nodeType, leaseType])('says that a $kind is not there', async (type) => {
      const failure = failureOf(await api().get(refOf(type)));
      expect(failure).toMatchObject({ reason: 'NotFound', code: 404, effect: 'none' });
    });

    it('says that a type is not served', async () => {
      const type = { ...configMapType, group: 'nowhere.test', plural: 'nothings' };
      const failure = failureOf(await api().list({ type, namespace: namespace() }));
      expect(failure).toMatchObject({ reason: 'NotFound', code: 404 });
    });

    it('lists in pages that together are the whole', async () => {
      const labels = { list: randomUUID() };
      const made = await Promise.all(
        [1, 2, 3, 4, 5].map(() => create(configMapType, { metadata: { labels } })),
      );
      const selection = { type: configMapType, namespace: namespace(), labelSelector: `list=${labels.list}` };
      const pages: Page[] = [];
      do {
        const continueToken = pages.at(-1)?.continueToken ?? '';
        pages.push(valueOf(await api().list(selection, { limit: 2, continueToken })));
      } while (pages.at(-1)?.continueToken !== '');
      expect(pages.map(({ items }) => items.length)).toEqual([2, 2, 1]);
      expect(new Set(pages.map(({ resourceVersion }) => resourceVersion)).size).toBe(1);
      const names = pages.flatMap(({ items }) => items.map((item) => item.metadata?.name));
      expect(names).toEqual(made.map(({ ref }) => ref.name).sort());
    });

    it('lists what the selectors select', async () => {
      const { ref } = await create(configMapType);
      const selection = {
        type: configMapType,
        namespace: namespace(),
        fieldSelector: `metadata.name=${ref.name}`,
      };
      const page = valueOf(await api().list(selection));
      expect(page.items.map((item) => item.metadata?.name)).toEqual([ref.name]);
      expect(page).toMatchObject({ continueToken: '', resourceVersion: expect.stringMatching(/^\d+$/) });
    });
  });
}

function describeCreates({ api, refOf, create }: Bench): void {
  describe('creating', () => {
    it.each([configMapType, nodeType, leaseType])('makes a $kind with an identity', async (type) => {
      const { object } = await create(type);
      expect(object.metadata).toMatchObject({ uid: expect.any(String), resourceVersion: expect.any(String) });
    });

    it('refuses a name that is taken', async () => {
      const { ref } = await create(configMapType);
      const failure = failureOf(await api().create(ref, bodyOf(ref)));
      expect(failure).toMatchObject({ reason: 'AlreadyExists', code: 409, effect: 'none' });
    });

    it('refuses what is not valid', async () => {
      const ref = { ...refOf(configMapType), name: 'Not_A_Name' };
      const failure = failureOf(await api().create(ref, bodyOf(ref)));
      expect(failure).toMatchObject({ reason: 'Invalid', code: 422, retry: 'never', effect: 'none' });
    });

    it('only tries when told to', async () => {
      const ref = refOf(configMapType);
      expect(valueOf(await api().create(ref, bodyOf(ref), { dryRun: true }))).toMatchObject({
        kind: 'ConfigMap',
      });
      expect(failureOf(await api().get(ref)).reason).toBe('NotFound');
    });
  });
}

function describeReplaces({ api, create }: Bench): void {
  describe('replacing', () => {
    it('changes the object and its resourceVersion', async () => {
      const { ref, object } = await create(leaseType, {
        spec: { holderIdentity: 'me', leaseDurationSeconds: 15 },
      });
      const next = { ...object, spec: { holderIdentity: 'you', leaseDurationSeconds: 15 } };
      const replaced = valueOf(await api().replace(ref, next));
      expect(replaced).toMatchObject({ spec: { holderIdentity: 'you' } });
      expect(versionOf(replaced)).not.toBe(versionOf(object));
    });

    it('refuses an old resourceVersion', async () => {
      const { ref, object } = await create(leaseType);
      valueOf(await api().replace(ref, { ...object, spec: { holderIdentity: 'first' } }));
      const failure = failureOf(await api().replace(ref, { ...object, spec: { holderIdentity: 'second' } }));
      expect(failure).toMatchObject({ reason: 'Conflict', code: 409, retry: 'soon', effect: 'none' });
      expect(valueOf(await api().get(ref))).toMatchObject({ spec: { holderIdentity: 'first' } });
    });

    it('keeps status and spec apart', async () => {
      const { ref, object } = await create(nodeType);
      // Not guarded: other controllers may write to a Node at any time.
      const { resourceVersion: _, ...metadata } = object.metadata ?? {};
      const condition = { type: 'Ready', status: 'True', reason: 'Test' };
      const changed = {
        ...object,
        metadata,
        spec: { unschedulable: true },
        status: { conditions: [condition] },
      };
      const replaced = valueOf(await api().replace(ref, changed, { subresource: 'status' }));
      expect(replaced).toMatchObject({ status: { conditions: [condition] } });
      expect(replaced.spec).not.toHaveProperty('unschedulable');
    });
  });
}

function describePatches({ api, refOf, create }: Bench): void {
  describe('patching', () => {
    it('merges', async () => {
      const { ref } = await create(configMapType, { data: { a: '1', b: '2' } });
      const patched = valueOf(await api().patch(ref, { kind: 'merge', body: { data: { a: null, c: '3' } } }));
      expect(patched).toMatchObject({ data: { b: '2', c: '3' } });
      expect(patched['data']).not.toHaveProperty('a');
    });

    it('merges only into the version it names', async () => {
      const { ref, object } = await create(configMapType);
      valueOf(await api().patch(ref, { kind: 'merge', body: { data: { a: '1' } } }));
      const body = { metadata: { resourceVersion: versionOf(object) }, data: { a: '2' } };
      expect(failureOf(await api().patch(ref, { kind: 'merge', body }))).toMatchObject({
        reason: 'Conflict',
      });
    });

    it('leaves the resourceVersion alone when nothing changes', async () => {
      const { ref, object } = await create(configMapType, { data: { a: '1' } });
      const patched = valueOf(await api().patch(ref, { kind: 'merge', body: { data: { a: '1' } } }));
      expect(versionOf(patched)).toBe(versionOf(object));
    });

    it('follows the operations of a JSON patch, and its tests', async () => {
      const { ref } = await create(configMapType, { data: { a: '1' } });
      const patch = (before: string) => ({
        kind: 'json' as const,
        body: [
          { op: 'test', path: '/data/a', value: before },
          { op: 'replace', path: '/data/a', value: '2' },
        ],
      });
      expect(valueOf(await api().patch(ref, patch('1')))).toMatchObject({ data: { a: '2' } });
      expect(failureOf(await api().patch(ref, patch('1')))).toMatchObject({
        reason: 'Invalid',
        effect: 'none',
      });
    });

    it('merges lists by key in a strategic patch', async () => {
      const condition = (type: string) => ({ type, status: 'True', reason: 'Test' });
      const { ref } = await create(nodeType);
      const add = (type: string) => ({
        kind: 'strategic' as const,
        body: { status: { conditions: [condition(type)] } },
      });
      valueOf(await api().patch(ref, add('A'), { subresource: 'status' }));
      const patched = valueOf(await api().patch(ref, add('B'), { subresource: 'status' }));
      expect(patched).toMatchObject({
        status: {
          conditions: expect.arrayContaining(
            ['A', 'B'].map((type) => expect.objectContaining(condition(type))),
          ),
        },
      });
    });

    it('refuses to patch what is not there', async () => {
      const failure = failureOf(await api().patch(refOf(nodeType), { kind: 'merge', body: {} }));
      expect(failure).toMatchObject({ reason: 'NotFound', effect: 'none' });
    });
  });
}

function describeDeletes({ api, refOf, create }: Bench): void {
  describe('deleting', () => {
    it('removes the object', async () => {
      const { ref } = await create(configMapType);
      valueOf(await api().delete(ref));
      expect(failureOf(await api().get(ref)).reason).toBe('NotFound');
      expect(failureOf(await api().delete(ref)).reason).toBe('NotFound');
    });

    it('spares another incarnation, and a version it has not seen', async () => {
      const { ref, object } = await create(configMapType);
      expect(failureOf(await api().delete(ref, { uid: randomUUID() }))).toMatchObject({ reason: 'Conflict' });
      valueOf(await api().patch(ref, { kind: 'merge', body: { data: { a: '1' } } }));
      const old = failureOf(await api().delete(ref, { resourceVersion: versionOf(object) }));
      expect(old).toMatchObject({ reason: 'Conflict', effect: 'none' });
      const now = valueOf(await api().get(ref));
      const guards = { uid: now.metadata?.uid ?? '', resourceVersion: versionOf(now) };
      valueOf(await api().delete(ref, { ...guards, propagation: 'Background', gracePeriodSeconds: 0 }));
      expect(failureOf(await api().get(ref)).reason).toBe('NotFound');
    });

    it('refuses what is not there', async () => {
      expect(failureOf(await api().delete(refOf(nodeType)))).toMatchObject({
        reason: 'NotFound',
        effect: 'none',
      });
    });
  });
}
