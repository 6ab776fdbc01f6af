// As much of Pods as node operators meet: birth, status, binding, eviction, graceful end.

import { expect } from 'vitest';
import type { Bench } from '../bench.ts';
import type { Topic } from '../case.ts';
import { invalid, namesIn, refusal } from '../expectations.ts';
import { until } from '../../control-plane/until.ts';

const spec = { containers: [{ name: 'c', image: 'i' }] };

/** A pod is refused while the namespace lacks its default account, which a controller makes. */
export async function accountForPods({ get, at }: Bench): Promise<void> {
  await until('the default account is there', 30_000, async () =>
    (await get(`${at.serviceaccounts}/default`)).status === 200 ? true : undefined,
  );
}

async function pod(bench: Bench, more: object = {}, metadata: object = {}) {
  await accountForPods(bench);
  return bench.create('pods', { metadata, spec: { ...spec, ...more } });
}

export const pods: Topic = {
  name: 'pods',
  cases: {
    'are born pending, whatever they say': async (bench) => {
      const { object } = await pod(bench);
      expect(object).toMatchObject({
        metadata: { generation: 1 },
        spec: {
          restartPolicy: 'Always',
          terminationGracePeriodSeconds: 30,
          dnsPolicy: 'ClusterFirst',
          serviceAccountName: 'default',
          schedulerName: 'default-scheduler',
          priority: 0,
          enableServiceLinks: true,
        },
        status: { phase: 'Pending', qosClass: 'BestEffort' },
      });
    },
    'tolerate a node that is not ready for five minutes': async (bench) => {
      const { object } = await pod(bench);
      const toleration = (key: string) => ({
        key,
        operator: 'Exists',
        effect: 'NoExecute',
        tolerationSeconds: 300,
      });
      expect(object.spec).toMatchObject({
        tolerations: [
          toleration('node.kubernetes.io/not-ready'),
          toleration('node.kubernetes.io/unreachable'),
        ],
      });
    },
    'need a container': async ({ post, at, name }) => {
      expect(await post(at.pods, { metadata: { name: name() }, spec: {} })).toMatchObject(
        invalid('spec.containers', 'FieldValueRequired'),
      );
    },
    'get their status from the status subresource alone': async (bench) => {
      const { path } = await pod(bench);
      const up = await bench.patch(`${path}/status`, { status: { phase: 'Running', podIP: '1.2.3.4' } });
      expect(up.body.status).toMatchObject({
        phase: 'Running',
        podIP: '1.2.3.4',
        podIPs: [{ ip: '1.2.3.4' }],
      });
      const { body } = await bench.patch(path, {
        metadata: { labels: { a: 'b' } },
        status: { phase: 'Failed' },
      });
      expect(body).toMatchObject({ metadata: { labels: { a: 'b' } }, status: { phase: 'Running' } });
    },
    'keep the tolerations they have': async (bench) => {
      const { path } = await pod(bench, { tolerations: [{ key: 'a', operator: 'Exists' }] });
      const reply = await bench.patch(path, { spec: { tolerations: [] } });
      expect(reply).toMatchObject(invalid('spec.tolerations', 'FieldValueForbidden'));
    },
    'let their deadline come closer and do not lose it': async (bench) => {
      const { path } = await pod(bench, { activeDeadlineSeconds: 60 });
      const wish = (activeDeadlineSeconds: number | null) =>
        bench.patch(path, { spec: { activeDeadlineSeconds } });
      for (const seconds of [61, 0, null]) {
        expect(await wish(seconds)).toMatchObject(invalid('spec.activeDeadlineSeconds', 'FieldValueInvalid'));
      }
      expect((await wish(30)).body.spec).toMatchObject({ activeDeadlineSeconds: 30 });
    },
    'keep their spec but for a few fields': async (bench) => {
      const { path } = await pod(bench);
      expect(await bench.patch(path, { spec: { nodeName: 'other' } })).toMatchObject(
        invalid('spec', 'FieldValueForbidden'),
      );
      const image = { spec: { containers: [{ name: 'c', image: 'j' }] } };
      expect((await bench.patch(path, image, 'strategic')).body).toMatchObject({
        metadata: { generation: 2 },
        spec: { containers: [{ name: 'c', image: 'j' }] },
      });
    },
    'are selected by node and phase': async (bench) => {
      const { name } = await pod(bench, { nodeName: bench.name('node') });
      const { body } = await bench.get(`${bench.at.pods}/${name}`);
      const { nodeName } = body.spec as { readonly nodeName: string };
      const selected = (selector: string) =>
        bench.get(
          `${bench.at.pods}?fieldSelector=${encodeURIComponent(`spec.nodeName=${nodeName},${selector}`)}`,
        );
      expect(namesIn(await selected('status.phase=Pending'))).toEqual([name]);
      expect(namesIn(await selected('status.phase=Running'))).toEqual([]);
      expect(await selected('spec.nope=a')).toMatchObject(
        refusal(400, 'BadRequest', 'field label not supported'),
      );
    },
    'that run on a node go gracefully': async (bench) => {
      const { path } = await pod(bench, { nodeName: bench.name('node') });
      const reply = await bench.remove(path);
      expect(reply.body).toMatchObject({
        kind: 'Pod',
        metadata: { deletionGracePeriodSeconds: 30, deletionTimestamp: expect.any(String), generation: 2 },
      });
      expect((await bench.get(path)).status).toBe(200);
      await bench.remove(path, { gracePeriodSeconds: 0 });
      expect((await bench.get(path)).status).toBe(404);
    },
    'that run nowhere go at once': async (bench) => {
      const { path } = await pod(bench);
      expect((await bench.remove(path)).body).toMatchObject({
        kind: 'Pod',
        metadata: { deletionGracePeriodSeconds: 0 },
      });
      expect((await bench.get(path)).status).toBe(404);
    },
    'are bound to a node once': async (bench) => {
      const { path, name } = await pod(bench);
      const bind = (node: string) =>
        bench.post(`${path}/binding`, { metadata: { name }, target: { kind: 'Node', name: node } });
      expect(await bind('a')).toMatchObject({
        status: 201,
        body: { kind: 'Status', status: 'Success', code: 201 },
      });
      expect((await bench.get(path)).body).toMatchObject({
        spec: { nodeName: 'a' },
        status: { conditions: [{ type: 'PodScheduled', status: 'True' }] },
      });
      expect(await bind('b')).toMatchObject(refusal(409, 'Conflict', 'is already assigned to node "a"'));
    },
    'are evicted': async (bench) => {
      const { path, name } = await pod(bench);
      const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name } };
      expect(await bench.post(`${path}/eviction`, eviction)).toMatchObject({
        status: 201,
        body: { status: 'Success' },
      });
      expect((await bench.get(path)).status).toBe(404);
      expect(await bench.post(`${path}/eviction`, eviction)).toMatchObject(refusal(404, 'NotFound'));
    },
    'are not evicted against their budget': async (bench) => {
      const labels = { guarded: bench.name() };
      const { path, name } = await pod(bench, { nodeName: bench.name('node') }, { labels });
      await bench.patch(`${path}/status`, {
        status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
      });
      const budget = { minAvailable: 1, selector: { matchLabels: labels } };
      await bench.create('poddisruptionbudgets', { spec: budget });
      const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name } };
      const reply = await bench.post(`${path}/eviction`, eviction);
      expect(reply).toMatchObject(refusal(429, 'TooManyRequests'));
      expect((await bench.get(path)).body.metadata).not.toHaveProperty('deletionTimestamp');
    },
    'have no log before they run': async (bench) => {
      const { path } = await pod(bench);
      expect(await bench.get(`${path}/log`)).toMatchObject({ status: 204, text: '' });
      expect((await bench.get(`${bench.at.pods}/nope/log`)).status).toBe(404);
    },
  },
};
