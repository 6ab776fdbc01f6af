// Muster's own way: HTTP client, reflector and cache as the operator puts them together, with the projection of the operator.

import { systemClock } from '../../../src/base/clock.ts';
import { silentLog } from '../../../src/base/log.ts';
import { type Metrics, silentMetrics } from '../../../src/base/metrics.ts';
import { systemRandom } from '../../../src/base/random.ts';
import { createCaches } from '../../../src/kube/caches.ts';
import { connectKubeApi } from '../../../src/kube/connect.ts';
import { nodeCommands, nodeFiles } from '../../../src/kube/host-ports.ts';
import { nodeSpec } from '../../../src/runtime/specs.ts';
import { type Follow, measure } from '../measure.ts';
import type { Target } from '../messages.ts';

const follow: Follow = (target, heard) => {
  const synced = () => heard.synced(sources.of(nodeSpec).size);
  const metrics = countingRelists(synced);
  const sources = createCaches({ ...world, api: connect(target), specs: [nodeSpec], metrics });
  sources.onSynced(synced);
  sources.subscribe(nodeSpec, (change) => {
    if (change.kind === 'updated') heard.changed(change.now.resourceVersion);
  });
  sources.start();
};

const world = { clock: systemClock, random: systemRandom, log: silentLog };

/** A cache says only once that it is synced; each further full sync is counted when it is complete. */
function countingRelists(add: () => void): Metrics {
  const ofRelists = { add, remove() {} };
  const ofOthers = { add() {}, remove() {} };
  return {
    ...silentMetrics,
    counter: ({ name }) => (name === 'muster_relists_total' ? ofRelists : ofOthers),
  };
}

function connect({ server, ca, protocol }: Target) {
  const connection = {
    server,
    ca: { kind: 'inline', text: ca },
    insecureSkipTlsVerify: false,
    tlsServerName: null,
    proxyUrl: null,
    credentials: { certificate: null, token: { kind: 'token', token: 'bench' } },
    namespace: 'default',
  } as const;
  const { api } = connectKubeApi(connection, {
    ...world,
    protocol,
    metrics: silentMetrics,
    userAgent: 'muster-bench',
    fieldManager: 'muster-bench',
    files: nodeFiles,
    commands: nodeCommands,
    environment: {},
    isInteractive: false,
  });
  return api;
}

measure(follow);
