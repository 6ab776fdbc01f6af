// The four servers of one run: started in order, the API server killed and restarted on demand, all stopped at the end.

import { join } from 'node:path';
import {
  apiServerFlags,
  controllerManagerFlags,
  defaultControllers,
  etcdFlags,
  schedulerFlags,
} from './flags.ts';
import type { Layout } from './layout.ts';
import { type Launch, launch, type ServerProcess, stopProcess, waitUntilReady } from './processes.ts';
import type { BinaryName } from './recipes.ts';
import { send } from './request.ts';
import { startWatchdog } from './watchdog.ts';

export type ServerOptions = {
  readonly controllers?: readonly string[];
  readonly scheduler?: boolean;
  readonly apiServerFlags?: readonly string[];
  /** All servers on this core alone, so that whoever they serve does not take their time; on any core when absent. */
  readonly core?: number;
};

export type Servers = {
  readonly startAll: () => Promise<void>;
  readonly killApiServer: () => Promise<void>;
  readonly startApiServer: () => Promise<void>;
  readonly launch: (launch: Launch) => Promise<ServerProcess>;
  /** Those that run now. */
  readonly processes: () => readonly ServerProcess[];
  readonly stopAll: () => Promise<void>;
};

type Server = { readonly name: BinaryName; readonly flags: readonly string[]; readonly readyUrl: string };

// Ready takes 3-4 s on an idle machine with two cores; the rest is room for a busy one.
const readyMsMax = 120_000;

/**
 * The servers share their few cores with everybody whom they serve, and have memory to spare: with Go's own settings the collector takes
 * more than a fifth of the API server's time while 1,000 nodes join. The limit keeps the largest fleets within a machine.
 */
const serverEnvironment = { GOGC: '400', GOMEMLIMIT: '8GiB', ...process.env };

export function createServers(layout: Layout, binDir: string, options: ServerOptions): Servers {
  const watchdog = startWatchdog(layout.dir);
  const running = new Map<BinaryName, ServerProcess>();
  const guests: ServerProcess[] = [];
  const { etcd, apiServer, controllers } = describeServers(layout, options);

  const start = async (server: Server): Promise<void> => {
    if (running.get(server.name)?.isRunning()) return;
    const binary = join(binDir, server.name);
    const logFile = layout.path(`${server.name}.log`);
    const run = onCore(options.core, { command: binary, args: server.flags });
    const process = await launch({ name: server.name, ...run, logFile, env: serverEnvironment }, watchdog);
    running.set(server.name, process);
    await waitUntilReady(process, readyMsMax, () => answersOk(layout, server.readyUrl));
  };
  const stop = async ({ name }: Server): Promise<void> => {
    const process = running.get(name);
    if (process !== undefined) await stopProcess(process);
  };

  return {
    startAll: async () => {
      await start(etcd);
      await start(apiServer);
      await Promise.all(controllers.map(start));
    },
    killApiServer: async () => {
      const process = running.get(apiServer.name);
      process?.kill('SIGKILL');
      await process?.exited;
    },
    startApiServer: () => start(apiServer),
    launch: async (guest) => {
      const process = await launch(guest, watchdog);
      guests.push(process);
      return process;
    },
    processes: () => [...running.values(), ...guests].filter((process) => process.isRunning()),
    // Clients before what they talk to, so that none spends its grace period on retries.
    stopAll: async () => {
      await Promise.all([...guests.map(stopProcess), ...controllers.map(stop)]);
      await stop(apiServer);
      await stop(etcd);
      await watchdog.finish();
    },
  };
}

type Run = Pick<Launch, 'command' | 'args'>;

function onCore(core: number | undefined, run: Run): Run {
  const { command, args } = run;
  return core === undefined ? run : { command: 'taskset', args: ['-c', String(core), command, ...args] };
}

function describeServers(layout: Layout, options: ServerOptions) {
  const { ports, url } = layout;
  const etcd: Server = {
    name: 'etcd',
    flags: etcdFlags(layout),
    readyUrl: `http://127.0.0.1:${ports.etcd}/readyz`,
  };
  const apiServer: Server = {
    name: 'kube-apiserver',
    flags: [...apiServerFlags(layout), ...(options.apiServerFlags ?? [])],
    readyUrl: `${url}/readyz`,
  };
  const controllerManager: Server = {
    name: 'kube-controller-manager',
    flags: controllerManagerFlags(layout, options.controllers ?? defaultControllers),
    readyUrl: `https://127.0.0.1:${ports.controllerManager}/healthz`,
  };
  const scheduler: Server = {
    name: 'kube-scheduler',
    flags: schedulerFlags(layout),
    readyUrl: `https://127.0.0.1:${ports.scheduler}/healthz`,
  };
  return {
    etcd,
    apiServer,
    controllers: options.scheduler === false ? [controllerManager] : [controllerManager, scheduler],
  };
}

// A connection refused is an answer too: not yet.
async function answersOk({ authority, admin }: Layout, url: string): Promise<boolean> {
  if (url.startsWith('http:'))
    return fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
  const endpoint = { url, ca: authority.certificate, identity: admin };
  return send(endpoint, { method: 'GET', path: new URL(url).pathname, timeoutMs: 5_000 }).then(
    ({ status }) => status === 200,
    () => false,
  );
}
