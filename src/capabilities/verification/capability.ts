// Verification: wiring of the functions around it. What it decides is in decide.ts and policies/, which pods there are in the
// reporter of workers.

import { type Metrics, silentMetrics } from '../../base/metrics.ts';
import type { NodeCapability } from '../../runtime/capability.ts';
import { conditionReporter } from './condition-reporter.ts';
import { createHostCounts } from './control-hosts.ts';
import { controlsReporter } from './controls-reporter.ts';
import { decide } from './decide.ts';
import { type Facts, gather } from './gather.ts';
import { createVerificationMetrics, measureControls, measureStates } from './metrics.ts';
import { capabilityName, type Policy } from './policy.ts';
import { verificationRules } from './rbac.ts';
import { createRefusals } from './refusals.ts';
import { routes } from './routes.ts';
import { type CentreSpecs, verificationSpecs } from './specs.ts';
import { statusReporter } from './status-reporter.ts';
import { measureWaiting, stallProblem } from './watchdog.ts';
import { eventsFor } from './words.ts';
import type { WorkerTemplate } from './worker-pod.ts';
import { workersReporter } from './workers-reporter.ts';

export type VerificationOptions = {
  readonly centre: CentreSpecs;
  readonly template: WorkerTemplate;
  /** For nodes that no NodeVerification selects; null: they are left alone. */
  readonly fallback?: Policy | null;
  readonly metrics?: Metrics;
  /** Counters carry the name of the node. */
  readonly isMeasuringNodes?: boolean;
  /** Nodes say by a condition whether they are verified. */
  readonly isShownOnNodes?: boolean;
  /** How long a node may stand still that nothing is in the way of. */
  readonly stalledAfterMs?: number;
};

/** Of those that wish for the same key, verification yields to readiness. */
const RANK = 2;
const STALLED_MS = 900_000;

export function createVerification(options: VerificationOptions): NodeCapability<Facts> {
  const { centre, template, fallback = null, metrics = silentMetrics } = options;
  const specs = verificationSpecs(centre, template);
  const refusals = createRefusals();
  const unreported = createRefusals();
  const controls = { specs, hosts: createHostCounts(), refusedControls: createRefusals() };
  const counted = createVerificationMetrics(metrics, { isPerNode: options.isMeasuringNodes ?? false });
  const watchdog = { specs, fallback, stalledAfterMs: options.stalledAfterMs ?? STALLED_MS };
  return {
    name: capabilityName,
    rank: RANK,
    // Without the records every worker would be one too many.
    watches: [specs.lifecycles, specs.policies, specs.workers],
    rbac: verificationRules,
    routes: routes(specs),
    gather: (caches, node, answers) =>
      gather(caches, { ...controls, fallback, template, refusals, answers }, node),
    decide,
    recorded(written) {
      counted.recorded(written);
      if (written.after.state !== 'pending') refusals.forget(written.after.workerPod ?? '');
      return eventsFor(written);
    },
    measure(view) {
      counted.keepOnly((name) => view.caches.of(specs.nodes).get(name) !== undefined);
      measureStates(metrics, view);
      measureControls(metrics, view, specs);
      measureWaiting(metrics, view, watchdog);
    },
    problem: (view) => stallProblem(view, watchdog),
    reporters: [
      workersReporter({ ...controls, fallback, template, refusals, unreported, metrics: counted }),
      controlsReporter({ ...controls, template }),
      statusReporter(specs),
      ...(options.isShownOnNodes === true ? [conditionReporter({ specs, fallback })] : []),
    ],
  };
}
