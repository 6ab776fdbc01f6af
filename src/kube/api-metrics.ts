// Counts what the client asks of the API server. Labels name verbs, resource types and codes, never objects.

import type { Metrics } from '../base/metrics.ts';
import type { ApiFailure } from '../runtime/ports.ts';

export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete';

export type ApiMetrics = {
  readonly answered: (request: { readonly verb: Verb; readonly resource: string }, code: string) => void;
  readonly took: (verb: Verb, durationMs: number) => void;
};

export function createApiMetrics(metrics: Metrics, inFlight: () => number): ApiMetrics {
  const requests = metrics.counter({
    name: 'muster_api_requests_total',
    help: 'Requests to the API server, by HTTP status, or by reason when there was no answer',
    labels: ['verb', 'resource', 'code'],
  });
  const durations = metrics.histogram({
    name: 'muster_api_request_duration_seconds',
    help: 'Time from a call to its answer, waiting for its turn included; watches are not counted',
    labels: ['verb'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  });
  const gauge = metrics.gauge({
    name: 'muster_api_requests_in_flight',
    help: 'Requests that wait for an answer of the API server, watches not counted',
  });
  metrics.beforeScrape(() => gauge.set(inFlight()));
  return {
    answered: ({ verb, resource }, code) => requests.add({ verb, resource, code }),
    took: (verb, durationMs) => durations.observe(durationMs / 1000, { verb }),
  };
}

/** The `code` label of a failure. */
export function codeOf(failure: ApiFailure): string {
  return failure.code === null ? failure.reason : String(failure.code);
}
