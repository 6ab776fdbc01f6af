import { describe, expect, it } from 'vitest';
import { describeKubeApi } from '../../test/contracts/kube-api.ts';
import { manualClock } from '../../test/support/manual-clock.ts';
import { openSchemas } from '../../test/support/open-schemas.ts';
import { seededRandom } from '../base/random.ts';
import { nodeType } from '../objects/ref.ts';
import type { KubeApi } from '../runtime/ports.ts';
import { createApiServer } from './api-server.ts';
import { createInProcessKubeApi } from './kube-api.ts';

function start() {
  const server = createApiServer({ clock: manualClock(), random: seededRandom(1), schemas: openSchemas });
  const api: KubeApi = createInProcessKubeApi(server);
  return { server, api };
}

const make = async () => ({ api: start().api, namespace: 'default', cleanUp: async () => undefined });

describeKubeApi('the embedded server in process', make, { lacks: ['apply'] });

describe('two servers with the same seed', () => {
  it('give the same identities to the same objects', async () => {
    const born = await Promise.all(
      [start(), start()].map(({ api }) =>
        api.create({ type: nodeType, namespace: '', name: 'a' }, { metadata: { name: 'a' } }),
      ),
    );
    expect(born[0]).toMatchObject({ kind: 'ok' });
    expect(born[0]).toEqual(born[1]);
  });
});
