// Counts what the client asks of the API server. Labels name verbs, resource types and codes, never objects. Requests also go by
// the name that every client written in Go has, so that dashboards and alerts made for one go on working.

import type { Metrics } from '../base/metrics.ts';
import type { ApiFailure } from '../runtime/ports.ts';

export type Verb = 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete';

export type ApiMetrics = {
  readonly answered: (request: { readonly verb: Verb; readonly resource: string }, code: string) => void;
  readonly took: (verb: Verb, durationMs: number) => void;
};

/** `host`: of the API server, with its port. */
export function createApiMetrics(metrics: Metrics, host: string, inFlight: () => number): ApiMetrics {
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
  const countAsInGo = requestsAsInGo(metrics, host);
  return {
    answered({ verb, resource }, code) {
      requests.add({ verb, resource, code });
      countAsInGo(verb, code);
    },
    took: (verb, durationMs) => durations.observe(durationMs / 1000, { verb }),
  };
}

/** The `code` label of a failure. */
export function codeOf(failure: ApiFailure): string {
  return failure.code === null ? failure.reason : String(failure.code);
}

const methods: Readonly<Record<Verb, string>> = {
  get: 'GET',
  list: 'GET',
  watch: 'GET',
  create: 'POST',
  update: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
};
/** What clients in Go say where there was no answer. */
const NO_ANSWER = '<error>';

/** Added up here and brought to the counter at a scrape: a request costs no more than one number. */
function requestsAsInGo(metrics: Metrics, host: string): (verb: Verb, code: string) => void {
  const requests = metrics.counter({
    name: 'rest_client_requests_total',
    help: 'Requests to the API server, under the name of clients written in Go',
    labels: ['code', 'method', 'host'],
  });
  const unshown = new Map<string, Map<string, number>>();
  metrics.beforeScrape(() => {
    for (const [method, counts] of unshown)
      for (const [code, count] of counts) requests.add({ code, method, host }, count);
    unshown.clear();
  });
  return (verb, codeOrReason) => {
    const code = /^\d+$/.test(codeOrReason) ? codeOrReason : NO_ANSWER;
    const counts = unshown.get(methods[verb]) ?? new Map<string, number>();
    unshown.set(methods[verb], counts);
    counts.set(code, (counts.get(code) ?? 0) + 1);
  };
}
