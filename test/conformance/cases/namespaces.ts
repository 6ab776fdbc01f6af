// The life of namespaces, and the tokens of the service accounts in them.

import { expect } from 'vitest';
import { type Topic } from '../case.ts';
import { refusal } from '../expectations.ts';
import { until } from '../../control-plane/until.ts';

export const namespaces: Topic = {
  name: 'namespaces',
  cases: {
    'must exist before their contents': async ({ post }) => {
      const reply = await post('/api/v1/namespaces/nowhere/configmaps', { metadata: { name: 'a' } });
      expect(reply).toMatchObject(refusal(404, 'NotFound', 'namespaces "nowhere" not found'));
      const widget = {
        apiVersion: 'conformance.test/v1',
        kind: 'Widget',
        metadata: { name: 'a' },
        spec: { colour: 'red' },
      };
      expect(await post('/apis/conformance.test/v1/namespaces/nowhere/widgets', widget)).toMatchObject(
        refusal(404, 'NotFound', 'namespaces "nowhere" not found'),
      );
    },
    'are active, held by Kubernetes and labelled with their name': async ({ create }) => {
      const { name, object } = await create('namespaces');
      expect(object).toMatchObject({
        metadata: { labels: { 'kubernetes.io/metadata.name': name } },
        spec: { finalizers: ['kubernetes'] },
        status: { phase: 'Active' },
      });
    },
    'are there from the beginning': async ({ get, at }) => {
      for (const name of ['default', 'kube-system', 'kube-public', 'kube-node-lease']) {
        expect((await get(`${at.namespaces}/${name}`)).status, name).toBe(200);
      }
    },
    'of the system may not be deleted': async ({ remove, at }) => {
      for (const name of ['default', 'kube-system', 'kube-public']) {
        expect(await remove(`${at.namespaces}/${name}`)).toMatchObject(
          refusal(403, 'Forbidden', 'this namespace may not be deleted'),
        );
      }
    },
    'take their contents with them': async ({ create, remove, post, gone, at }) => {
      const { path, name } = await create('namespaces');
      const inside = `/api/v1/namespaces/${name}/configmaps`;
      await post(inside, { metadata: { name: 'a' } });
      const widget = {
        apiVersion: 'conformance.test/v1',
        kind: 'Widget',
        metadata: { name: 'a' },
        spec: { colour: 'red' },
      };
      const widgets = at.widgets.replace(/namespaces\/[^/]+/, `namespaces/${name}`);
      await post(widgets, widget);
      expect(await remove(path)).toMatchObject({
        status: 200,
        body: {
          kind: 'Namespace',
          metadata: { deletionTimestamp: expect.any(String) },
          status: { phase: 'Terminating' },
        },
      });
      await gone(`${inside}/a`);
      await gone(`${widgets}/a`);
      await gone(path);
    },
    'wait for contents with finalizers and take nothing new meanwhile': async ({
      create,
      remove,
      post,
      patch,
      gone,
      get,
    }) => {
      const { path, name } = await create('namespaces');
      const inside = `/api/v1/namespaces/${name}/configmaps`;
      await post(inside, { metadata: { name: 'a', finalizers: ['conformance.test/hold'] } });
      await remove(path);
      const late = await post(inside, { metadata: { name: 'b' } });
      expect(late).toMatchObject(refusal(403, 'Forbidden', 'because it is being terminated'));
      expect(late.body).toMatchObject({ details: { causes: [{ reason: 'NamespaceTerminating' }] } });
      await until('the content is being deleted', 30_000, async () =>
        (await get(`${inside}/a`)).body.metadata?.deletionTimestamp === undefined ? undefined : true,
      );
      expect((await get(path)).body.status).toMatchObject({ phase: 'Terminating' });
      await patch(`${inside}/a`, { metadata: { finalizers: null } });
      await gone(path);
    },
    'have a service account called default': async ({ create, get }) => {
      const { name } = await create('namespaces');
      await until('the account is there', 30_000, async () => {
        const { status } = await get(`/api/v1/namespaces/${name}/serviceaccounts/default`);
        return status === 200 ? true : undefined;
      });
    },
  },
};

export const serviceAccounts: Topic = {
  name: 'service accounts',
  cases: {
    'get tokens that say who they are': async ({ create, post, namespace }) => {
      const { path, name, uid } = await create('serviceaccounts');
      const reply = await post(`${path}/token`, { spec: { expirationSeconds: 600 } });
      expect(reply).toMatchObject({
        status: 201,
        body: {
          kind: 'TokenRequest',
          apiVersion: 'authentication.k8s.io/v1',
          spec: { expirationSeconds: 600, audiences: [expect.any(String)] },
          status: {
            expirationTimestamp: expect.any(String),
            token: expect.stringMatching(/^[^.]+\.[^.]+\.[^.]+$/),
          },
        },
      });
      const { token } = reply.body.status as { readonly token: string };
      const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
      expect(claims).toMatchObject({
        sub: `system:serviceaccount:${namespace}:${name}`,
        'kubernetes.io': { namespace, serviceaccount: { name, uid } },
      });
    },
    'get no token of less than ten minutes': async ({ create, post }) => {
      const { path } = await create('serviceaccounts');
      expect(await post(`${path}/token`, { spec: { expirationSeconds: 599 } })).toMatchObject(
        refusal(422, 'Invalid', 'may not specify a duration less than 10 minutes'),
      );
    },
    'get a token of one hour when nothing is said': async ({ create, post }) => {
      const { path } = await create('serviceaccounts');
      expect((await post(`${path}/token`, {})).body.spec).toMatchObject({ expirationSeconds: 3600 });
    },
    'that do not exist get none': async ({ post, at }) => {
      expect(await post(`${at.serviceaccounts}/nope/token`, {})).toMatchObject(refusal(404, 'NotFound'));
    },
    'do not show tokens': async ({ create, get }) => {
      const { path } = await create('serviceaccounts');
      expect(await get(`${path}/token`)).toMatchObject(refusal(405, 'MethodNotAllowed'));
    },
  },
};
