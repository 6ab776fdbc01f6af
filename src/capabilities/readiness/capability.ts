// Readiness: wiring of the functions around it. What it decides is in decide.ts and policies/, what it reports in the reporters.

import type { EvaluationMode } from '../../api/readiness-vocabulary.ts';
import type { Log } from '../../base/log.ts';
import { silentLog } from '../../base/log.ts';
import { type Metrics, silentMetrics } from '../../base/metrics.ts';
import type { NodeCapability } from '../../runtime/capability.ts';
import { capabilityName } from './decide.ts';
import { evaluationReporter } from './evaluation-reporter.ts';
import { finalizerReporter } from './finalizer-reporter.ts';
import type { Facts } from './gather.ts';
import { createReadinessMetrics } from './metrics.ts';
import { readinessRules } from './rbac.ts';
import { routes } from './routes.ts';
import { fronts } from '../../fleet/readiness-rule.ts';
import { measureRules } from './rule-gauges.ts';
import { type CentreSpecs, readinessSpecs } from './specs.ts';
import { statusReporter } from './status-reporter.ts';
import { countThrows } from './throws.ts';
import { createHindered, createVisited } from './visited.ts';
import { createWritten } from './written.ts';

export type ReadinessOptions = {
  readonly centre: CentreSpecs;
  readonly evaluations?: EvaluationMode;
  readonly metrics?: Metrics;
  /** Of the build that runs, for people. */
  readonly version?: string;
  readonly log?: Log;
};

/** Of those that wish for the same key, readiness has its way. */
const RANK = 3;

export function createReadiness(options: ReadinessOptions): NodeCapability<Facts> {
  const { centre, evaluations = 'all', metrics = silentMetrics, log = silentLog, version = 'dev' } = options;
  const specs = readinessSpecs(centre);
  const counted = createReadinessMetrics(metrics);
  const throws = countThrows(specs, counted);
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
    gather: throws.gather,
    decide: throws.decide,
    written: createWritten(specs, counted),
    visited: createVisited(specs, counted),
    hindered: createHindered(counted),
    measure(view) {
      throws.sees(view);
      measureRules(metrics, { specs, version, counted }, view);
    },
    reporters: [
      ...fronts.map((front) => statusReporter(front, specs, (rule) => counted.failed(rule, 'status'))),
      ...fronts.map((front) => finalizerReporter(front, specs)),
      evaluationReporter(specs, evaluations),
    ],
  };
}
