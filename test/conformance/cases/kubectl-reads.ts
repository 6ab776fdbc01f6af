// What stock kubectl shows: tables, other forms, watches, waits, discovery and explanations.

import { expect } from 'vitest';
import { until } from '../../control-plane/until.ts';
import { type Topic } from '../case.ts';
import { kubectlIn } from './kubectl.ts';

const words = (line: string | undefined) => (line ?? '').split(/\s{2,}/).filter((word) => word !== '');
const linesOf = (said: string) => said.trimEnd().split('\n');

export const kubectlReads: Topic = {
  name: 'kubectl reads',
  needs: 'kubectl',
  cases: {
    'get prints Nodes': async (bench) => {
      const conditions = [{ type: 'Ready', status: 'False' }];
      const nodeInfo = { kubeletVersion: 'v1.36.3' };
      const { name } = await bench.create('nodes', { status: { conditions, nodeInfo } });
      const [header, row] = linesOf(await kubectlIn(bench)(`get node ${name}`));
      expect(words(header)).toEqual(['NAME', 'STATUS', 'ROLES', 'AGE', 'VERSION']);
      expect(words(row)).toEqual([name, 'NotReady', '<none>', expect.stringMatching(/^\d+s$/), 'v1.36.3']);
    },
    'get -o wide prints Nodes with addresses and systems': async (bench) => {
      const nodeInfo = {
        osImage: 'Debian 12',
        kernelVersion: '6.1',
        containerRuntimeVersion: 'containerd://2',
      };
      const addresses = [{ type: 'InternalIP', address: '10.0.0.1' }];
      const { name } = await bench.create('nodes', { status: { addresses, nodeInfo } });
      const [header, row] = linesOf(await kubectlIn(bench)(`get node ${name} -o wide`));
      expect(words(header).slice(5)).toEqual([
        'INTERNAL-IP',
        'EXTERNAL-IP',
        'OS-IMAGE',
        'KERNEL-VERSION',
        'CONTAINER-RUNTIME',
      ]);
      expect(words(row).slice(-5)).toEqual(['10.0.0.1', '<none>', 'Debian 12', '6.1', 'containerd://2']);
    },
    'get prints the columns of a custom resource, and more with -o wide': async (bench) => {
      const kubectl = kubectlIn(bench);
      const { name } = await bench.create('widgets', { spec: { colour: 'red' } });
      const [header, row] = linesOf(await kubectl(`get wdg ${name}`));
      expect(words(header)).toEqual(['NAME', 'COLOUR', 'PHASE', 'SINCE']);
      expect(words(row).slice(0, 2)).toEqual([name, 'red']);
      const [wideHeader, wideRow] = linesOf(await kubectl(`get wdg ${name} -o wide`));
      expect(words(wideHeader)).toEqual(['NAME', 'COLOUR', 'SIZE', 'PHASE', 'SINCE']);
      expect(words(wideRow).slice(0, 3)).toEqual([name, 'red', '3']);
    },
    'get prints the columns of the records of the project': async (bench) => {
      const kubectl = kubectlIn(bench);
      const collection = '/apis/muster.dev/v1alpha1/nodelifecycles';
      const name = bench.name();
      bench.forget(`${collection}/${name}`);
      const record = { apiVersion: 'muster.dev/v1alpha1', kind: 'NodeLifecycle', metadata: { name } };
      await bench.post(collection, { ...record, spec: { nodeName: name, nodeUID: 'u-1' } });
      const status = { stage: 'Gated', gateSummary: 'cni-not-ready', pool: 'default' };
      await bench.patch(`${collection}/${name}/status`, { status });
      const [header, row] = linesOf(await kubectl(`get nl ${name}`));
      expect(words(header)).toEqual(['NAME', 'STAGE', 'GATES', 'POOL', 'SINCE']);
      expect(words(row).slice(0, 4)).toEqual([name, 'Gated', 'cni-not-ready', 'default']);
      const [wide] = linesOf(await kubectl(`get nl ${name} -o wide`));
      expect(words(wide).slice(5)).toEqual(['CONFLICT', 'PHASE', 'NODE UID', 'BOOT ID', 'AGE']);
    },
    'get finds kinds by plural, singular, short name and full name': async (bench) => {
      const { name } = await bench.create('widgets', { spec: { colour: 'red' } });
      for (const kind of [
        'widgets',
        'widget',
        'wdg',
        'Widget',
        'widgets.conformance.test',
        'widgets.v1.conformance.test',
      ]) {
        expect(await kubectlIn(bench)(`get ${kind} ${name} -o name`)).toBe(
          `widget.conformance.test/${name}\n`,
        );
      }
    },
    'get finds custom resources by category': async (bench) => {
      const { name } = await bench.create('widgets', { spec: { colour: 'red' } });
      expect(await kubectlIn(bench)('get toys -o name')).toContain(`widget.conformance.test/${name}\n`);
    },
    'get says what it does not find': async (bench) => {
      const kubectl = kubectlIn(bench);
      await expect(kubectl('get wdg nope')).rejects.toThrow(
        'Error from server (NotFound): widgets.conformance.test "nope" not found',
      );
      await expect(kubectl('get nopes')).rejects.toThrow(`the server doesn't have a resource type "nopes"`);
    },
    'get selects by label and field, shows labels and sorts': async (bench) => {
      const kubectl = kubectlIn(bench);
      const labels = { shown: bench.name() };
      const big = await bench.create('widgets', { metadata: { labels }, spec: { colour: 'red', size: 9 } });
      const small = await bench.create('widgets', { metadata: { labels }, spec: { colour: 'red', size: 1 } });
      const selected = `-l shown=${labels.shown}`;
      expect(await kubectl(`get wdg ${selected} -o name --sort-by=.spec.size`)).toBe(
        `widget.conformance.test/${small.name}\nwidget.conformance.test/${big.name}\n`,
      );
      const rows = linesOf(
        await kubectl(`get wdg ${selected} --field-selector spec.size=9 --show-labels --no-headers`),
      );
      expect(rows).toHaveLength(1);
      expect(rows[0]).toContain(`shown=${labels.shown}`);
      const [row] = linesOf(
        await kubectl(`get wdg ${selected} --field-selector spec.size=9 -L shown --no-headers`),
      );
      expect(words(row).at(-1)).toBe(labels.shown);
    },
    'get prints JSON, YAML, paths and columns of one’s own': async (bench) => {
      const kubectl = kubectlIn(bench);
      const { name } = await bench.create('configmaps', { data: { a: 'b' } });
      expect(JSON.parse(await kubectl(`get cm ${name} -o json`))).toMatchObject({
        kind: 'ConfigMap',
        data: { a: 'b' },
      });
      expect(await kubectl(`get cm ${name} -o yaml`)).toContain('data:\n  a: b\n');
      expect(await kubectl(`get cm ${name} -o jsonpath={.data.a}`)).toBe('b');
      expect(linesOf(await kubectl(`get cm ${name} -o custom-columns=A:.data.a`))).toEqual(['A', 'b']);
    },
    'get -A shows namespaces': async (bench) => {
      const { name } = await bench.create('configmaps');
      const said = await bench.target.kubectl([
        'get',
        'cm',
        '-A',
        '--field-selector',
        `metadata.name=${name}`,
      ]);
      const [header, row] = linesOf(said);
      expect(words(header)).toEqual(['NAMESPACE', 'NAME', 'DATA', 'AGE']);
      expect(words(row).slice(0, 3)).toEqual([bench.namespace, name, '0']);
    },
    'get reads in chunks': async (bench) => {
      const labels = { chunk: bench.name() };
      for (let index = 0; index < 3; index++) await bench.create('configmaps', { metadata: { labels } });
      const said = await kubectlIn(bench)(`get cm -l chunk=${labels.chunk} --chunk-size=1 -o name`);
      expect(linesOf(said)).toHaveLength(3);
    },
    'get -w shows what is there and what happens': async (bench) => {
      const { name, path } = await bench.create('configmaps');
      let isOver = false;
      // kubectl watches until its time is up and calls that a success.
      const watching = kubectlIn(bench)(
        `get cm -w --field-selector metadata.name=${name} --request-timeout=2s --output-watch-events`,
      ).finally(() => {
        isOver = true;
      });
      let changes = 0;
      await until('the time of kubectl is up', 20_000, async () => {
        if (isOver) return true;
        await bench.patch(path, { data: { changes: String(++changes) } });
        return undefined;
      });
      const lines = linesOf(await watching).map(words);
      expect(lines[0]).toEqual(['EVENT', 'NAME', 'DATA', 'AGE']);
      expect(lines[1]?.slice(0, 2)).toEqual(['ADDED', name]);
      expect(lines[2]?.slice(0, 2)).toEqual(['MODIFIED', name]);
    },
    'get --raw asks for a path': async (bench) => {
      expect(await kubectlIn(bench)('get --raw /healthz')).toBe('ok');
    },
    'describe tells of a Node and its events': async (bench) => {
      const { name, uid } = await bench.create('nodes', {
        spec: { taints: [{ key: 'a', effect: 'NoSchedule' }] },
      });
      const events = '/api/v1/namespaces/default/events';
      const event = {
        involvedObject: { kind: 'Node', name, uid: name },
        reason: 'Seen',
        message: 'It was seen.',
        type: 'Normal',
      };
      await bench.post(events, { ...event, metadata: { name } });
      bench.forget(`${events}/${name}`);
      const said = await kubectlIn(bench)(`describe node ${name}`);
      expect(said).toMatch(new RegExp(`^Name: +${name}$`, 'm'));
      expect(said).toMatch(/^Taints: +a:NoSchedule$/m);
      expect(said).toMatch(/Normal +Seen .*It was seen\./);
      expect(uid).not.toBe(name);
    },
    'describe tells of a custom resource': async (bench) => {
      const { name } = await bench.create('widgets', { spec: { colour: 'red' } });
      const said = await kubectlIn(bench)(`describe wdg ${name}`);
      expect(said).toMatch(new RegExp(`^Name: +${name}$`, 'm'));
      expect(said).toMatch(/^ {2}Colour: +red$/m);
      expect(said).toMatch(/^Events: +<none>$/m);
    },
    'wait ends when a condition, a field or an absence comes true': async (bench) => {
      const kubectl = kubectlIn(bench);
      const { name, path } = await bench.create('nodes');
      const ready = kubectl(`wait node/${name} --for=condition=Ready --timeout=20s`);
      await bench.patch(`${path}/status`, { status: { conditions: [{ type: 'Ready', status: 'True' }] } });
      expect(await ready).toBe(`node/${name} condition met\n`);
      const made = await bench.create('widgets', { spec: { colour: 'red' } });
      const up = kubectl(`wait wdg/${made.name} --for=jsonpath={.status.phase}=up --timeout=20s`);
      await bench.patch(`${made.path}/status`, { status: { phase: 'up' } });
      expect(await up).toContain('condition met');
      const gone = kubectl(`wait node/${name} --for=delete --timeout=20s`);
      await bench.remove(path);
      // It prints nothing when the object is gone before it first looks.
      await expect(gone).resolves.toEqual(expect.any(String));
      expect((await bench.get(path)).status).toBe(404);
    },
    'api-resources and api-versions list what is served': async (bench) => {
      const kubectl = kubectlIn(bench);
      const resources = await kubectl('api-resources');
      expect(resources).toMatch(/^widgets +wdg +conformance\.test\/v1 +true +Widget$/m);
      expect(resources).toMatch(/^nodes +no +v1 +false +Node$/m);
      expect(resources).toMatch(/^leases +coordination\.k8s\.io\/v1 +true +Lease$/m);
      expect(linesOf(await kubectl('api-versions'))).toEqual(
        expect.arrayContaining([
          'v1',
          'coordination.k8s.io/v1',
          'conformance.test/v1',
          'conformance.test/v1beta1',
        ]),
      );
    },
    'version names the server': async (bench) => {
      expect(await kubectlIn(bench)('version')).toMatch(/^Server Version: v1\.\d+\.\d+/m);
    },
    'warns of a deprecated version and answers': async (bench) => {
      const { name } = await bench.create('widgets', { spec: { colour: 'red' } });
      expect(await kubectlIn(bench)(`get widgets.v1beta1.conformance.test ${name} -o name`)).toBe(
        `widget.conformance.test/${name}\n`,
      );
    },
    'explain tells of the fields of a custom resource': async (bench) => {
      // The server publishes the schema of a new kind a moment after it serves the kind.
      const said = await until('the schema is published', 30_000, () =>
        kubectlIn(bench)('explain widget.spec.colour').catch(() => undefined),
      );
      expect(said).toContain('The colour it was painted with.');
      expect(said).toMatch(/^KIND: +Widget$/m);
    },
  },
};
