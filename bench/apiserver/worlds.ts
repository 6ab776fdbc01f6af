// Servers as a simulator uses them: many short worlds in one process, asked through the port and never over a socket. In a
// process of its own, so that nothing else is counted.

import { nodeLifecycleKind } from '../../src/api/node-lifecycle.ts';
import { type ApiServer, createApiServer } from '../../src/apiserver/api-server.ts';
import { createInProcessKubeApi } from '../../src/apiserver/kube-api.ts';
import { shareSchemas } from '../../src/apiserver/shared-schemas.ts';
import { systemClock } from '../../src/base/clock.ts';
import { seededRandom } from '../../src/base/random.ts';
import { leaseType, nodeType } from '../../src/objects/ref.ts';
import { fill, install, leaseOf, membersOf, nodeName } from './fleet.ts';
import type { TimedRow, WorldReport } from './messages.ts';
import { schemas as compiler } from './schemas.ts';
import { type Turn, writeOf } from './writes.ts';

const seed = 1;
const worldNodes = 24;
const writesPerWorld = 200;
const schemas = shareSchemas(compiler);
const members = [...membersOf(worldNodes)];
const worlds = Number(process.argv[2]);

void measure();

async function measure(): Promise<void> {
  const report: WorldReport = {
    kind: 'worlds',
    worlds: [
      timed('an empty server', () => create()),
      timed('and the kinds of Muster', () => installed()),
      timed(`and ${worldNodes} nodes, leases and records`, () => populated()),
      timedRestore(),
    ],
    writes: [
      await timedWrites('lease renewal (get and replace)', renew),
      await timedWrites('node labels and taints (merge)', (api, { name, serial }) =>
        api.patch(
          { type: nodeType, namespace: '', name },
          { kind: 'merge', body: writeOf('nodeMerge', turnOf(serial)).body },
        ),
      ),
      await timedWrites('custom resource status (merge)', (api, { name, serial }) =>
        api.patch(
          { type: nodeLifecycleKind.type, namespace: '', name },
          { kind: 'merge', body: writeOf('customStatus', turnOf(serial)).body },
          { subresource: 'status' },
        ),
      ),
    ],
  };
  process.send?.(report);
  process.disconnect?.();
}

function create(): ApiServer {
  return createApiServer({ clock: systemClock, random: seededRandom(seed), schemas });
}

function installed(): ApiServer {
  const server = create();
  install(server);
  return server;
}

function populated(): ApiServer {
  const server = installed();
  fill(server, members);
  return server;
}

function timed(what: string, run: () => ApiServer): TimedRow {
  return { what, micros: Array.from({ length: worlds }, () => microsOf(run)) };
}

function timedRestore(): TimedRow {
  const snapshot = populated().store.snapshot();
  return timed('the same from a snapshot', () =>
    createApiServer({ clock: systemClock, random: seededRandom(seed), schemas, snapshot }),
  );
}

function microsOf(run: () => ApiServer): number {
  const begun = process.hrtime.bigint();
  const server = run();
  const micros = Number(process.hrtime.bigint() - begun) / 1_000;
  server.stop();
  return micros;
}

type Api = ReturnType<typeof createInProcessKubeApi>;
type Write = (
  api: Api,
  turn: { readonly name: string; readonly serial: number },
) => Promise<{ readonly kind: string }>;

/** With a watch of all kinds that are written, as an operator has. */
async function timedWrites(what: string, write: Write): Promise<TimedRow> {
  const micros: number[] = [];
  for (let world = 0; world < worlds; world += 1) micros.push(await microsOfWrites(write));
  return { what, micros };
}

async function microsOfWrites(write: Write): Promise<number> {
  const server = populated();
  const api = createInProcessKubeApi(server);
  const closes = [nodeType, leaseType, nodeLifecycleKind.type].map((type) =>
    api.watch({ type }, { kind: 'initialEvents' }, { opened() {}, event() {}, ended() {} }),
  );
  const begun = process.hrtime.bigint();
  for (let serial = 0; serial < writesPerWorld; serial += 1) {
    const answer = await write(api, { name: nodeName(serial % worldNodes), serial });
    if (answer.kind === 'error') throw new Error(`a write was refused: ${JSON.stringify(answer)}`);
  }
  const micros = Number(process.hrtime.bigint() - begun) / 1_000;
  for (const close of closes) close();
  server.stop();
  return micros / writesPerWorld;
}

async function renew(api: Api, { name, serial }: Parameters<Write>[1]): ReturnType<Write> {
  const ref = { type: leaseType, namespace: 'kube-node-lease', name };
  const found = await api.get(ref);
  if (found.kind === 'error') return found;
  const { resourceVersion = '' } = found.value.metadata ?? {};
  return api.replace(ref, leaseOf(name, { resourceVersion, renewedMs: serial }));
}

function turnOf(serial: number): Turn {
  return { index: serial % worldNodes, serial, resourceVersion: '' };
}
