// Reads one kind live, whole, into its cache, beside the watch that goes on as it is. For a replica that begins to lead: what it has
// heard so far may be behind what another has already acted upon. Tries until it succeeds or is told to stop.

import { type BackoffPolicy, backoffMs } from '../base/backoff.ts';
import { type Clock, sleep } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import type { Random } from '../base/random.ts';
import type { RawObject } from '../objects/raw.ts';
import { resourceName } from '../objects/ref.ts';
import type { ApiFailure, KubeApi } from '../runtime/ports.ts';
import type { ObjectCache } from './cache.ts';

export type LiveReadPorts = {
  readonly api: KubeApi;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
};

const PAGE_SIZE = 500;
/** Nobody else may lead meanwhile, so it is tried often. */
const backoff: BackoffPolicy = { firstMs: 100, factor: 2, delayMsMax: 5_000 };

export async function readLive(cache: ObjectCache, ports: LiveReadPorts, signal: AbortSignal): Promise<void> {
  const { clock, random, log } = ports;
  for (let failures = 1; !signal.aborted; failures++) {
    const failure = await tryRead(cache, ports.api, signal);
    // Who is known not to be served has no newer word. Who was served a moment ago may be so again, and have one.
    if (failure === null || (failure.reason === 'NotFound' && !cache.isServed())) return;
    const resource = resourceName(cache.spec.selection.type);
    log.warn('cannot read live before leading', { resource, reason: failure.reason, error: failure.message });
    await sleep(clock, Math.max(backoffMs(backoff, failures, random), failure.retryAfterMs ?? 0), signal);
  }
}

async function tryRead(cache: ObjectCache, api: KubeApi, signal: AbortSignal): Promise<ApiFailure | null> {
  const objects: RawObject[] = [];
  let continueToken = '';
  for (;;) {
    const page = { limit: PAGE_SIZE, ...(continueToken === '' ? {} : { continueToken }) };
    const answer = await api.list(cache.spec.selection, page, { signal });
    if (answer.kind === 'error') return answer.error;
    objects.push(...answer.value.items);
    ({ continueToken } = answer.value);
    if (continueToken !== '') continue;
    cache.observeAll(objects, answer.value.resourceVersion);
    return null;
  }
}
