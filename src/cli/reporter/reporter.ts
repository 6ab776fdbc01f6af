// The loop of a reporter: ask, decide, write if there is something to say, wait. It does not read its Node each time: what the server
// has is learned from the answers to its own writes, the first of which changes nothing.

import { type Clock, sleep } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { Metrics } from '../../base/metrics.ts';
import { jittered, type Random } from '../../base/random.ts';
import type { ApiFailure, KubeApi } from '../../runtime/ports.ts';
import { conditionToWrite, lengthen, type Said, type Streak } from './condition.ts';
import type { ReporterConfig } from './options.ts';
import type { Outcome } from './outcome.ts';
import { createOwnCondition, rightsFor } from './own-condition.ts';

export type ReporterParts = {
  readonly api: KubeApi;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly config: Pick<
    ReporterConfig,
    | 'nodeName'
    | 'conditionType'
    | 'isImpersonating'
    | 'intervalMs'
    | 'heartbeatMs'
    | 'failureThreshold'
    | 'successThreshold'
    | 'jitterPercent'
  >;
  readonly ask: (signal: AbortSignal) => Promise<Outcome>;
};

/** Ends when the signal aborts; the condition stays as it is then. */
export async function runReporter(parts: ReporterParts, signal: AbortSignal): Promise<void> {
  const { clock, random, config } = parts;
  const tick = createTick(parts);
  while (!signal.aborted) {
    await tick(signal);
    await sleep(clock, jittered(random, config.intervalMs, config.jitterPercent / 100), signal);
  }
}

/** unread: what the server has is not known, or not any more. */
type Known = { readonly kind: 'unread' } | { readonly kind: 'read'; readonly said: Said | null };

function createTick({ api, clock, log, metrics, config, ask }: ReporterParts) {
  const counted = reporterMetrics(metrics);
  const condition = createOwnCondition({ api, log, config });
  const { nodeName: node, conditionType: type } = config;
  let streak: Streak | null = null;
  let known: Known = { kind: 'unread' };

  const failed = (failure: ApiFailure): void => {
    const { reason, message } = failure;
    counted.write('error');
    log.warn('the node cannot be written', { node, reason, message, ...rightsFor(failure, config) });
    // What may have been written is looked at before anything is decided on it.
    known = { kind: 'unread' };
  };

  return async (signal: AbortSignal): Promise<void> => {
    const startedMs = clock.monotonicMs();
    const outcome = await ask(signal);
    if (signal.aborted) return;
    counted.check(outcome.result, (clock.monotonicMs() - startedMs) / 1000);
    streak = lengthen(streak, outcome);
    if (known.kind === 'unread') {
      const read = await condition.look(signal);
      if (read.kind === 'error') return failed(read.error);
      known = { kind: 'read', said: read.value };
    }
    const next = conditionToWrite({ said: known.said, streak, outcome, terms: config, now: clock.now() });
    if (next === null) return counted.write('skipped');
    const written = await condition.say(next, signal);
    if (written.kind === 'error') return failed(written.error);
    known = { kind: 'read', said: written.value };
    counted.write('success');
    log.info('said', { node, type, ...next });
  };
}

function reporterMetrics(metrics: Metrics) {
  const checks = metrics.counter({
    name: 'node_readiness_reporter_checks_total',
    help: 'Of muster reporter: times the endpoint was asked, by what came of it',
    labels: ['result'],
  });
  const seconds = metrics.histogram({
    name: 'node_readiness_reporter_check_duration_seconds',
    help: 'Of muster reporter: how long the endpoint took to answer',
    buckets: [0.005, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  });
  const writes = metrics.counter({
    name: 'node_readiness_reporter_condition_writes_total',
    help: 'Of muster reporter: conditions written, refused, or found to need no write',
    labels: ['result'],
  });
  return {
    check(result: Outcome['result'], tookSeconds: number) {
      checks.add({ result });
      seconds.observe(tookSeconds);
    },
    write: (result: 'success' | 'error' | 'skipped') => writes.add({ result }),
  };
}
