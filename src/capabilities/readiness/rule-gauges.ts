// What is shown of rules when metrics are scraped, computed from the state then: a count that is never kept cannot drift. Never a
// node's name as a label.

import type { Gauge, Metrics } from '../../base/metrics.ts';
import type { Verdict } from '../../fleet/node-state.ts';
import type { RuleView } from '../../fleet/readiness-rule.ts';
import type { NodeStateStore } from '../../fleet/store.ts';
import type { NodeView } from '../../objects/node.ts';
import { findTaint } from '../../objects/taint.ts';
import type { ReportView } from '../../runtime/capability.ts';
import type { Cache } from '../../runtime/ports.ts';
import type { Finding } from './finding.ts';
import { isAbout } from './gather.ts';
import type { ReadinessMetrics } from './metrics.ts';
import { allRules, type ReadinessSpecs } from './specs.ts';
import { findingIn, type Tally, tallyOf } from './tally.ts';

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
    showEach(gauges, views, { store, nodes: caches.of(specs.nodes) });
  });
}

type Fleet = { readonly store: NodeStateStore; readonly nodes: Pick<Cache<NodeView>, 'get' | 'values'> };
type Gauges = ReturnType<typeof createGauges>;

function showEach(gauges: Gauges, views: readonly RuleView[], fleet: Fleet): void {
  const sums = {
    matched: summing(gauges.matched),
    nodes: summing(gauges.nodes),
    states: summing(gauges.states),
    blocked: summing(gauges.blocked),
  };
  for (const view of views) {
    if (view.rule === null) continue;
    const tally = tallyOf(view, fleet);
    sums.matched.set(tally.total, { rule: view.name });
    showStates(sums.states, view, tally);
    showNodes(sums.nodes, view, view.isDeleting ? carriers(view, fleet.nodes.values()) : tally);
    showBlocked(sums.blocked, view, fleet.store);
  }
}

type Summing = Pick<Gauge, 'set'>;

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
      help: 'Nodes that carry the taint of a rule, by each condition that is not as it requires',
      labels: ['rule', 'condition'],
    }),
  };
}

function showStates(states: Summing, { name, rule }: RuleView, tally: Tally): void {
  if (rule === null) return;
  const labels = { rule: name };
  // Each node is in one state: whoever adds them up counts it once.
  const isBootstrap = rule.mode === 'bootstrap-only';
  const ready = isBootstrap ? tally.bootstrapped : tally.ready;
  const waiting = tally.total - ready;
  states.set(ready, { ...labels, state: 'ready' });
  states.set(isBootstrap ? 0 : waiting, { ...labels, state: 'not_ready' });
  states.set(isBootstrap ? waiting : 0, { ...labels, state: 'bootstrapping' });
}

type Carriers = Pick<Tally, 'total' | 'withTaint'>;

function showNodes(nodes: Summing, { name, rule }: RuleView, { total, withTaint }: Carriers): void {
  if (rule === null || rule.isDryRun) return;
  nodes.set(withTaint, { rule: name, state: 'held' });
  nodes.set(total - withTaint, { rule: name, state: 'released' });
}

/** A rule that is being deleted has no verdicts any more, and nodes may carry its taint for as long as something keeps it from going. */
function carriers(view: RuleView, nodes: Iterable<NodeView>): Carriers {
  const { taint = '' } = view.rule ?? {};
  const counts = { total: 0, withTaint: 0 };
  for (const node of nodes) {
    if (!isAbout(view, node)) continue;
    counts.total++;
    if (findTaint(node.taints, taint) !== undefined) counts.withTaint++;
  }
  return counts;
}

function showBlocked(blocked: Summing, { name, owner, rule }: RuleView, store: NodeStateStore): void {
  if (rule === null || rule.isDryRun) return;
  const counts = rule.requirements.map(() => 0);
  // Nodes of which the same was concluded share one list.
  const read = new Map<readonly Verdict[], readonly number[]>();
  store.range(({ verdicts }) => {
    const blocking = read.get(verdicts) ?? blockingIn(findingIn({ verdicts }, owner));
    read.set(verdicts, blocking);
    for (const index of blocking) counts[index] = (counts[index] ?? 0) + 1;
    return true;
  });
  for (const [index, { type }] of rule.requirements.entries())
    blocked.set(counts[index] ?? 0, { rule: name, condition: type });
}

/**
 * The conditions for which the node waits, by their place in the rule. A node without the taint waits for none: it was let go, or is not
 * gated yet, or never was; and one that is ready has all it needs, though not every one of several conditions may be met.
 */
function blockingIn(finding: Finding | null): readonly number[] {
  if (finding === null || !finding.hasTaint || finding.readiness === 'ready') return [];
  return finding.conditions.flatMap(({ mark }, index) =>
    mark === 'met' || mark === 'defaulted' ? [] : [index],
  );
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
