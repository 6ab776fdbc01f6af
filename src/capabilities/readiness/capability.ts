// Readiness: wiring of the functions around it. What it decides is in decide.ts and policies/, what it reports in the reporters.

import type { EvaluationMode } from '../../api/readiness-vocabulary.ts';
import type { Log } from '../../base/log.ts';
import { silentLog } from '../../base/log.ts';
import { type Metrics, silentMetrics } from '../../base/metrics.ts';
import type { NodeCapability } from '../../runtime/capability.ts';
import { capabilityName, decide } from './decide.ts';
import { evaluationReporter } from './evaluation-reporter.ts';
import { finalizerReporter } from './finalizer-reporter.ts';
import { type Facts, gather } from './gather.ts';
import { createReadinessMetrics, measureRules } from './metrics.ts';
import { readinessRules } from './rbac.ts';
import { routes } from './routes.ts';
import { fronts } from '../../fleet/readiness-rule.ts';
import { type CentreSpecs, readinessSpecs } from './specs.ts';
import { statusReporter } from './status-reporter.ts';
import { createWritten } from './written.ts';

export type ReadinessOptions = {
  readonly centre: CentreSpecs;
  readonly evaluations?: EvaluationMode;
  readonly metrics?: Metrics;
  readonly log?: Log;
};

/** Of those that wish for the same key, readiness has its way. */
const RANK = 3;

export function createReadiness(options: ReadinessOptions): NodeCapability<Facts> {
  const { centre, evaluations = 'all', metrics = silentMetrics, log = silentLog } = options;
  const specs = readinessSpecs(centre);
  const counted = createReadinessMetrics(metrics);
  return {
    name: capabilityName,
    rank: RANK,
    watches: [...Object.values(specs.rules), ...Object.values(specs.peers), specs.evaluations],
    rbac: readinessRules,
    routes: routes(specs, (kind, holder) => {
      counted.peerSeen(kind, holder);
      if (holder === '') log.info('no other controller serves these rules; Muster does', { kind });
      else log.warn('another controller serves these rules; Muster leaves them to it', { kind, holder });
    }),
    gather: (caches, node) => gather(caches, specs, node),
    decide,
    written: createWritten(specs, counted),
    measure: (view) => measureRules(metrics, specs, view),
    reporters: [
      ...fronts.map((front) => statusReporter(front, specs)),
      ...fronts.map((front) => finalizerReporter(front, specs)),
      evaluationReporter(specs, evaluations),
    ],
  };
}
