// The whole HTTP client, from KubeApi down to the socket, connected to a scripted server under a manual clock.
import type { Counter, Metrics } from '../../src/base/metrics.ts';
import { silentMetrics } from '../../src/base/metrics.ts';
import { seededRandom } from '../../src/base/random.ts';
import { silentLog } from '../../src/base/log.ts';
import type { ClusterConnection } from '../../src/kube/cluster-connection.ts';
import { type ConnectOptions, connectKubeApi } from '../../src/kube/connect.ts';
import { nodeCommands, nodeFiles } from '../../src/kube/host-ports.ts';
import type { KubeApi } from '../../src/runtime/ports.ts';
import { type ManualClock, manualClock } from './manual-clock.ts';
import { type Protocols, type Script, type ScriptedServer, startScriptedServer } from './scripted-server.ts';

export type KubeApiOverHttp = {
  readonly api: KubeApi;
  readonly server: ScriptedServer;
  readonly clock: ManualClock;
  /** What was counted, as `verb resource code`. */
  readonly counted: readonly string[];
  readonly close: () => Promise<void>;
};

export type Changes = {
  readonly protocols?: Protocols;
  readonly connection?: Partial<ClusterConnection>;
  readonly options?: Partial<ConnectOptions>;
};

export async function startKubeApiOverHttp(script: Script, changes: Changes = {}): Promise<KubeApiOverHttp> {
  const clock = manualClock();
  const server = await startScriptedServer({ protocols: changes.protocols ?? 'h2-and-http1' }, script);
  const counted: string[] = [];
  const connection: ClusterConnection = {
    server: server.url,
    ca: { kind: 'inline', text: server.authority.certificate },
    insecureSkipTlsVerify: false,
    tlsServerName: null,
    proxyUrl: null,
    credentials: { certificate: null, token: { kind: 'none' } },
    namespace: 'default',
    ...changes.connection,
  };
  const { api, close } = connectKubeApi(connection, {
    clock,
    random: seededRandom(1),
    log: silentLog,
    metrics: counting(counted),
    files: nodeFiles,
    commands: nodeCommands,
    environment: {},
    isInteractive: false,
    userAgent: 'muster/test',
    fieldManager: 'muster',
    protocol: 'auto',
    ...changes.options,
  });
  return {
    api,
    server,
    clock,
    counted,
    async close() {
      close();
      await server.close();
    },
  };
}

function counting(counted: string[]): Metrics {
  const counter: Counter = {
    add: (labels = {}) => counted.push(`${labels['verb']} ${labels['resource']} ${labels['code']}`),
    remove() {},
  };
  return { ...silentMetrics, counter: () => counter };
}
