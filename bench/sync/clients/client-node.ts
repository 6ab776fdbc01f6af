// The informer of the official JavaScript client, as its documentation shows it: the comparison, never a part of the product.

import { CoreV1Api, KubeConfig, makeInformer } from '@kubernetes/client-node';
import { type Follow, measure } from '../measure.ts';
import type { Target } from '../messages.ts';

const follow: Follow = (target, heard) => {
  const config = configOf(target);
  const core = config.makeApiClient(CoreV1Api);
  const list = async () => {
    const nodes = await core.listNode();
    // The informer takes the list over as soon as it has it, which is before the next turn of the event loop.
    setImmediate(() => heard.synced(nodes.items.length));
    return nodes;
  };
  const informer = makeInformer(config, '/api/v1/nodes', list);
  informer.on('update', ({ metadata }) => heard.changed(metadata?.resourceVersion ?? ''));
  informer.on('error', (cause: unknown) => {
    throw new Error('the informer stopped', { cause });
  });
  void informer.start();
};

function configOf({ server, ca }: Target): KubeConfig {
  const config = new KubeConfig();
  const caData = Buffer.from(ca).toString('base64');
  config.loadFromClusterAndUser(
    { name: 'bench', server, caData, skipTLSVerify: false },
    { name: 'bench', token: 'bench' },
  );
  return config;
}

measure(follow);
