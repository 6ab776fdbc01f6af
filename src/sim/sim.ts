// The rest of the world around an API server: kubelets, their pods, and, where nobody else plays them, the scheduler and the
// controllers that nodes need. Put together from parts that share one agenda and one watch per kind.

import type { Clock } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Random } from '../base/random.ts';
import { leaseType, nodeType, podType, type ResourceType } from '../objects/ref.ts';
import { Agenda } from './agenda.ts';
import { Binder } from './binder.ts';
import type { Processes } from './child-processes.ts';
import type { ResolveImage } from './container-command.ts';
import { type PlannedPool, plannedNodes } from './fleet-plan.ts';
import type { TellHappening } from './happening.ts';
import { Kubelets } from './kubelets.ts';
import { Mirror } from './mirror.ts';
import { NodeController } from './node-controller.ts';
import { nodeLeaseNamespace } from './node-shape.ts';
import type { PodLogs } from './pod-logs.ts';
import { Pods } from './pods.ts';
import type { Stage } from './stage.ts';
import { TaintEviction } from './taint-eviction.ts';
import { daemonSetType, deploymentType, Workloads } from './workloads.ts';
import type { WorldApi } from './world-api.ts';

export type SimOptions = {
  readonly api: WorldApi;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly pools: readonly PlannedPool[];
  readonly stages: readonly Stage[];
  readonly processes: Processes;
  readonly resolveImage: ResolveImage;
  readonly logs: PodLogs;
  readonly tell: TellHappening;
  /** Which parts of a control plane to play; `ask` looks for the leases of the real ones first. */
  readonly controllers: 'all' | 'none' | 'ask';
};

export type Sim = {
  readonly nodes: Mirror;
  readonly pods: Mirror;
  /** Ends every process at once and says nothing more; the nodes stay as they are. */
  stop(): void;
};

type Watched = Readonly<Record<'nodes' | 'pods' | 'leases' | 'daemonSets' | 'deployments', Mirror>>;

export async function startSim(options: SimOptions): Promise<Sim> {
  const agenda = new Agenda(options.clock);
  const watched = mirrorsOf(options);
  const parts = { ...options, ...watched, agenda };
  const nodeStages = options.stages.filter((stage) => stage.of === 'Node');
  const podStages = options.stages.filter((stage) => stage.of === 'Pod');
  const kubelets = new Kubelets({ ...parts, planned: plannedNodes(options.pools), stages: nodeStages });
  const pods = new Pods({ ...parts, kubelets, stages: podStages });
  const played = await playedParts(options);
  const controllers = [
    ...(played.isManager ? [new NodeController(parts), new TaintEviction(parts)] : []),
    ...(played.areWorkloads ? [new Workloads(parts)] : []),
    ...(played.isScheduler ? [new Binder(parts)] : []),
  ];
  const needed = [
    watched.nodes,
    watched.pods,
    ...(played.isManager ? [watched.leases] : []),
    ...(played.areWorkloads ? [watched.daemonSets, watched.deployments] : []),
  ];
  await Promise.all(needed.map((mirror) => mirror.start()));
  for (const part of [kubelets, pods, ...controllers]) part.start();
  return {
    nodes: watched.nodes,
    pods: watched.pods,
    stop() {
      agenda.stop();
      for (const mirror of needed) mirror.stop();
      options.processes.stopAll();
    },
  };
}

function mirrorsOf({ api, clock, random, log }: SimOptions): Watched {
  const mirror = (type: ResourceType, namespace = '') =>
    new Mirror({ api, clock, random, log, selection: { type, ...(namespace === '' ? {} : { namespace }) } });
  return {
    nodes: mirror(nodeType),
    pods: mirror(podType),
    leases: mirror(leaseType, nodeLeaseNamespace),
    daemonSets: mirror(daemonSetType),
    deployments: mirror(deploymentType),
  };
}

type Played = {
  /** What nodes need of a controller manager. */
  readonly isManager: boolean;
  readonly areWorkloads: boolean;
  readonly isScheduler: boolean;
};

/**
 * Two that do the same and do not know of each other would fight, so a real one is looked for by its Lease. A manager that elects nobody
 * has none, and need not have the controllers of nodes; what every manager leaves in each namespace is the certificate of the API server.
 */
async function playedParts({ api, controllers }: SimOptions): Promise<Played> {
  const isAbsent = async (type: ResourceType, name: string) => {
    if (controllers !== 'ask') return controllers === 'all';
    const found = await api.get({ type, namespace: 'kube-system', name });
    return found.kind === 'error' && found.error.reason === 'NotFound';
  };
  const isManager = await isAbsent(leaseType, 'kube-controller-manager');
  return {
    isManager,
    areWorkloads: isManager && (await isAbsent(configMapType, 'kube-root-ca.crt')),
    isScheduler: await isAbsent(leaseType, 'kube-scheduler'),
  };
}

const configMapType: ResourceType = {
  group: '',
  version: 'v1',
  plural: 'configmaps',
  kind: 'ConfigMap',
  scope: 'Namespaced',
};
