// The embedded server as a target of the suite: in this process, on a free port of loopback, with the schemas it is shipped with.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ApiServer, createApiServer } from '../../src/apiserver/api-server.ts';
import { createFront } from '../../src/apiserver/http/front.ts';
import { listen } from '../../src/apiserver/http/listen.ts';
import { checkDefinition } from '../../src/apiserver/schema/check-definition.ts';
import { compileSchema } from '../../src/apiserver/schema/compile-schema.ts';
import { shareSchemas } from '../../src/apiserver/shared-schemas.ts';
import { systemClock } from '../../src/base/clock.ts';
import { silentLog } from '../../src/base/log.ts';
import { systemRandom } from '../../src/base/random.ts';
import { runKubectl } from '../control-plane/access.ts';
import { ensureBinaries } from '../control-plane/build.ts';
import { acceptedOfEmbedded } from './accepted.ts';
import { httpTarget } from './http-target.ts';
import type { RunningTarget, TargetSource } from './target.ts';

const name = 'the embedded server';
const accepted = acceptedOfEmbedded;

/** For `npm test`, which has nothing but npm. */
export const embeddedTarget: TargetSource = {
  name,
  has: new Set(),
  accepted,
  start: () => start(embeddedTarget, null),
};

type EmbeddedTarget = RunningTarget & { readonly server: ApiServer };
type EmbeddedSource = Omit<TargetSource, 'start'> & { readonly start: () => Promise<EmbeddedTarget> };

/** With the kubectl that is built for the real control plane. */
export const embeddedTargetWithKubectl: EmbeddedSource = {
  name,
  has: new Set(['kubectl']),
  accepted,
  start: async () => start(embeddedTargetWithKubectl, join(await ensureBinaries(() => undefined), 'kubectl')),
};

async function start({ has }: Pick<TargetSource, 'has'>, kubectl: string | null): Promise<EmbeddedTarget> {
  const server = createApiServer({
    clock: systemClock,
    random: systemRandom,
    schemas: shareSchemas({ checkDefinition, compileSchema: (schema) => compileSchema(schema) }),
  });
  const options = { host: '127.0.0.1', port: 0, tls: null, clock: systemClock, log: silentLog };
  const listening = await listen(createFront(server, { token: null }), options);
  const http = httpTarget({ url: listening.url });
  const home = await mkdtemp(join(tmpdir(), 'muster-embedded-'));
  await writeFile(join(home, 'kubeconfig'), kubeconfigOf(listening.url));
  return {
    name,
    server,
    has,
    ...http,
    kubectl: (args, options = {}) =>
      runKubectl({ binary: kubectl ?? 'kubectl', home, kubeconfig: join(home, 'kubeconfig') }, args, options),
    forgetHistory: async () => server.store.compact(),
    stop: async () => {
      http.close();
      await listening.close();
      server.stop();
      await rm(home, { recursive: true });
    },
  };
}

function kubeconfigOf(server: string): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'embedded', cluster: { server } }],
    users: [{ name: 'anybody', user: {} }],
    contexts: [{ name: 'embedded', context: { cluster: 'embedded', user: 'anybody' } }],
    'current-context': 'embedded',
  });
}
