// What a server says about itself and what it serves, definitions that come and go included.

import { expect } from 'vitest';
import { type Topic } from '../case.ts';
import { until } from '../../control-plane/until.ts';
import { plainDefinition, served } from '../definitions.ts';

const aggregated = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';

export const discovery: Topic = {
  name: 'discovery',
  cases: {
    'says its version as a Kubernetes release': async ({ get }) => {
      const { body } = await get('/version');
      expect(body).toMatchObject({ major: '1', gitVersion: expect.stringMatching(/^v1\.\d+\.\d+/) });
    },
    'is alive, ready and healthy in plain words': async ({ get }) => {
      for (const path of ['/healthz', '/livez', '/readyz']) {
        expect(await get(path)).toMatchObject({ status: 200, text: 'ok' });
      }
    },
    'names the versions of the core group': async ({ get }) => {
      expect((await get('/api')).body).toMatchObject({ kind: 'APIVersions', versions: ['v1'] });
    },
    'names its groups with their preferred versions': async ({ get }) => {
      const { body } = await get('/apis');
      const version = { groupVersion: 'coordination.k8s.io/v1', version: 'v1' };
      const group = { name: 'coordination.k8s.io', versions: [version], preferredVersion: version };
      expect(body).toMatchObject({ kind: 'APIGroupList', apiVersion: 'v1' });
      expect(body['groups']).toContainEqual(group);
    },
    'describes one group': async ({ get }) => {
      expect((await get('/apis/coordination.k8s.io')).body).toMatchObject({
        kind: 'APIGroup',
        apiVersion: 'v1',
        name: 'coordination.k8s.io',
      });
    },
    'lists the resources of the core group with their verbs': async ({ get }) => {
      const { body } = await get('/api/v1');
      const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'];
      expect(body).toMatchObject({ kind: 'APIResourceList', groupVersion: 'v1' });
      expect(body['resources']).toContainEqual(
        expect.objectContaining({
          name: 'nodes',
          singularName: 'node',
          namespaced: false,
          kind: 'Node',
          shortNames: ['no'],
          verbs,
        }),
      );
      expect(body['resources']).toContainEqual(
        expect.objectContaining({ name: 'nodes/status', kind: 'Node', verbs: ['get', 'patch', 'update'] }),
      );
    },
    'lists Leases as a resource of their group': async ({ get }) => {
      const { body } = await get('/apis/coordination.k8s.io/v1');
      expect(body['resources']).toContainEqual(
        expect.objectContaining({ name: 'leases', namespaced: true, kind: 'Lease', singularName: 'lease' }),
      );
    },
    'prefers the stable version of a custom resource': async ({ get }) => {
      const { body } = await get('/apis/conformance.test');
      expect(body).toMatchObject({
        versions: [{ version: 'v1' }, { version: 'v1beta1' }],
        preferredVersion: { groupVersion: 'conformance.test/v1' },
      });
    },
    'lists a custom resource with its short names, categories and status': async ({ get }) => {
      const { body } = await get('/apis/conformance.test/v1');
      expect(body['resources']).toContainEqual(
        expect.objectContaining({
          name: 'widgets',
          singularName: 'widget',
          namespaced: true,
          kind: 'Widget',
          shortNames: ['wdg'],
          categories: ['toys'],
        }),
      );
      expect(body['resources']).toContainEqual(
        expect.objectContaining({ name: 'widgets/status', verbs: ['get', 'patch', 'update'] }),
      );
      expect(body['resources']).not.toContainEqual(expect.objectContaining({ name: 'gadgets/status' }));
    },
    'answers with every group at once when asked for the aggregated form': async ({ get }) => {
      const { body, headers } = await get('/apis', aggregated);
      expect(headers['content-type']).toContain('as=APIGroupDiscoveryList');
      expect(body).toMatchObject({ kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2' });
      const resource = {
        resource: 'leases',
        responseKind: { kind: 'Lease' },
        scope: 'Namespaced',
        singularResource: 'lease',
      };
      const group = (body.items ?? []).find(({ metadata }) => metadata?.name === 'coordination.k8s.io');
      expect(group).toMatchObject({ versions: [{ version: 'v1', resources: [resource] }] });
    },
    'puts status among the subresources of the aggregated core group': async ({ get }) => {
      const { body } = await get('/api', aggregated);
      const [core] = body.items ?? [];
      const versions = (core?.['versions'] ?? []) as readonly { readonly resources: readonly object[] }[];
      expect(versions[0]?.resources).toContainEqual(
        expect.objectContaining({
          resource: 'nodes',
          scope: 'Cluster',
          subresources: expect.arrayContaining([expect.objectContaining({ subresource: 'status' })]),
        }),
      );
    },
    'serves a new definition soon after it is created': async (bench) => {
      const definition = plainDefinition(`${bench.name('group')}.test`, 'Thing', 'Cluster');
      const { path } = await bench.create('customresourcedefinitions', definition);
      await served(bench.target, definition);
      const { group } = definition.spec as { readonly group: string };
      expect((await bench.get(`/apis/${group}`)).body).toMatchObject({ kind: 'APIGroup', name: group });
      expect((await bench.get(path)).body.status).toMatchObject({
        conditions: expect.arrayContaining([
          expect.objectContaining({ type: 'NamesAccepted', status: 'True' }),
          expect.objectContaining({ type: 'Established', status: 'True' }),
        ]),
        acceptedNames: { plural: 'things', singular: 'thing', listKind: 'ThingList' },
        storedVersions: ['v1'],
      });
    },
    'stops serving a definition that is deleted': async (bench) => {
      const definition = plainDefinition(`${bench.name('group')}.test`, 'Thing', 'Cluster');
      const { path } = await bench.create('customresourcedefinitions', definition);
      await served(bench.target, definition);
      const { group } = definition.spec as { readonly group: string };
      await bench.post(`/apis/${group}/v1/things`, {
        apiVersion: `${group}/v1`,
        kind: 'Thing',
        metadata: { name: 'a' },
      });
      await bench.remove(path);
      await bench.gone(path);
      await bench.gone(`/apis/${group}/v1/things`);
    },
    'publishes OpenAPI v3 documents of custom resources': async (bench) => {
      // The server publishes the schema of a new kind a moment after it serves the kind.
      await until('the document of the widgets is published', 30_000, async () => {
        const { body } = await bench.get('/openapi/v3');
        return Object.hasOwn(body['paths'] as object, 'apis/conformance.test/v1') ? true : undefined;
      });
      const { body } = await bench.get('/openapi/v3/apis/conformance.test/v1');
      expect(body).toMatchObject({ openapi: expect.stringMatching(/^3\.0/) });
      expect(body['components']).toHaveProperty(['schemas', 'test.conformance.v1.Widget']);
    },
  },
};
