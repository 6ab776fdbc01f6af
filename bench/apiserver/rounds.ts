// Runs the processes of one round: a fresh server with its fleet on one core, and one process on another that watches, reads
// and writes, step after step.

import type { BundledFiles } from '../bundle.ts';
import type {
  LoadCommand,
  LoadFigures,
  LoadReport,
  ServerCommand,
  ServerFigures,
  ServerReport,
  WorldReport,
} from './messages.ts';
import type { Plan } from './plan.ts';
import { type Child, launch } from '../processes.ts';
import { mixed, type WriteKind, writeKinds, writeTitles } from './writes.ts';

export type ReadRow = { readonly what: string; readonly server: ServerFigures };
export type WriteRow = { readonly what: string; readonly server: ServerFigures; readonly load: LoadFigures };

export type Round = {
  readonly filledRssBytes: number;
  readonly reads: readonly ReadRow[];
  readonly kinds: readonly WriteRow[];
  readonly mix: WriteRow;
};

/** On one core the collector's helper threads take it from the main thread, which then waits for them: blocks of 300 ms. */
const serverFlags = ['--single-threaded-gc'];

/** The processes of the bench, each in a file of its own. */
export const sources = {
  server: new URL('./server.ts', import.meta.url),
  load: new URL('./load.ts', import.meta.url),
  worlds: new URL('./worlds.ts', import.meta.url),
};
type ProcessName = keyof typeof sources;

export type Setting = { readonly plan: Plan; readonly files: BundledFiles<ProcessName> };

type Server = Child<ServerCommand, ServerReport>;
type Load = Child<LoadCommand, LoadReport>;
type Pair = { readonly server: Server; readonly load: Load };

const serverCore = 0;
const loadCore = 1;
const patienceMs = 180_000;

export async function measureRound({ plan, files }: Setting): Promise<Round> {
  const server: Server = launch({
    name: 'the server',
    core: serverCore,
    nodeFlags: serverFlags,
    file: files.fileOf('server'),
    args: [String(plan.nodes)],
  });
  const { port, rssBytes: filledRssBytes } = await server.hear('ready', patienceMs);
  const load: Load = launch({
    name: 'the load',
    core: loadCore,
    nodeFlags: [],
    file: files.fileOf('load'),
    args: [port, plan.nodes, plan.concurrency].map(String),
  });
  try {
    const pair = { server, load };
    const reads = [await measureWatch(pair, plan), ...(await measureReads(pair))];
    const kinds: WriteRow[] = [];
    for (const kind of writeKinds) {
      kinds.push(
        await measureWrites(pair, { what: writeTitles[kind], mix: [kind], seconds: plan.kindSeconds }),
      );
    }
    const mix = await measureWrites(pair, { what: 'all together', mix: mixed, seconds: plan.mixSeconds });
    return { filledRssBytes, reads, kinds, mix };
  } finally {
    load.stop();
    server.stop();
  }
}

async function measureWatch({ server, load }: Pair, { watchers, nodes }: Plan): Promise<ReadRow> {
  const figures = await measured(server, async () => {
    load.send({ kind: 'watch', watchers });
    const { objects } = await load.hear('watching', patienceMs);
    const wanted = 2 * nodes * watchers;
    if (objects !== wanted) throw new Error(`the watches began with ${objects} objects instead of ${wanted}`);
  });
  return { what: 'watches of all nodes and leases begin', server: figures.server };
}

const reads = [
  { what: 'list of all nodes', path: '/api/v1/nodes', accept: 'application/json' },
  { what: 'list of 500 nodes', path: '/api/v1/nodes?limit=500', accept: 'application/json' },
  {
    what: 'table of all nodes',
    path: '/api/v1/nodes',
    accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json',
  },
];

async function measureReads({ server, load }: Pair): Promise<readonly ReadRow[]> {
  const rows: ReadRow[] = [];
  for (const { what, path, accept } of reads) {
    const figures = await measured(server, async () => {
      load.send({ kind: 'read', path, accept });
      return load.hear('read', patienceMs);
    });
    rows.push({ what, server: figures.server });
  }
  return rows;
}

type Writing = { readonly what: string; readonly mix: readonly WriteKind[]; readonly seconds: number };

async function measureWrites({ server, load }: Pair, { what, mix, seconds }: Writing): Promise<WriteRow> {
  const figures = await measured(server, async () => {
    load.send({ kind: 'write', mix, seconds });
    return load.hear('written', patienceMs);
  });
  return { what, server: figures.server, load: figures.answer };
}

async function measured<T>(
  server: Server,
  run: () => Promise<T>,
): Promise<{ readonly server: ServerFigures; readonly answer: T }> {
  server.send({ kind: 'begin' });
  await server.hear('begun', patienceMs);
  const answer = await run();
  server.send({ kind: 'end' });
  return { server: await server.hear('ended', patienceMs), answer };
}

export async function measureWorlds({ plan, files }: Setting): Promise<WorldReport> {
  const child: Child<never, WorldReport> = launch({
    name: 'the worlds',
    core: serverCore,
    nodeFlags: [],
    file: files.fileOf('worlds'),
    args: [String(plan.worlds)],
  });
  return child.hear('worlds', patienceMs);
}
