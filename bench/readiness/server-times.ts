// How long the API server took for a write, by its own histogram: a client would count how long it waited for its core.

import { ruleTypes } from '../../src/fleet/readiness-rule.ts';
import type { Cluster } from '../cluster/cluster.ts';
import {
  growthOf,
  histogramBound,
  type Labels,
  type Pages,
  parseSamples,
  type Sample,
} from '../cluster/samples.ts';

/** The bounds below which 99 % of the writes of a phase took; null where there were none. */
export type ServerTimes = {
  readonly nodePatchSecondsP99: number | null;
  readonly ruleStatusSecondsP99: number | null;
};

const histogram = 'apiserver_request_duration_seconds';

export async function readServerSamples({ serverMetrics }: Cluster): Promise<readonly Sample[]> {
  return parseSamples(await serverMetrics()).filter(
    ({ name, labels }) => name.startsWith(histogram) && labels['verb'] === 'PATCH',
  );
}

const rulePlurals = Object.values(ruleTypes).map(({ plural }) => plural);

export function serverTimes(pages: Pages): ServerTimes {
  const growth = growthOf(pages);
  return {
    nodePatchSecondsP99: p99Of(
      growth,
      ({ resource, subresource }) => resource === 'nodes' && subresource === '',
    ),
    ruleStatusSecondsP99: p99Of(
      growth,
      ({ resource = '', subresource }) => rulePlurals.includes(resource) && subresource === 'status',
    ),
  };
}

function p99Of(samples: readonly Sample[], counts: (labels: Labels) => boolean): number | null {
  const isAny = samples.some(
    ({ name, labels, value }) => name === `${histogram}_count` && counts(labels) && value > 0,
  );
  return isAny ? histogramBound(samples, { name: histogram, share: 0.99, counts }) : null;
}
