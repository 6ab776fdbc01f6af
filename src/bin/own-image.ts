// Which images are Muster's own, and so run here as processes of this very build.

import { realpathSync } from 'node:fs';
import { isIP } from 'node:net';
import type { ResolveImage } from '../sim/container-command.ts';

/** `muster`, `registry.example/team/muster:0.1.0`: by the last word of the repository, whatever registry and tag. */
export function ownImage(script: string = process.argv[1] ?? ''): ResolveImage {
  const argv = [process.execPath, realpathSync(script)];
  return (image) => {
    const [repository = ''] = (image.split('/').at(-1) ?? '').split(/[:@]/);
    return repository === 'muster' ? { argv, names: ['muster', '/usr/local/bin/muster'] } : null;
  };
}

/** What a process of a pod inherits: where programs are, the cluster it belongs to, and its API server as a kubelet names it. */
export function podEnvironment(kubeconfig: string, server: string): Readonly<Record<string, string>> {
  const { PATH = '', HOME = '', TMPDIR } = process.env;
  return {
    PATH,
    HOME,
    ...(TMPDIR === undefined ? {} : { TMPDIR }),
    KUBECONFIG: kubeconfig,
    ...serviceOf(server),
  };
}

/** In a cluster it is always an address: where ours is known by a name only, nothing is said. */
function serviceOf(server: string): Readonly<Record<string, string>> {
  const { hostname, port, protocol } = new URL(server);
  const address = hostname.replaceAll(/[[\]]/g, '');
  if (isIP(address) === 0) return {};
  return {
    KUBERNETES_SERVICE_HOST: address,
    KUBERNETES_SERVICE_PORT: port || (protocol === 'https:' ? '443' : '80'),
  };
}
