// The target that defines the truth: a real kube-apiserver with etcd and its controllers.

import { readFile } from 'node:fs/promises';
import { type ControlPlane, startControlPlane } from '../control-plane/control-plane.ts';
import { type HttpAccess, httpTarget } from './http-target.ts';
import type { Feature, RunningTarget, TargetSource } from './target.ts';

const has: ReadonlySet<Feature> = new Set(['kubectl']);

const controllers = [
  'garbage-collector-controller',
  'namespace-controller',
  'root-ca-certificate-publisher-controller',
  'serviceaccount-controller',
  'serviceaccount-token-controller',
];

export const realTarget: TargetSource = { name: 'kube-apiserver', has, accepted: [], start };

async function start(): Promise<RunningTarget> {
  // Without a scheduler and without those controllers that write into pods: nothing happens to an object but what a case does.
  const plane = await startControlPlane({ scheduler: false, controllers });
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
