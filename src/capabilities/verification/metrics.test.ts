import { describe, expect, it } from 'vitest';
import { nodeView } from '../../../test/support/node-builder.ts';
import type { VerificationRecord } from '../../fleet/lifecycle.ts';
import { createPrometheusMetrics } from '../../server/prometheus.ts';
import { createVerificationMetrics } from './metrics.ts';

const now = Date.parse('2026-11-01T00:01:00Z');
const begun: VerificationRecord = { state: 'pending', attempt: 2, lastAttemptAt: '2026-11-01T00:00:48Z' };
const ended = { ...begun, attemptEndedAt: '2026-11-01T00:01:00Z' };
const passed: VerificationRecord = { ...ended, state: 'verified', verdict: 'pass' };

function bench({ isPerNode }: { readonly isPerNode: boolean }) {
  const metrics = createPrometheusMetrics();
  const counted = createVerificationMetrics(metrics, { isPerNode });
  const known = new Set<string>();
  counted.keepOnly((name) => known.has(name));
  const ends = (name: string, after: VerificationRecord = passed) =>
    counted.recorded({ node: nodeView({ name }), before: begun, after, now });
  const lines = async () =>
    (await metrics.expose()).text.split('\n').filter((line) => line.startsWith('kube_node_ready_'));
  return { counted, known, ends, lines };
}

describe('the metrics of verification', () => {
  it('count a pass with its time and its attempts', async () => {
    const { ends, counted, lines } = bench({ isPerNode: false });
    counted.created('a', 'success');
    ends('a');
    const text = await lines();
    expect(text).toContain('kube_node_ready_worker_pod_creation_total{status="success"} 1');
    expect(text).toContain('kube_node_ready_node_verification_total{result="success"} 1');
    expect(text).toContain('kube_node_ready_worker_pod_duration_seconds_bucket{le="10",result="success"} 0');
    expect(text).toContain('kube_node_ready_worker_pod_duration_seconds_bucket{le="30",result="success"} 1');
    expect(text).toContain('kube_node_ready_node_verification_attempts_sum 2');
  });

  it.each([
    ['worker_pod_duration_seconds', ['5', '10', '30', '60', '120', '300', '600', '+Inf']],
    ['node_verification_attempts', ['1', '2', '3', '4', '5', '10', '+Inf']],
  ])('have in %s the buckets of the original tool', async (name, buckets) => {
    const { ends, lines } = bench({ isPerNode: false });
    ends('a');
    const own = (await lines()).filter((line) => line.startsWith(`kube_node_ready_${name}_bucket`));
    expect(own.map((line) => /le="([^"]+)"/.exec(line)?.[1])).toEqual(buckets);
  });

  it.each<[string, Partial<VerificationRecord>, string, string]>([
    ['a failure', { state: 'failed', verdict: 'fail', reason: 'CheckFailed' }, 'failure', 'failure'],
    ['a worker that hung', { verdict: 'inconclusive', reason: 'WorkerTimedOut' }, 'inconclusive', 'timeout'],
    [
      'a report of no use',
      { verdict: 'inconclusive', reason: 'ReportUnusable' },
      'inconclusive',
      'inconclusive',
    ],
  ])('count %s as what it is', async (_, after, result, lasting) => {
    const { ends, lines } = bench({ isPerNode: false });
    ends('a', { ...ended, ...after });
    const text = await lines();
    expect(text).toContain(`kube_node_ready_node_verification_total{result="${result}"} 1`);
    expect(text).toContain(`kube_node_ready_worker_pod_duration_seconds_count{result="${lasting}"} 1`);
    expect(text.filter((line) => line.startsWith('kube_node_ready_node_verification_attempts_sum'))).toEqual([
      'kube_node_ready_node_verification_attempts_sum 0',
    ]);
  });

  it('count the attempts of a node that is given up', async () => {
    const { ends, lines } = bench({ isPerNode: false });
    ends('a', { ...ended, state: 'failed', verdict: 'fail', attempt: 5, reason: 'VerificationGivenUp' });
    expect(await lines()).toContain('kube_node_ready_node_verification_attempts_sum 5');
  });

  it('show that no node was deleted', async () => {
    const { lines } = bench({ isPerNode: false });
    expect(await lines()).toContain('kube_node_ready_node_deletion_total{status="success"} 0');
  });

  it('name no node unless somebody asked for it', async () => {
    const { ends, counted, lines } = bench({ isPerNode: false });
    counted.created('a', 'failure');
    ends('a');
    expect((await lines()).filter((line) => line.includes('node="'))).toEqual([]);
  });

  it('name the node where somebody asked for it, until it is gone', async () => {
    const { ends, counted, known, lines } = bench({ isPerNode: true });
    known.add('a');
    counted.created('a', 'success');
    ends('a');
    const text = await lines();
    expect(text).toContain('kube_node_ready_worker_pod_creation_total{node="a",status="success"} 1');
    expect(text).toContain('kube_node_ready_node_verification_total{node="a",result="success"} 1');
    expect(text).toContain('kube_node_ready_node_verification_attempts_sum{node="a"} 2');
    known.delete('a');
    counted.created('a', 'success');
    expect((await lines()).filter((line) => line.includes('node="'))).toEqual([]);
  });

  it('are what they were after ten thousand nodes have come and gone, whether anybody looked or not', async () => {
    const { ends, counted, known, lines } = bench({ isPerNode: true });
    const before = await lines();
    for (let index = 0; index < 10_000; index++) {
      const name = `node-${index}`;
      known.add(name);
      counted.created(name, 'success');
      ends(name);
      known.delete(`node-${index - 50}`);
    }
    known.clear();
    counted.created('last', 'success');
    expect(await lines()).toEqual(before);
  });
});
