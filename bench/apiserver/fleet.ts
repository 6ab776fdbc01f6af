// What the server holds: a fleet of nodes as a large cluster has them, a lease and a record of its life for each.

import { crdManifest } from '../../src/api/crd.ts';
import { kinds } from '../../src/api/kinds.ts';
import { nodeLifecycleKind } from '../../src/api/node-lifecycle.ts';
import type { ApiServer } from '../../src/apiserver/api-server.ts';
import { formatMicroTime } from '../../src/base/timestamp.ts';
import type { RawObject } from '../../src/objects/raw.ts';
import {
  customResourceDefinitionType,
  leaseType,
  nodeType,
  type ResourceType,
} from '../../src/objects/ref.ts';
import { generateNode } from '../sync/nodes.ts';

const seed = 1;
const leaseNamespace = 'kube-node-lease';

/** The kinds of Muster, as their manifests say them. */
export const definitions: readonly RawObject[] = kinds.map(
  (kind) => JSON.parse(JSON.stringify(crdManifest(kind))) as RawObject,
);

export function install(server: ApiServer): void {
  for (const body of definitions) add(server, customResourceDefinitionType, { body });
}

export type Member = { readonly node: RawObject; readonly lease: RawObject; readonly record: RawObject };

export function* membersOf(nodes: number): Iterable<Member> {
  for (let index = 0; index < nodes; index += 1) {
    const node = nodeOf(index);
    const name = nodeName(index);
    const record = recordOf(name, node.metadata?.uid ?? '');
    yield { node, lease: leaseOf(name, { renewedMs: 0 }), record };
  }
}

/** The kinds of Muster are installed already. */
export function fill(server: ApiServer, members: Iterable<Member>): void {
  for (const { node, lease, record } of members) {
    add(server, nodeType, { body: node });
    add(server, leaseType, { body: lease, namespace: leaseNamespace });
    add(server, nodeLifecycleKind.type, { body: record });
  }
}

export function nodeName(index: number): string {
  return `ip-10-${index >> 16}-${(index >> 8) & 255}-${index & 255}.eu-central-1.compute.internal`;
}

/** As its kubelet registers it. Through JSON, because strings that were put together in memory are kept in pieces. */
function nodeOf(index: number): RawObject {
  const node = generateNode({ seed, index });
  const { resourceVersion: _, ...metadata } = node.metadata ?? {};
  return JSON.parse(JSON.stringify({ ...node, metadata })) as RawObject;
}

type Renewal = { readonly renewedMs: number; readonly resourceVersion?: string };

export function leaseOf(name: string, { renewedMs, resourceVersion }: Renewal): RawObject {
  return {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: {
      name,
      namespace: leaseNamespace,
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
    },
    spec: {
      holderIdentity: name,
      leaseDurationSeconds: 40,
      renewTime: formatMicroTime(renewedMs),
    },
  };
}

function recordOf(name: string, nodeUID: string): RawObject {
  return {
    apiVersion: 'muster.dev/v1alpha1',
    kind: 'NodeLifecycle',
    metadata: { name },
    spec: { nodeName: name, nodeUID },
  };
}

type Added = { readonly body: RawObject; readonly namespace?: string };

function add(server: ApiServer, type: ResourceType, { body, namespace = '' }: Added): void {
  const definition = server.registry.find(type);
  if (definition === undefined) throw new Error(`${type.plural} are not served`);
  const options = { isDryRun: false, fieldValidation: 'Ignore' } as const;
  const outcome = server.resources.create({ definition, namespace, name: '' }, { body, options });
  if (outcome.kind === 'error') throw new Error(`the server refused ${type.kind}: ${outcome.error.message}`);
}
