// What the control plane is made of and how each binary is built. Versions stand in toolchain/*/go.mod and
// nowhere else: to move to another one, change it there, run `go mod tidy` in that folder, commit go.sum.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const serverNames = [
  'etcd',
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'kubectl',
] as const;

/** What a folder of ready-made binaries must hold; helm is needed by the chart's tests alone. */
export const requiredNames: readonly BinaryName[] = serverNames;

export type BinaryName = (typeof serverNames)[number] | 'helm';

export type Recipe = {
  readonly name: BinaryName;
  readonly version: string;
  readonly package: string;
  readonly moduleDir: string;
  readonly linkerFlags: string;
  /** For people who wait: measured on two cores with nothing cached. */
  readonly coldBuild: string;
};

const toolchainDir = join(import.meta.dirname, 'toolchain');

export function readRecipes(): readonly Recipe[] {
  const kubernetes = versionOf('kubernetes', 'k8s.io/kubernetes');
  return [
    etcd(versionOf('etcd', 'go.etcd.io/etcd/server/v3')),
    kubernetesCommand('kube-apiserver', kubernetes, 'about 5 minutes'),
    kubernetesCommand('kube-controller-manager', kubernetes, 'about 90 seconds'),
    kubernetesCommand('kube-scheduler', kubernetes, 'about 10 seconds'),
    kubernetesCommand('kubectl', kubernetes, 'about 30 seconds'),
    helm(versionOf('helm', 'helm.sh/helm/v3'), kubernetes),
  ];
}

function etcd(version: string): Recipe {
  return {
    name: 'etcd',
    version,
    package: 'go.etcd.io/etcd/server/v3',
    moduleDir: join(toolchainDir, 'etcd'),
    linkerFlags: '-s -w',
    coldBuild: 'about 1 minute',
  };
}

// Without these values every client is told v0.0.0 and helm refuses charts that name a Kubernetes version.
function kubernetesCommand(name: BinaryName, version: string, coldBuild: string): Recipe {
  const { major, minor } = majorMinor(version);
  const target = 'k8s.io/component-base/version';
  return {
    name,
    version,
    package: `k8s.io/kubernetes/cmd/${name}`,
    moduleDir: join(toolchainDir, 'kubernetes'),
    linkerFlags: `-s -w -X ${target}.gitVersion=${version} -X ${target}.gitMajor=${major} -X ${target}.gitMinor=${minor}`,
    coldBuild,
  };
}

// The chart is rendered for the Kubernetes version the tests run on, also by `helm template`, which sees no server.
function helm(version: string, kubernetes: string): Recipe {
  const { major, minor } = majorMinor(kubernetes);
  const renderedFor = 'helm.sh/helm/v3/pkg/chartutil.k8sVersion';
  return {
    name: 'helm',
    version,
    package: 'helm.sh/helm/v3/cmd/helm',
    moduleDir: join(toolchainDir, 'helm'),
    linkerFlags: `-s -w -X helm.sh/helm/v3/internal/version.version=${version} -X ${renderedFor}Major=${major} -X ${renderedFor}Minor=${minor}`,
    coldBuild: 'about 100 seconds',
  };
}

function versionOf(folder: string, modulePath: string): string {
  const file = join(toolchainDir, folder, 'go.mod');
  const words = readFileSync(file, 'utf8').split(/\s+/);
  const version = words.find((word, index) => words[index - 1] === modulePath && word.startsWith('v'));
  if (version === undefined) throw new Error(`${file} requires no version of ${modulePath}`);
  return version;
}

function majorMinor(version: string): { readonly major: string; readonly minor: string } {
  const [, major, minor] = /^v(\d+)\.(\d+)\./.exec(version) ?? [];
  if (major === undefined || minor === undefined) throw new Error(`${version} is not a version like v1.2.3`);
  return { major, minor };
}
