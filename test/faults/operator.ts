// The operator as production puts it together, on the ports of one simulated instance. Loaded once as it is, and once more for
// every mutant: so it holds nothing but the composition.

import type { Log } from '../../src/base/log.ts';
import { silentMetrics } from '../../src/base/metrics.ts';
import type { Clock } from '../../src/base/clock.ts';
import type { Random } from '../../src/base/random.ts';
import { wireOperator } from '../../src/bin/wire.ts';
import { createReadiness } from '../../src/capabilities/readiness/capability.ts';
import { createVerification } from '../../src/capabilities/verification/capability.ts';
import type { NodeCapability } from '../../src/runtime/capability.ts';
import { noFlags } from '../../src/runtime/gating-policy.ts';
import type { KubeApi } from '../../src/runtime/ports.ts';
import { lifecycleSpec, nodeSpec } from '../../src/runtime/specs.ts';
import { stampCapability } from '../support/stamp-capability.ts';
import type { CapabilityName } from './scenario.ts';
import { workerTemplate } from './workers.ts';

export type Launch = {
  readonly api: KubeApi;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly capability: CapabilityName;
  readonly identity: string;
  readonly lease: { readonly namespace: string; readonly name: string } | null;
  readonly onLost: (reason: string) => void;
};

export type Launched = {
  stop(): Promise<void>;
  isReady(): boolean;
  /** Nodes in the central state. */
  nodeStates(): number;
};

export type LaunchOperator = (launch: Launch) => Launched;

/** So seldom that no run is saved by it: what is missed must be found without. */
const RESYNC_MS = 6 * 3_600_000;

const centre = { nodes: nodeSpec, lifecycles: lifecycleSpec };

const capabilities: Readonly<Record<CapabilityName, () => NodeCapability>> = {
  stamp: () => stampCapability(),
  readiness: () => createReadiness({ centre }),
  verification: () => createVerification({ centre, template: workerTemplate }),
};

export const launchOperator: LaunchOperator = (launch) => {
  const operator = wireOperator({
    ...launch,
    metrics: silentMetrics,
    ...(launch.capability === 'readiness' ? { gatingFlags: noFlags } : {}),
    capabilities: [capabilities[launch.capability]()],
    poolLabels: ['pool'],
    resyncMs: RESYNC_MS,
  });
  operator.start();
  return {
    stop: () => operator.stop(),
    isReady: () => operator.centre.isReady(),
    nodeStates: () => operator.store.count(),
  };
};
