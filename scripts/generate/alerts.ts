// The alerts that an installation should have, once: as a rules file for Prometheus, as an object for its operator, and as a table.

import { labelKeys, systemNamespace } from '../../src/api/keys.ts';
import { table } from './reference.ts';

type Alert = {
  readonly name: string;
  readonly expression: string;
  /** How long it has to hold before somebody is told. */
  readonly after: string;
  readonly severity: 'critical' | 'warning';
  readonly summary: string;
  readonly description: string;
};

const operator: readonly Alert[] = [
  {
    name: 'MusterOperatorUnavailable',
    // Without a single series the maximum is nothing at all, and nothing is not less than one.
    expression: '(max(muster_leading) or vector(0)) < 1',
    after: '5m',
    severity: 'critical',
    summary: 'No replica of the Muster operator leads',
    description:
      'Nodes stay as they are: no gate is set or removed, and new nodes are not let in. Look at the pods of the operator, at its Lease, and at whether its metrics are scraped at all.',
  },
  {
    name: 'MusterReplicaDown',
    expression: 'up{job=~".*muster.*"} == 0',
    after: '10m',
    severity: 'warning',
    summary: 'A replica of the Muster operator does not answer',
    description:
      'As long as another one leads, nothing is late. The expression takes every job with muster in its name.',
  },
  {
    name: 'MusterHeapNearlyFull',
    expression: 'max(muster_heap_kept_bytes / muster_heap_limit_bytes) > 0.85',
    after: '5m',
    severity: 'warning',
    summary: 'The operator is about to run out of heap',
    description:
      'When it needs more it ends, and begins anew. Raise heapMiB of the chart, and the memory limit with it: the reference of the operator says what a fleet needs.',
  },
];

const verification: readonly Alert[] = [
  {
    name: 'MusterVerificationStalled',
    expression: 'max(muster_verification_stalled_nodes) > 0',
    after: '1m',
    severity: 'critical',
    summary: 'Nodes are not verified, and nothing explains why they do not move',
    description:
      'It is the operator that has stalled: /readyz of its leader names the nodes. Look at its log, and restart it.',
  },
  {
    name: 'MusterVerificationStuck',
    expression:
      'max(muster_verification_oldest_unverified_seconds) > 600 and on() sum(kube_node_ready_nodes_in_state{state=~"unverified|pending|in_progress"}) > 0',
    after: '1m',
    severity: 'warning',
    summary: 'A node waits for its verification for more than ten minutes',
    description:
      'Cluster Autoscaler takes a node for unready 15 minutes after its creation. Look at the NodeLifecycle of the nodes that wait and at the worker pods.',
  },
  {
    name: 'MusterVerificationFailed',
    expression: 'sum(kube_node_ready_nodes_in_state{state="failed"}) > 0',
    after: '15m',
    severity: 'warning',
    summary: 'Nodes have failed their verification and take no work',
    description: 'Such a node costs and does nothing. Its NodeLifecycle names the checks that failed.',
  },
];

export function alertGroups(): object {
  return { groups: [groupOf('muster-operator', operator), groupOf('muster-verification', verification)] };
}

export function prometheusRule(): object {
  return {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: { name: 'muster', namespace: systemNamespace, labels: { [labelKeys.appName]: 'muster' } },
    spec: alertGroups(),
  };
}

export function alertTable(): string {
  const rows = [...operator, ...verification].map(({ name, after, severity, summary }) => [
    `\`${name}\``,
    after,
    severity,
    summary,
  ]);
  return table(['Alert', 'After', 'Severity', 'Meaning'], rows);
}

function groupOf(name: string, alerts: readonly Alert[]): object {
  return {
    name,
    rules: alerts.map(({ name: alert, expression, after, severity, summary, description }) => ({
      alert,
      expr: expression,
      for: after,
      labels: { severity },
      annotations: { summary, description },
    })),
  };
}
