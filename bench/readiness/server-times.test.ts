import { describe, expect, it } from 'vitest';
import { parseSamples } from '../cluster/samples.ts';
import { serverTimes } from './server-times.ts';

const page = (fast: number, slow: number) => {
  const series = 'resource="nodes",subresource="",verb="PATCH"';
  return parseSamples(`apiserver_request_duration_seconds_bucket{${series},le="0.05"} ${fast}
apiserver_request_duration_seconds_bucket{${series},le="0.4"} ${fast + slow}
apiserver_request_duration_seconds_bucket{${series},le="+Inf"} ${fast + slow}
apiserver_request_duration_seconds_count{${series}} ${fast + slow}
`);
};

describe('the times of the API server', () => {
  it('are those of the phase alone, whatever came before it', () => {
    const calm = { before: page(1, 100), after: page(201, 100) };
    expect(serverTimes(calm).nodePatchSecondsP99).toBe(0.05);
    const burst = { before: page(100, 1), after: page(200, 5) };
    expect(serverTimes(burst).nodePatchSecondsP99).toBe(0.4);
  });

  it('are none where nothing was written', () => {
    expect(serverTimes({ before: page(5, 5), after: page(5, 5) })).toEqual({
      nodePatchSecondsP99: null,
      ruleStatusSecondsP99: null,
    });
  });
});
