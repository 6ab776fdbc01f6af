// The embedded API server as the cluster of a bench, in a process of its own over plain HTTP: for sizes at which a real control
// plane and its data would need more machine than there is. What it takes for a write says nothing about a real one.

import { mkdtemp, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { buildAll } from '../../scripts/build.ts';
import { systemNamespace } from '../../src/api/keys.ts';
import { namespaceType } from '../../src/apiserver/registry/kinds/namespace.ts';
import { projectCustomResourceDefinition } from '../../src/objects/custom-resource-definition.ts';
import { type RawObject, viewOf } from '../../src/objects/raw.ts';
import { apiVersionOf, customResourceDefinitionType, type ResourceType } from '../../src/objects/ref.ts';
import type { KubeApi, Page, PageRequest } from '../../src/runtime/ports.ts';
import {
  launch,
  type Launch,
  type ServerProcess,
  stopProcess,
  waitUntilReady,
} from '../../test/control-plane/processes.ts';
import { freePorts } from '../../test/control-plane/ports.ts';
import type { StoredBytes } from '../../test/control-plane/stored-bytes.ts';
import { until } from '../../test/control-plane/until.ts';
import { startWatchdog } from '../../test/control-plane/watchdog.ts';
import { benchManager, type Cluster, definitionsDir } from './cluster.ts';
import { connect } from './cluster-client.ts';
import { say } from './progress.ts';

const readyMsMax = 30_000;
const pageSize = 5_000;
/** Fifty thousand Nodes of 12 KB, and their history. */
const heapMiB = 12_288;

export async function startEmbeddedServer(): Promise<Cluster> {
  const dir = await mkdtemp(join(tmpdir(), 'muster-bench-'));
  const watchdog = startWatchdog(dir);
  const running: ServerProcess[] = [];
  const start = async (given: Launch) => {
    const process = await launch(given, watchdog);
    running.push(process);
    return process;
  };
  // Clients before the server.
  const stopAll = async () => {
    for (const process of running.toReversed()) await stopProcess(process);
    await watchdog.finish();
  };
  try {
    await buildAll(join(dir, 'dist'));
    const muster = join(dir, 'dist/muster.cjs');
    const kubeconfig = join(dir, 'admin.kubeconfig');
    await serve(start, { dir, muster, kubeconfig });
    const { api, close } = await connect(kubeconfig, benchManager);
    await install(api);
    return {
      dir,
      launch: start,
      processes: () => running.filter((process) => process.isRunning()),
      adminKubeconfig: kubeconfig,
      operatorKubeconfig: kubeconfig,
      api,
      muster,
      stored: (type) => storedIn(api, type),
      serverMetrics: () => Promise.resolve(''),
      restartServer: null,
      stop: () => {
        close();
        return stopAll();
      },
    };
  } catch (error) {
    await stopAll();
    throw error;
  }
}

type Place = { readonly dir: string; readonly muster: string; readonly kubeconfig: string };

async function serve(
  start: (given: Launch) => Promise<ServerProcess>,
  { dir, muster, kubeconfig }: Place,
): Promise<void> {
  const [port = 0] = await freePorts(1);
  const args = [`--max-old-space-size=${heapMiB}`, muster, 'apiserver', `--port=${port}`];
  const server = await start({
    name: 'embedded API server',
    command: process.execPath,
    args: [...args, `--kubeconfig-out=${kubeconfig}`],
    logFile: join(dir, 'apiserver.log'),
  });
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await waitUntilReady(server, readyMsMax, isReady);
  say(`embedded API server ready on port ${port}`);
}

/** Our definitions, and the namespace in which the operator has its Lease. */
async function install(api: KubeApi): Promise<void> {
  await create(api, namespaceType, { metadata: { name: systemNamespace } });
  for (const file of await readdir(definitionsDir)) {
    const definition = load(await readFile(join(definitionsDir, file), 'utf8')) as RawObject;
    await create(api, customResourceDefinitionType, definition);
  }
  await until('the definitions are served', readyMsMax, async () => {
    const { items } = await listed(api, customResourceDefinitionType);
    return items.every((item) => projectCustomResourceDefinition(item).isEstablished) ? true : undefined;
  });
}

async function create(api: KubeApi, type: ResourceType, object: RawObject): Promise<void> {
  const { name } = viewOf(object);
  const body = { apiVersion: apiVersionOf(type), kind: type.kind, ...object };
  const answer = await api.create({ type, namespace: '', name }, body);
  if (answer.kind === 'error') throw new Error(`${type.kind} ${name} was refused: ${answer.error.message}`);
}

/** As JSON: it has no other form of them. */
async function storedIn(api: KubeApi, type: ResourceType): Promise<StoredBytes> {
  const stored = { objects: 0, bytes: 0 };
  // In pages: all evaluations of a large fleet are more than one answer may hold.
  for (let continueToken: string | undefined; continueToken !== ''; ) {
    const page = await listed(api, type, { limit: pageSize, ...(continueToken && { continueToken }) });
    stored.objects += page.items.length;
    for (const item of page.items) stored.bytes += JSON.stringify(item).length;
    ({ continueToken } = page);
  }
  return stored;
}

async function listed(api: KubeApi, type: ResourceType, request?: PageRequest): Promise<Page> {
  const answer = await api.list({ type }, request);
  if (answer.kind === 'error') throw new Error(`${type.plural} cannot be listed: ${answer.error.message}`);
  return answer.value;
}
