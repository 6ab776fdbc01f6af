// The embedded API server on a port of loopback, with our kinds and the namespace of the operator and nothing else.

import { crdManifest } from '../../src/api/crd.ts';
import { kinds } from '../../src/api/kinds.ts';
import { systemNamespace } from '../../src/api/keys.ts';
import { createApiServer } from '../../src/apiserver/api-server.ts';
import { createFront } from '../../src/apiserver/http/front.ts';
import { listen } from '../../src/apiserver/http/listen.ts';
import { createInProcessKubeApi } from '../../src/apiserver/kube-api.ts';
import { namespaceType } from '../../src/apiserver/registry/kinds/namespace.ts';
import { checkDefinition } from '../../src/apiserver/schema/check-definition.ts';
import { compileSchema } from '../../src/apiserver/schema/compile-schema.ts';
import { systemClock } from '../../src/base/clock.ts';
import { silentLog } from '../../src/base/log.ts';
import { systemRandom } from '../../src/base/random.ts';
import { customResourceDefinitionType, resourceName } from '../../src/objects/ref.ts';

export type ServedCluster = {
  readonly api: ReturnType<typeof createInProcessKubeApi>;
  readonly url: string;
  /** Once is enough, twice does no harm. */
  close(): Promise<void>;
};

export async function startServedCluster(): Promise<ServedCluster> {
  const schemas = { checkDefinition, compileSchema: (schema: unknown) => compileSchema(schema) };
  const server = createApiServer({ clock: systemClock, random: systemRandom, schemas });
  const api = createInProcessKubeApi(server);
  const insist = async (made: ReturnType<typeof api.create>) => {
    const answer = await made;
    if (answer.kind === 'error') throw new Error(answer.error.message);
  };
  for (const kind of kinds) {
    const ref = { type: customResourceDefinitionType, namespace: '', name: resourceName(kind.type) };
    await insist(api.create(ref, crdManifest(kind)));
  }
  const metadata = { name: systemNamespace };
  await insist(api.create({ type: namespaceType, namespace: '', ...metadata }, { metadata }));
  const options = { host: '127.0.0.1', port: 0, tls: null, clock: systemClock, log: silentLog };
  const listening = await listen(createFront(server, { token: null }), options);
  let closing: Promise<void> | null = null;
  return {
    api,
    url: listening.url,
    close() {
      closing ??= listening.close().then(() => server.stop());
      return closing;
    },
  };
}
