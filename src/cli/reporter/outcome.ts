// What asking the endpoint came to.

import type { Reason } from '../../api/reasons.ts';

export type Outcome = {
  /** error: there was no answer to judge. */
  readonly result: 'healthy' | 'unhealthy' | 'error';
  readonly reason: Extract<
    Reason,
    'EndpointOK' | 'EndpointNotReady' | 'EndpointConnectionError' | 'HealthCheckFailed'
  >;
  readonly message: string;
};
