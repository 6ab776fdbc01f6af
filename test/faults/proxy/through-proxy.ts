// Turns a kubeconfig into one that leads through the proxy, in place.

import { readFile, writeFile } from 'node:fs/promises';
import type { FaultProxy } from './fault-proxy.ts';

export async function throughProxy(
  kubeconfig: string,
  url: string,
  { url: proxyUrl, ca }: Pick<FaultProxy, 'url' | 'ca'>,
): Promise<void> {
  const config = JSON.parse(await readFile(kubeconfig, 'utf8')) as {
    clusters: { cluster: { server: string; 'certificate-authority-data': string } }[];
  };
  for (const { cluster } of config.clusters) {
    cluster.server = cluster.server.replace(url, proxyUrl);
    cluster['certificate-authority-data'] = Buffer.from(ca).toString('base64');
  }
  await writeFile(kubeconfig, JSON.stringify(config));
}
