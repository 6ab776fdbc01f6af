// The target that defines the truth: a real kube-apiserver with etcd and its controllers.

import { readFile } from 'node:fs/promises';
import { type ControlPlane, startControlPlane } from '../control-plane/control-plane.ts';
import { type HttpAccess, httpTarget } from './http-target.ts';
import type { Feature, RunningTarget, TargetSource } from './target.ts';

const has: ReadonlySet<Feature> = new Set<Feature>([
  'kubectl',
  'openapi',
  'server-side-apply',
  'garbage-collection',
  'namespace-termination',
  'default-service-account',
  'service-account-tokens',
  'pods',
  'yaml',
  'expiry',
]);

export const realTarget: TargetSource = { name: 'kube-apiserver', has, start };

async function start(): Promise<RunningTarget> {
  // Without a scheduler: unbound pods stay unbound, and nothing writes conditions into them.
  const plane = await startControlPlane({ scheduler: false });
  const http = httpTarget(await accessTo(plane));
  return {
    name: realTarget.name,
    has,
    ...http,
    kubectl: (args, options = {}) => plane.kubectl(args, options),
    forgetHistory: async () => {
      await plane.compactEtcd();
      await plane.killApiServer();
      await plane.startApiServer();
    },
    stop: async () => {
      http.close();
      await plane.stop();
    },
  };
}

async function accessTo(plane: ControlPlane): Promise<HttpAccess> {
  const config: unknown = JSON.parse(await readFile(plane.adminKubeconfig, 'utf8'));
  const { users } = config as {
    readonly users: readonly { readonly user: Readonly<Record<string, string>> }[];
  };
  const decoded = (field: string) => Buffer.from(users[0]?.user[field] ?? '', 'base64').toString();
  return {
    url: plane.url,
    ca: await readFile(plane.caFile, 'utf8'),
    identity: {
      kind: 'certificate',
      certificate: decoded('client-certificate-data'),
      key: decoded('client-key-data'),
    },
  };
}
