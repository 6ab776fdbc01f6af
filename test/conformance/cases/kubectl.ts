// What stock kubectl changes, and the words with which it says so.

import { expect } from 'vitest';
import type { Bench } from '../bench.ts';
import { type Topic } from '../case.ts';
import { accountForPods } from './pods.ts';

const widget = (name: string, spec: object) => ({
  apiVersion: 'conformance.test/v1',
  kind: 'Widget',
  metadata: { name },
  spec,
});

/** In the namespace of the suite, the command as people type it. */
export function kubectlIn({ target, namespace }: Bench) {
  return (command: string, input?: object) =>
    target.kubectl(
      ['-n', namespace, ...command.split(' ')],
      input === undefined ? {} : { input: JSON.stringify(input) },
    );
}

export const kubectlWrites: Topic = {
  name: 'kubectl changes',
  needs: 'kubectl',
  cases: {
    'create makes what a file says, once': async (bench) => {
      const kubectl = kubectlIn(bench);
      const name = bench.name();
      bench.forget(`${bench.at.configmaps}/${name}`);
      const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { a: 'b' } };
      expect(await kubectl('create -f - --validate=false', object)).toBe(`configmap/${name} created\n`);
      await expect(kubectl('create -f - --validate=false', object)).rejects.toThrow('AlreadyExists');
    },
    'create configmap and namespace make what the command says': async (bench) => {
      const kubectl = kubectlIn(bench);
      const name = bench.name();
      bench.forget(`${bench.at.configmaps}/${name}`);
      bench.forget(`${bench.at.namespaces}/${name}`);
      await kubectl(`create configmap ${name} --from-literal=a=b`);
      expect(await kubectl(`get cm ${name} -o jsonpath={.data.a}`)).toBe('b');
      expect(await kubectl(`create namespace ${name}`)).toBe(`namespace/${name} created\n`);
    },
    'create --dry-run=server makes nothing': async (bench) => {
      const kubectl = kubectlIn(bench);
      const name = bench.name();
      const said = await kubectl(
        'create --dry-run=server --validate=false -f -',
        widget(name, { colour: 'red' }),
      );
      expect(said).toBe(`widget.conformance.test/${name} created (server dry run)\n`);
      expect((await bench.get(`${bench.at.widgets}/${name}`)).status).toBe(404);
    },
    'apply creates, changes, takes back and leaves alone': async (bench) => {
      const kubectl = kubectlIn(bench);
      const name = bench.name();
      const path = `${bench.at.widgets}/${name}`;
      bench.forget(path);
      const apply = (spec: object) => kubectl('apply --validate=false -f -', widget(name, spec));
      const subject = `widget.conformance.test/${name}`;
      expect(await apply({ colour: 'red', size: 4, port: 80 })).toBe(`${subject} created\n`);
      expect(await apply({ colour: 'red', size: 4, port: 80 })).toBe(`${subject} unchanged\n`);
      await bench.patch(path, { spec: { tags: ['mine'] } });
      expect(await apply({ colour: 'red', size: 5 })).toBe(`${subject} configured\n`);
      const { body } = await bench.get(path);
      expect(body.spec).toMatchObject({ colour: 'red', size: 5, tags: ['mine'] });
      expect(body.spec).not.toHaveProperty('port');
    },
    'apply says what the schema refuses': async (bench) => {
      const refused = kubectlIn(bench)(
        'apply --validate=false -f -',
        widget(bench.name(), { colour: 'blue' }),
      );
      await expect(refused).rejects.toThrow('Unsupported value: "blue"');
    },
    'apply finds unknown fields before it sends anything': async (bench) => {
      const refused = kubectlIn(bench)('apply -f -', widget(bench.name(), { colour: 'red', junk: 1 }));
      await expect(refused).rejects.toThrow('unknown field "spec.junk"');
    },
    'apply of built-in objects merges lists by key': async (bench) => {
      const kubectl = kubectlIn(bench);
      const { name, path } = await bench.create('services', { spec: { ports: [{ name: 'a', port: 80 }] } });
      const ports = [{ name: 'b', port: 81 }];
      const service = { apiVersion: 'v1', kind: 'Service', metadata: { name }, spec: { ports } };
      await kubectl('apply --validate=false -f -', service);
      const { body } = await bench.get(path);
      expect(body.spec).toMatchObject({
        ports: expect.arrayContaining([
          expect.objectContaining({ port: 80 }),
          expect.objectContaining({ port: 81 }),
        ]),
      });
    },
    'apply --server-side owns its fields': async (bench) => {
      const kubectl = kubectlIn(bench);
      const name = bench.name();
      bench.forget(`${bench.at.widgets}/${name}`);
      const said = await kubectl(
        'apply --server-side --validate=false -f -',
        widget(name, { colour: 'red' }),
      );
      expect(said).toBe(`widget.conformance.test/${name} serverside-applied\n`);
    },
    'replace puts another content in place': async (bench) => {
      const { name, path, object } = await bench.create('widgets', { spec: { colour: 'red', port: 80 } });
      const said = await kubectlIn(bench)('replace --validate=false -f -', {
        ...object,
        spec: { colour: 'red' },
      });
      expect(said).toBe(`widget.conformance.test/${name} replaced\n`);
      expect((await bench.get(path)).body.spec).not.toHaveProperty('port');
    },
    'patch takes merge, json and, for built-in kinds, strategic patches': async (bench) => {
      const kubectl = kubectlIn(bench);
      const made = await bench.create('widgets', { spec: { colour: 'red' } });
      await kubectl(`patch wdg ${made.name} --type=merge -p {"spec":{"size":4}}`);
      await kubectl(`patch wdg ${made.name} --type=json -p [{"op":"add","path":"/spec/port","value":80}]`);
      expect((await bench.get(made.path)).body.spec).toMatchObject({ size: 4, port: 80 });
      await expect(kubectl(`patch wdg ${made.name} -p {"spec":{"size":4}}`)).rejects.toThrow(
        'strategic-merge-patch+json is not supported',
      );
      const node = await bench.create('nodes');
      expect(await kubectl(`patch node ${node.name} -p {"spec":{"unschedulable":true}}`)).toBe(
        `node/${node.name} patched\n`,
      );
      expect(await kubectl(`patch node ${node.name} -p {"spec":{"unschedulable":true}}`)).toBe(
        `node/${node.name} patched (no change)\n`,
      );
    },
    'patch --subresource=status changes the status': async (bench) => {
      const { name, path } = await bench.create('widgets', { spec: { colour: 'red' } });
      await kubectlIn(bench)(
        `patch wdg ${name} --subresource=status --type=merge -p {"status":{"phase":"up"}}`,
      );
      expect((await bench.get(path)).body.status).toEqual({ phase: 'up' });
    },
    'label adds, refuses to overwrite, overwrites and removes': async (bench) => {
      const kubectl = kubectlIn(bench);
      const { name, path } = await bench.create('nodes');
      const labels = async () => (await bench.get(path)).body.metadata?.labels ?? {};
      expect(await kubectl(`label node ${name} a=1`)).toBe(`node/${name} labeled\n`);
      await expect(kubectl(`label node ${name} a=2`)).rejects.toThrow('--overwrite');
      await kubectl(`label node ${name} a=2 --overwrite`);
      expect(await labels()).toEqual({ a: '2' });
      expect(await kubectl(`label node ${name} a-`)).toBe(`node/${name} unlabeled\n`);
      expect(await labels()).toEqual({});
    },
    'annotate adds and removes': async (bench) => {
      const kubectl = kubectlIn(bench);
      const { name, path } = await bench.create('widgets', { spec: { colour: 'red' } });
      await kubectl(`annotate wdg ${name} conformance.test/a=1`);
      expect((await bench.get(path)).body.metadata?.annotations).toEqual({ 'conformance.test/a': '1' });
      await kubectl(`annotate wdg ${name} conformance.test/a-`);
      expect((await bench.get(path)).body.metadata).not.toHaveProperty('annotations');
    },
    'taint adds, refuses a second time and removes': async (bench) => {
      const kubectl = kubectlIn(bench);
      const { name, path } = await bench.create('nodes');
      await bench.patch(path, { spec: { taints: null } });
      expect(await kubectl(`taint node ${name} a=b:NoSchedule`)).toBe(`node/${name} tainted\n`);
      await expect(kubectl(`taint node ${name} a=b:NoSchedule`)).rejects.toThrow('already has a taint');
      expect((await bench.get(path)).body.spec).toEqual({
        taints: [{ key: 'a', value: 'b', effect: 'NoSchedule' }],
      });
      expect(await kubectl(`taint node ${name} a:NoSchedule-`)).toBe(`node/${name} untainted\n`);
      expect((await bench.get(path)).body.spec).toEqual({});
    },
    'cordon and uncordon close and open a node': async (bench) => {
      const kubectl = kubectlIn(bench);
      const { name, path } = await bench.create('nodes');
      expect(await kubectl(`cordon ${name}`)).toBe(`node/${name} cordoned\n`);
      expect((await bench.get(path)).body.spec).toMatchObject({ unschedulable: true });
      expect(await kubectl(`cordon ${name}`)).toBe(`node/${name} already cordoned\n`);
      expect(await kubectl(`uncordon ${name}`)).toBe(`node/${name} uncordoned\n`);
      expect((await bench.get(path)).body.spec).not.toHaveProperty('unschedulable');
    },
    'delete waits until the object is gone': async (bench) => {
      const kubectl = kubectlIn(bench);
      const { name, path } = await bench.create('widgets', { spec: { colour: 'red' } });
      expect(await kubectl(`delete wdg ${name}`)).toContain('deleted');
      expect((await bench.get(path)).status).toBe(404);
      await expect(kubectl(`delete wdg ${name}`)).rejects.toThrow('NotFound');
      expect(await kubectl(`delete wdg ${name} --ignore-not-found`)).toBe('');
    },
    'delete -l deletes what is selected': async (bench) => {
      const labels = { doomed: bench.name() };
      const made = [
        await bench.create('configmaps', { metadata: { labels } }),
        await bench.create('configmaps', { metadata: { labels } }),
      ];
      await kubectlIn(bench)(`delete cm -l doomed=${labels.doomed}`);
      for (const { path } of made) expect((await bench.get(path)).status).toBe(404);
    },
    'create token prints a token': async (bench) => {
      const { name } = await bench.create('serviceaccounts');
      expect(await kubectlIn(bench)(`create token ${name}`)).toMatch(/^[^.]+\.[^.]+\.[^.]+$/);
    },
    'drain cordons a node and evicts its pods': async (bench) => {
      await accountForPods(bench);
      const { name } = await bench.create('nodes');
      const spec = {
        nodeName: name,
        containers: [{ name: 'c', image: 'i' }],
        terminationGracePeriodSeconds: 0,
      };
      const pod = await bench.create('pods', { spec });
      expect(await kubectlIn(bench)(`drain ${name} --force --grace-period=0`)).toContain(
        `node/${name} drained`,
      );
      expect((await bench.get(pod.path)).status).toBe(404);
    },
  },
};
