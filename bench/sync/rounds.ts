// Runs the processes of one round: each client in a fresh process against the same server, one after the other, through a
// first sync, forced relists and churn.

import { fileURLToPath } from 'node:url';
import type { BundledFiles } from '../bundle.ts';
import { type ClientName, clientNames, nodeFlagsOf } from './clients.ts';
import type {
  ChurnFigures,
  ClientCommand,
  ClientReport,
  FullSync,
  ServerCommand,
  ServerReport,
  SyncFigures,
} from './messages.ts';
import type { Plan } from './plan.ts';
import { type Child, launch } from '../processes.ts';

export type ClientFigures = {
  readonly sync: SyncFigures;
  /** After the last forced relist. */
  readonly relistedPeakRssBytes: number;
  readonly churn: ChurnFigures;
  /** Beyond what the process held before it connected. */
  readonly heapBytes: number;
};

export type Round = Readonly<Record<ClientName, ClientFigures>>;

export type BenchServer = Child<ServerCommand, ServerReport> & {
  readonly url: string;
  readonly ca: string;
  /** Of the whole fleet, as a watch sends it. */
  readonly bytes: number;
};

/** The measured programs, each in a file of its own. */
export const sources = {
  transport: new URL('./clients/transport.ts', import.meta.url),
  parsing: new URL('./clients/parsing.ts', import.meta.url),
  muster: new URL('./clients/muster.ts', import.meta.url),
  'client-node': new URL('./clients/client-node.ts', import.meta.url),
  footprint: new URL('./footprint.ts', import.meta.url),
};
type ProcessName = keyof typeof sources;

export type Setting = {
  readonly plan: Plan;
  readonly server: BenchServer;
  readonly files: BundledFiles<ProcessName>;
};

/** What a node costs in each store of the operator. */
export type Footprint = Readonly<Record<string, number>>;

const serverCore = 0;
const clientCore = 1;
const patienceMs = 120_000;

export async function startServer({ nodes, start }: Plan): Promise<BenchServer> {
  const child = launch<ServerCommand, ServerReport>({
    name: 'the server',
    core: serverCore,
    nodeFlags: [],
    file: fileURLToPath(new URL('./server.ts', import.meta.url)),
    args: [String(nodes), start],
  });
  const { port, ca, bytes } = await child.hear('ready', patienceMs);
  return { ...child, url: `https://127.0.0.1:${port}`, ca, bytes };
}

export async function measureRound(setting: Setting): Promise<Round> {
  const figures: Partial<Record<ClientName, ClientFigures>> = {};
  for (const name of clientNames) figures[name] = await measureClient(name, setting);
  return figures as Round;
}

async function measureClient(name: ClientName, { plan, server, files }: Setting): Promise<ClientFigures> {
  const client = launch<ClientCommand, ClientReport>({
    name,
    core: clientCore,
    nodeFlags: nodeFlagsOf(name),
    file: files.fileOf(name),
    args: [],
  });
  const complete = <S extends FullSync>(sync: S): S => {
    if (sync.known === null || sync.known === plan.nodes) return sync;
    throw new Error(`${name} knows ${sync.known} of ${plan.nodes} nodes`);
  };
  try {
    const { protocol, start } = plan;
    client.send({ kind: 'sync', target: { server: server.url, ca: server.ca, protocol, start } });
    const sync = complete(await client.hear('synced', patienceMs));
    let { peakRssBytes: relistedPeakRssBytes } = sync;
    for (let relist = 0; relist < plan.relists; relist += 1) {
      server.send({ kind: 'expire' });
      ({ peakRssBytes: relistedPeakRssBytes } = complete(await client.hear('relisted', patienceMs)));
    }
    const churn = await measureChurn(client, server, plan);
    client.send({ kind: 'finish' });
    const { heapBytes } = await client.hear('finished', patienceMs);
    return { sync, relistedPeakRssBytes, churn, heapBytes };
  } finally {
    client.stop();
  }
}

async function measureChurn(
  client: Child<ClientCommand, ClientReport>,
  server: BenchServer,
  { churnSeconds, churnPerSecond }: Plan,
): Promise<ChurnFigures> {
  client.send({ kind: 'churnBegins' });
  server.send({ kind: 'churn', seconds: churnSeconds, perSecond: churnPerSecond });
  const { sent } = await server.hear('churned', patienceMs);
  client.send({ kind: 'churnEnds', sent });
  return client.hear('churned', patienceMs);
}

export async function measureFootprint(
  { nodes }: Plan,
  files: BundledFiles<ProcessName>,
): Promise<Footprint> {
  const child = launch<never, { readonly kind: 'footprint'; readonly bytesOf: Footprint }>({
    name: 'the footprint',
    core: clientCore,
    nodeFlags: ['--expose-gc'],
    file: files.fileOf('footprint'),
    args: [String(nodes)],
  });
  const { bytesOf } = await child.hear('footprint', patienceMs);
  return bytesOf;
}
