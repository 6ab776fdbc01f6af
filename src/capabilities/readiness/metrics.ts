// What is counted of readiness: the names that dashboards of kubernetes-sigs' controller know today, and those it announced.
// Gauges are computed from the state when they are scraped. Never a node's name as a label.

import type { Metrics } from '../../base/metrics.ts';
import type { ReportView } from '../../runtime/capability.ts';
import type { Front, RuleView } from '../../fleet/readiness-rule.ts';
import { allRules, type ReadinessSpecs } from './specs.ts';
import { tallyOf } from './tally.ts';

export type Enforced = { readonly operation: 'add' | 'remove'; readonly latencyMs: number };

export type ReadinessMetrics = {
  taintChanged(rule: string, operation: Enforced['operation']): void;
  enforced(rule: string, enforced: Enforced): void;
  /** Null: the node was there before the rule, so the time says nothing. */
  bootstrapCompleted(rule: string, durationMs: number | null): void;
  peerSeen(front: Front, holder: string): void;
};

const latencyBuckets = [0.01, 0.05, 0.1, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];
const bootstrapBuckets = [1, 5, 10, 30, 60, 120, 300, 600, 1200];

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
  const peer = metrics.gauge({
    name: 'node_readiness_peer_present',
    help: '1 while another controller serves rules of this kind and Muster leaves them to it',
    labels: ['kind'],
  });
  const times = createTimes(metrics);
  return {
    taintChanged: (rule, operation) => operations.add({ rule, operation }),
    enforced(rule, { operation, latencyMs }) {
      times.latency.observe(latencyMs / 1000, { rule, operation });
      times.formerLatency.observe(latencyMs / 1000, { rule, operation: `${operation}_taint` });
    },
    bootstrapCompleted(rule, durationMs) {
      completed.add({ rule });
      if (durationMs !== null) times.bootstrap.observe(durationMs / 1000, { rule });
    },
    peerSeen: (kind, holder) => peer.set(holder === '' ? 0 : 1, { kind }),
  };
}

function createTimes(metrics: Metrics) {
  return {
    latency: metrics.histogram({
      name: 'node_readiness_enforcement_latency_seconds',
      help: 'From the newest change of a required condition to the change of the taint',
      labels: ['rule', 'operation'],
      buckets: latencyBuckets,
    }),
    formerLatency: metrics.histogram({
      name: 'node_readiness_reconciliation_latency_seconds',
      help: 'The same as the enforcement latency, under its former name and operations',
      labels: ['rule', 'operation'],
      buckets: latencyBuckets,
    }),
    bootstrap: metrics.histogram({
      name: 'node_readiness_bootstrap_duration_seconds',
      help: 'From the creation of a node to the last change of a required condition',
      labels: ['rule'],
      buckets: bootstrapBuckets,
    }),
  };
}

/** Dry runs and rules that cannot be read hold nobody. */
export function measureRules(metrics: Metrics, specs: ReadinessSpecs, { store, caches }: ReportView): void {
  const gauges = createGauges(metrics);
  metrics.beforeScrape(() => {
    for (const gauge of Object.values(gauges)) gauge.reset();
    const views = [...allRules(caches, specs)];
    gauges.total.set(views.length);
    for (const [mode, count] of countModes(views)) {
      const [enforcementMode = '', dryRun = ''] = mode.split(' ');
      gauges.rules.set(count, { enforcement_mode: enforcementMode, dry_run: dryRun });
    }
    for (const view of views) if (view.rule !== null) showRule(gauges, view, tallyOf(view, store));
  });
}

type Gauges = ReturnType<typeof createGauges>;

function createGauges(metrics: Metrics) {
  return {
    total: metrics.gauge({ name: 'node_readiness_rules_total', help: 'Rules' }),
    rules: metrics.gauge({
      name: 'node_readiness_rules',
      help: 'Rules by mode',
      labels: ['enforcement_mode', 'dry_run'],
    }),
    matched: metrics.gauge({
      name: 'node_readiness_rule_matched_nodes',
      help: 'Nodes that a rule selects; none points at its selector',
      labels: ['rule'],
    }),
    nodes: metrics.gauge({
      name: 'node_readiness_rule_nodes',
      help: 'Nodes of a rule with its taint and without',
      labels: ['rule', 'state'],
    }),
    states: metrics.gauge({
      name: 'node_readiness_nodes_by_state',
      help: 'Nodes of a rule that are ready, not ready, or not through bootstrap yet',
      labels: ['rule', 'state'],
    }),
    blocked: metrics.gauge({
      name: 'node_readiness_blocked_nodes',
      help: 'Nodes on which a condition is not as the rule requires',
      labels: ['rule', 'condition'],
    }),
  };
}

function showRule(gauges: Gauges, { name, rule }: RuleView, tally: ReturnType<typeof tallyOf>): void {
  if (rule === null) return;
  const labels = { rule: name };
  gauges.matched.set(tally.total, labels);
  if (!rule.isDryRun) {
    gauges.nodes.set(tally.withTaint, { ...labels, state: 'held' });
    gauges.nodes.set(tally.total - tally.withTaint, { ...labels, state: 'released' });
  }
  const isBootstrap = rule.mode === 'bootstrap-only';
  gauges.states.set(tally.ready, { ...labels, state: 'ready' });
  gauges.states.set(tally.total - tally.ready, { ...labels, state: 'not_ready' });
  if (isBootstrap) gauges.states.set(tally.total - tally.bootstrapped, { ...labels, state: 'bootstrapping' });
  for (const [index, { type }] of rule.requirements.entries()) {
    const { unsatisfied = 0, missing = 0 } = tally.conditions[index] ?? {};
    gauges.blocked.set(unsatisfied + missing, { ...labels, condition: type });
  }
}

function countModes(views: readonly RuleView[]): ReadonlyMap<string, number> {
  const modes = new Map<string, number>();
  for (const { rule } of views) {
    if (rule === null) continue;
    const mode = `${rule.mode} ${rule.isDryRun}`;
    modes.set(mode, (modes.get(mode) ?? 0) + 1);
  }
  return modes;
}
