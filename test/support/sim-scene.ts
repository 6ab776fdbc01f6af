// A simulated world around an embedded API server, in process and under a manual clock: no socket, no real time.

import path from 'node:path';
import { createInProcessKubeApi } from '../../src/apiserver/kube-api.ts';
import { silentLog } from '../../src/base/log.ts';
import { seededRandom } from '../../src/base/random.ts';
import { readStages, type StageSet } from '../../src/bin/stage-files.ts';
import type { RawObject } from '../../src/objects/raw.ts';
import { nodeType, type ObjectRef, podType } from '../../src/objects/ref.ts';
import type { Processes } from '../../src/sim/child-processes.ts';
import type { ResolveImage } from '../../src/sim/container-command.ts';
import { parsePools } from '../../src/sim/fleet-plan.ts';
import type { Happening } from '../../src/sim/happening.ts';
import { PodLogs } from '../../src/sim/pod-logs.ts';
import { type Sim, startSim } from '../../src/sim/sim.ts';
import type { Stage } from '../../src/sim/stage.ts';
import type { WorldApi } from '../../src/sim/world-api.ts';
import { type EmbeddedServer, startEmbeddedServer } from './embedded-server.ts';
import type { ManualClock } from './manual-clock.ts';

export type SimScene = {
  readonly embedded: EmbeddedServer;
  readonly api: WorldApi;
  readonly clock: ManualClock;
  readonly sim: Sim;
  readonly happenings: readonly Happening[];
  readonly logs: PodLogs;
  node(name: string): Promise<Shown>;
  pod(name: string): Promise<Shown>;
  createPod(name: string, pod?: PodShape): Promise<void>;
  /** Asks for a stage by annotation, as a person does. */
  play(node: string, stage: string): Promise<void>;
};

// oxlint-disable-next-line typescript/no-explicit-any -- a test reads objects of every kind
export type Shown = any;

export type PodShape = {
  readonly spec?: Readonly<Record<string, unknown>>;
  readonly container?: Readonly<Record<string, unknown>>;
  readonly annotations?: Readonly<Record<string, string>>;
};

export type SceneOptions = {
  readonly pools?: string;
  readonly sets?: readonly StageSet[];
  readonly seed?: number;
  readonly processes?: Processes;
  readonly resolveImage?: ResolveImage;
  readonly wrap?: (api: WorldApi) => WorldApi;
  readonly controllers?: 'all' | 'none' | 'ask';
  /** What is there before the world begins. */
  readonly before?: (api: WorldApi) => Promise<unknown>;
};

const noProcesses: Processes = {
  start() {
    throw new Error('no process may be started in this scene');
  },
  stopAll() {},
};

const folder = path.resolve(import.meta.dirname, '../../src/sim/stages');

export async function builtInStagesOf(sets: readonly StageSet[]): Promise<readonly Stage[]> {
  const stages = await readStages(sets.map((set) => path.join(folder, set)));
  if (stages.kind === 'error') throw new Error(JSON.stringify(stages.error));
  return stages.value;
}

export async function startSimScene(options: SceneOptions = {}): Promise<SimScene> {
  const embedded = startEmbeddedServer();
  const inProcess: WorldApi = createInProcessKubeApi(embedded.server);
  const api = options.wrap?.(inProcess) ?? inProcess;
  await options.before?.(inProcess);
  const happenings: Happening[] = [];
  const pools = parsePools(options.pools ?? 'general=3');
  if (pools.kind === 'error') throw new Error(pools.error);
  const logs = new PodLogs(embedded.clock);
  const sim = await startSim({
    api,
    clock: embedded.clock,
    random: seededRandom(options.seed ?? 1),
    log: silentLog,
    pools: pools.value,
    stages: await builtInStagesOf(options.sets ?? ['world']),
    processes: options.processes ?? noProcesses,
    resolveImage: options.resolveImage ?? (() => null),
    logs,
    tell: (happening) => happenings.push(happening),
    controllers: options.controllers ?? 'all',
  });
  const show = async (ref: ObjectRef): Promise<Shown> => {
    const answer = await inProcess.get(ref);
    return answer.kind === 'ok' ? answer.value : null;
  };
  const nodeRef = (name: string): ObjectRef => ({ type: nodeType, namespace: '', name });
  const podRef = (name: string): ObjectRef => ({ type: podType, namespace: 'default', name });
  return {
    embedded,
    api,
    clock: embedded.clock,
    sim,
    happenings,
    logs,
    node: (name) => show(nodeRef(name)),
    pod: (name) => show(podRef(name)),
    async createPod(name, shape = {}) {
      const answer = await inProcess.create(podRef(name), podBody(name, shape));
      if (answer.kind === 'error') throw new Error(answer.error.message);
    },
    async play(name, stage) {
      const body = { metadata: { annotations: { 'sim.muster.dev/play': stage } } };
      await inProcess.patch(nodeRef(name), { kind: 'merge', body });
    },
  };
}

function podBody(name: string, { spec, container, annotations }: PodShape): RawObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'default', ...(annotations === undefined ? {} : { annotations }) },
    spec: {
      restartPolicy: 'Never',
      containers: [{ name: 'main', image: 'example/app:1', ...container }],
      ...spec,
    },
  };
}
