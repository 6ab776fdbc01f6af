// The embedded server as a target of the suite: in this process, on a free port of loopback, with the schemas it is shipped with.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type ApiServer, createApiServer } from '../../src/apiserver/api-server.ts';
import { createFront } from '../../src/apiserver/http/front.ts';
import { listen } from '../../src/apiserver/http/listen.ts';
import { checkDefinition } from '../../src/apiserver/schema/check-definition.ts';
import { compileSchema } from '../../src/apiserver/schema/compile-schema.ts';
import { shareSchemas } from '../../src/apiserver/shared-schemas.ts';
import { systemClock } from '../../src/base/clock.ts';
import { silentLog } from '../../src/base/log.ts';
import { systemRandom } from '../../src/base/random.ts';
import { ensureBinaries } from '../control-plane/build.ts';
import { acceptedOfEmbedded } from './accepted.ts';
import { httpTarget } from './http-target.ts';
import type { RunningTarget, Target, TargetSource } from './target.ts';

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
    kubectl: (args, options = {}) => runKubectl({ binary: kubectl ?? 'kubectl', home }, args, options),
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

async function runKubectl(
  { binary, home }: { readonly binary: string; readonly home: string },
  args: readonly string[],
  { input = '' }: Parameters<Target['kubectl']>[1] & object,
): Promise<string> {
  const env = { ...process.env, HOME: home, KUBECONFIG: join(home, 'kubeconfig') };
  const child = spawn(binary, args, { env });
  // A kubectl that gives up early closes its input; its exit code and words say why.
  child.stdin.on('error', () => undefined).end(input);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  if (code !== 0) throw new Error(`kubectl ${args.join(' ')} exited with ${code}: ${stderr.trim()}`);
  return stdout;
}
