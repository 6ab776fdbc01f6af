// The loop of a reporter: ask, decide, write if there is something to say, wait. It never reads its Node: what the server has is
// learned from the answers to its own patches, the first of which changes nothing.

import { type Clock, sleep } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import type { Metrics } from '../../base/metrics.ts';
import { jittered, type Random } from '../../base/random.ts';
import { nodeType } from '../../objects/ref.ts';
import type { Answer, KubeApi } from '../../runtime/ports.ts';
import { conditionToWrite, lengthen, type Said, saidOn, type Streak } from './condition.ts';
import type { ReporterConfig } from './options.ts';
import type { Outcome } from './outcome.ts';

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
  const ref = { type: nodeType, namespace: '', name: config.nodeName };
  let streak: Streak | null = null;
  let known: Known = { kind: 'unread' };

  const patch = async (body: object, signal: AbortSignal): Promise<Answer<Said | null>> => {
    const answer = await api.patch(ref, { kind: 'strategic', body }, { subresource: 'status', signal });
    if (answer.kind === 'ok') return { kind: 'ok', value: saidOn(answer.value, config.conditionType) };
    const { reason, message } = answer.error;
    counted.write('error');
    log.warn('the node cannot be written', { node: config.nodeName, reason, message });
    // What may have been written is looked at before anything is decided on it.
    known = { kind: 'unread' };
    return answer;
  };

  return async (signal: AbortSignal): Promise<void> => {
    const startedMs = clock.monotonicMs();
    const outcome = await ask(signal);
    if (signal.aborted) return;
    counted.check(outcome.result, (clock.monotonicMs() - startedMs) / 1000);
    streak = lengthen(streak, outcome);
    if (known.kind === 'unread') {
      const read = await patch({}, signal);
      if (read.kind === 'error') return;
      known = { kind: 'read', said: read.value };
    }
    const next = conditionToWrite({ said: known.said, streak, outcome, terms: config, now: clock.now() });
    if (next === null) return counted.write('skipped');
    const condition = { type: config.conditionType, ...next };
    const written = await patch({ status: { conditions: [condition] } }, signal);
    if (written.kind === 'error') return;
    known = { kind: 'read', said: written.value };
    counted.write('success');
    log.info('said', { node: config.nodeName, ...condition });
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
