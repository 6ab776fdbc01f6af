// Nodes as a large cloud cluster has them: 10.5 to 15 KB of JSON, 12.7 KB on average, a third of it images and a fourth of
// it managed fields. The same seed and index always give the same Node; nothing here reads the clock.

import { seededRandom } from '../../src/base/random.ts';
import { formatTime } from '../../src/base/timestamp.ts';
import type { RawObject } from '../../src/objects/raw.ts';
import { conditionsOf } from './node-conditions.ts';
import { imagesOf } from './node-images.ts';
import { managedFieldsOf } from './node-managed-fields.ts';
import { type Draw, drawFrom } from './draw.ts';

export type NodeSeed = { readonly seed: number; readonly index: number };

const zones = ['eu-central-1a', 'eu-central-1b', 'eu-central-1c'];
const machines = ['m6i.2xlarge', 'm6i.4xlarge', 'c6i.4xlarge', 'r6i.2xlarge', 'm7g.2xlarge', 'g5.xlarge'];
const pools = ['general', 'batch', 'compute', 'memory', 'gpu', 'ingress', 'system', 'spot'];
const kubelets = ['v1.35.4', 'v1.36.2', 'v1.36.3'];

/** Resource versions of the fleet lie just above this; those of later events far above. */
const versionsFrom = 1_000_000;

export function generateNode({ seed, index }: NodeSeed): RawObject {
  const draw = drawFrom(seededRandom(seed * 1_000_003 + index));
  const name = `ip-10-${index >> 16}-${(index >> 8) & 255}-${index & 255}.eu-central-1.compute.internal`;
  const member = {
    index,
    name,
    joinedMs: draw.instant(),
    zone: draw.one(zones),
    machine: draw.one(machines),
    pool: draw.one(pools),
    kubelet: draw.one(kubelets),
  };
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: metadataOf(member, draw),
    spec: specOf(member, draw),
    status: statusOf(member, draw),
  };
}

/** Where the list stands when nothing has changed yet. */
export function listVersion(nodes: number): string {
  return String(versionsFrom + nodes);
}

/** What its other parts are derived from. */
type Member = {
  readonly index: number;
  readonly name: string;
  readonly joinedMs: number;
  readonly zone: string;
  readonly machine: string;
  readonly pool: string;
  readonly kubelet: string;
};

function metadataOf(member: Member, draw: Draw) {
  return {
    name: member.name,
    uid: draw.uuid(),
    resourceVersion: String(versionsFrom + member.index),
    creationTimestamp: formatTime(member.joinedMs),
    labels: labelsOf(member, draw),
    annotations: {
      'alpha.kubernetes.io/provided-node-ip': draw.address(),
      'cluster.example.com/owner': `team-${draw.below(40)}`,
      'cluster.example.com/provisioned-by': 'fleet-controller.cluster-system.svc.cluster.local',
      'csi.volume.kubernetes.io/nodeid': `{"ebs.csi.aws.com":"i-0${draw.hex(16)}","efs.csi.aws.com":"i-0${draw.hex(16)}"}`,
      'karpenter.sh/nodepool-hash': String(draw.below(1e9)).repeat(2),
      'node.alpha.kubernetes.io/ttl': '300',
      'volumes.kubernetes.io/controller-managed-attach-detach': 'true',
    },
    finalizers: ['karpenter.sh/termination'],
    managedFields: managedFieldsOf(draw),
  };
}

function labelsOf({ name, zone, machine, pool, kubelet }: Member, draw: Draw) {
  const [family = '', size = ''] = machine.split('.');
  return {
    'beta.kubernetes.io/arch': 'amd64',
    'beta.kubernetes.io/instance-type': machine,
    'beta.kubernetes.io/os': 'linux',
    'cluster.example.com/cost-centre': `cc-${draw.below(200)}`,
    'cluster.example.com/image': `fleet-${kubelet}-2026.${draw.below(40)}`,
    'cluster.example.com/rack': `rack-${draw.below(400)}`,
    'cluster.example.com/security-profile': 'restricted-2026',
    'failure-domain.beta.kubernetes.io/region': 'eu-central-1',
    'failure-domain.beta.kubernetes.io/zone': zone,
    'k8s.io/cloud-provider-aws': '9c1f0d5a77be4a3fb3c2d86e0a41f755',
    'karpenter.k8s.aws/instance-family': family,
    'karpenter.k8s.aws/instance-size': size,
    'karpenter.sh/capacity-type': draw.one(['on-demand', 'spot']),
    'karpenter.sh/nodepool': pool,
    'karpenter.sh/registered': 'true',
    'kubernetes.io/arch': 'amd64',
    'kubernetes.io/hostname': name,
    'kubernetes.io/os': 'linux',
    'node.kubernetes.io/instance-type': machine,
    'topology.ebs.csi.aws.com/zone': zone,
    'topology.k8s.aws/zone-id': `euc1-az${zones.indexOf(zone) + 1}`,
    'topology.kubernetes.io/region': 'eu-central-1',
    'topology.kubernetes.io/zone': zone,
  };
}

function specOf({ zone, pool }: Member, draw: Draw) {
  const dedicated = { key: 'cluster.example.com/dedicated', value: pool, effect: 'NoSchedule' };
  const startup = { key: 'cluster.example.com/agent-not-ready', effect: 'NoSchedule' };
  const taints = [...(draw.isOnceIn(5) ? [dedicated] : []), ...(draw.isOnceIn(50) ? [startup] : [])];
  return {
    podCIDR: `10.${draw.below(200)}.${draw.below(256)}.0/24`,
    providerID: `aws:///${zone}/i-0${draw.hex(16)}`,
    ...(taints.length === 0 ? {} : { taints }),
  };
}

function statusOf({ index, name, joinedMs, kubelet }: Member, draw: Draw) {
  const resources = {
    cpu: '16',
    'ephemeral-storage': '104845292Ki',
    'hugepages-1Gi': '0',
    'hugepages-2Mi': '0',
    memory: `${32_000_000 + draw.below(900_000)}Ki`,
    pods: '110',
  };
  return {
    capacity: resources,
    allocatable: { ...resources, cpu: '15890m', pods: '105' },
    conditions: conditionsOf(draw, joinedMs),
    addresses: [
      { type: 'InternalIP', address: draw.address() },
      { type: 'InternalDNS', address: name },
      { type: 'Hostname', address: name },
    ],
    daemonEndpoints: { kubeletEndpoint: { Port: 10250 } },
    nodeInfo: {
      machineID: draw.hex(32),
      systemUUID: draw.uuid(),
      bootID: draw.uuid(),
      kernelVersion: '6.12.55-74.119.amzn2023.x86_64',
      osImage: 'Amazon Linux 2023.9.20261014',
      containerRuntimeVersion: 'containerd://2.1.5',
      kubeletVersion: kubelet,
      kubeProxyVersion: '',
      operatingSystem: 'linux',
      architecture: 'amd64',
    },
    images: imagesOf(draw),
    ...(index % 3 === 0 ? { volumesInUse: [`kubernetes.io/csi/ebs.csi.aws.com^vol-0${draw.hex(16)}`] } : {}),
  };
}
