// What is counted of readiness: the names that dashboards of kubernetes-sigs' controller know today, and those it announced.
// Gauges are computed from the state when they are scraped. Never a node's name as a label.

import type { Metrics } from '../../base/metrics.ts';
import type { ReportView } from '../../runtime/capability.ts';
import type { Front } from './rule.ts';
import { allRules, type ReadinessSpecs } from './specs.ts';
import { tallyOf } from './tally.ts';

export type Enforced = { readonly operation: 'add' | 'remove'; readonly latencyMs: number };

export type ReadinessMetrics = {
  taintChanged(rule: string, operation: Enforced['operation']): void;
  bootstrapCompleted(rule: string): void;
  enforced(rule: string, enforced: Enforced): void;
  peerSeen(front: Front, holder: string): void;
};

const latencyBuckets = [0.01, 0.05, 0.1, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];

export function createReadinessMetrics(metrics: Metrics): ReadinessMetrics {
  const operations = metrics.counter({
    name: 'node_readiness_taint_operations_total',
    help: 'Taints that rules set and took away',
    labels: ['rule', 'operation'],
  });
  const completed = metrics.counter({
    name: 'node_readiness_bootstrap_completed_total',
    help: 'Nodes that a rule of mode bootstrap-only is done with',
    labels: ['rule'],
  });
  const latency = metrics.histogram({
    name: 'node_readiness_enforcement_latency_seconds',
    help: 'From the newest change of a required condition to the change of the taint',
    labels: ['rule', 'operation'],
    buckets: latencyBuckets,
  });
  const formerLatency = metrics.histogram({
    name: 'node_readiness_reconciliation_latency_seconds',
    help: 'The same as the enforcement latency, under its former name and operations',
    labels: ['rule', 'operation'],
    buckets: latencyBuckets,
  });
  const peer = metrics.gauge({
    name: 'node_readiness_peer_present',
    help: '1 while another controller serves rules of this kind and Muster leaves them to it',
    labels: ['kind'],
  });
  return {
    taintChanged: (rule, operation) => operations.add({ rule, operation }),
    bootstrapCompleted: (rule) => completed.add({ rule }),
    enforced(rule, { operation, latencyMs }) {
      latency.observe(latencyMs / 1000, { rule, operation });
      formerLatency.observe(latencyMs / 1000, { rule, operation: `${operation}_taint` });
    },
    peerSeen: (kind, holder) => peer.set(holder === '' ? 0 : 1, { kind }),
  };
}

/** Dry runs and rules that cannot be read hold nobody and have no nodes by state. */
export function measureRules(metrics: Metrics, specs: ReadinessSpecs, { store, caches }: ReportView): void {
  const gauge = (name: string, help: string, labels: readonly string[]) =>
    metrics.gauge({ name, help, labels });
  const rules = gauge('node_readiness_rules', 'Rules by mode', ['enforcement_mode', 'dry_run']);
  const total = gauge('node_readiness_rules_total', 'Rules', []);
  const matched = gauge('node_readiness_rule_matched_nodes', 'Nodes that a rule selects', ['rule']);
  const nodes = gauge('node_readiness_rule_nodes', 'Nodes of a rule with its taint and without', [
    'rule',
    'state',
  ]);
  const blocked = gauge('node_readiness_blocked_nodes', 'Nodes on which a condition is not as required', [
    'rule',
    'condition',
  ]);
  metrics.beforeScrape(() => {
    for (const each of [rules, matched, nodes, blocked]) each.reset();
    const modes = new Map<string, number>();
    let count = 0;
    for (const view of allRules(caches, specs)) {
      count++;
      const { rule, name } = view;
      if (rule === null) continue;
      const mode = `${rule.mode} ${rule.isDryRun}`;
      modes.set(mode, (modes.get(mode) ?? 0) + 1);
      const tally = tallyOf(view, store);
      matched.set(tally.total, { rule: name });
      if (!rule.isDryRun) {
        nodes.set(tally.withTaint, { rule: name, state: 'held' });
        nodes.set(tally.total - tally.withTaint, { rule: name, state: 'released' });
      }
      for (const [index, { type }] of rule.requirements.entries()) {
        const { unsatisfied = 0, missing = 0 } = tally.conditions[index] ?? {};
        blocked.set(unsatisfied + missing, { rule: name, condition: type });
      }
    }
    total.set(count);
    for (const [mode, number] of modes) {
      const [enforcementMode = '', dryRun = ''] = mode.split(' ');
      rules.set(number, { enforcement_mode: enforcementMode, dry_run: dryRun });
    }
  });
}
