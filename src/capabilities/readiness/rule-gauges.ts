// What is shown of rules when metrics are scraped, computed from the state then: a count that is never kept cannot drift. Never a
// node's name as a label.

import type { Gauge, Metrics } from '../../base/metrics.ts';
import type { ReportView } from '../../runtime/capability.ts';
import type { RuleView } from '../../fleet/readiness-rule.ts';
import type { ReadinessMetrics } from './metrics.ts';
import { allRules, type ReadinessSpecs } from './specs.ts';
import { tallyOf } from './tally.ts';

export type Shown = {
  readonly specs: ReadinessSpecs;
  readonly version: string;
  /** What was counted as it happened; of rules that are gone it is forgotten here. */
  readonly counted: Pick<ReadinessMetrics, 'evaluatedAt' | 'keepOnly'>;
};

/** Dry runs and rules that cannot be read hold nobody. */
export function measureRules(
  metrics: Metrics,
  { specs, version, counted }: Shown,
  { store, caches }: Omit<ReportView, 'answers'>,
): void {
  const gauges = createGauges(metrics);
  metrics.beforeScrape(() => {
    for (const gauge of Object.values(gauges)) gauge.reset();
    gauges.build.set(1, { version });
    const views = [...allRules(caches, specs)];
    counted.keepOnly(new Set(views.map(({ name }) => name)));
    for (const [rule, at] of counted.evaluatedAt) gauges.evaluated.set(at / 1000, { rule });
    gauges.total.set(views.length);
    for (const [mode, count] of countModes(views)) {
      const [enforcementMode = '', dryRun = ''] = mode.split(' ');
      gauges.rules.set(count, { enforcement_mode: enforcementMode, dry_run: dryRun });
    }
    const sums = {
      matched: summing(gauges.matched),
      nodes: summing(gauges.nodes),
      states: summing(gauges.states),
      blocked: summing(gauges.blocked),
    };
    const fleet = { store, nodes: caches.of(specs.nodes) };
    for (const view of views) if (view.rule !== null) showRule(sums, view, tallyOf(view, fleet));
  });
}

type Summing = Pick<Gauge, 'set'>;
type Sums = Readonly<Record<'matched' | 'nodes' | 'states' | 'blocked', Summing>>;

/** A name may be that of a rule of either kind, and then stands for both. */
function summing(gauge: Gauge): Summing {
  const sums = new Map<string, number>();
  return {
    set(value, labels = {}) {
      const key = Object.values(labels).join(' ');
      const sum = (sums.get(key) ?? 0) + value;
      sums.set(key, sum);
      gauge.set(sum, labels);
    },
  };
}

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
    evaluated: metrics.gauge({
      name: 'node_readiness_rule_last_reconciliation_timestamp_seconds',
      help: 'When a rule was last evaluated on any node',
      labels: ['rule'],
    }),
    build: metrics.gauge({
      name: 'node_readiness_build_info',
      help: 'Always 1; the label is the version of Muster',
      labels: ['version'],
    }),
    blocked: metrics.gauge({
      name: 'node_readiness_blocked_nodes',
      help: 'Nodes on which a condition is not as the rule requires',
      labels: ['rule', 'condition'],
    }),
  };
}

function showRule(gauges: Sums, { name, rule }: RuleView, tally: ReturnType<typeof tallyOf>): void {
  if (rule === null) return;
  const labels = { rule: name };
  gauges.matched.set(tally.total, labels);
  if (!rule.isDryRun) {
    gauges.nodes.set(tally.withTaint, { ...labels, state: 'held' });
    gauges.nodes.set(tally.total - tally.withTaint, { ...labels, state: 'released' });
  }
  // Each node is in one state: whoever adds them up counts it once.
  const isBootstrap = rule.mode === 'bootstrap-only';
  const ready = isBootstrap ? tally.bootstrapped : tally.ready;
  const waiting = tally.total - ready;
  gauges.states.set(ready, { ...labels, state: 'ready' });
  gauges.states.set(isBootstrap ? 0 : waiting, { ...labels, state: 'not_ready' });
  gauges.states.set(isBootstrap ? waiting : 0, { ...labels, state: 'bootstrapping' });
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
