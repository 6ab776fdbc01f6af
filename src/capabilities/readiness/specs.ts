// What the capability watches, and how it finds rules of either kind in the caches. The specs are the identity of the caches.

import { nodeReadinessEvaluationType, peerLeaseNames } from '../../api/keys.ts';
import { fieldsOf, type ObjectView, type RawObject, textOf, viewOf } from '../../objects/raw.ts';
import { leaseType } from '../../objects/ref.ts';
import type { LifecycleView } from '../../fleet/lifecycle.ts';
import type { NodeView } from '../../objects/node.ts';
import type { Cache, CacheChange, Caches, WatchSpec } from '../../runtime/ports.ts';
import { type EvaluationView, projectEvaluation, ruleKeyOf } from './evaluation.ts';
import { EvaluationRows } from './evaluation-rows.ts';
import { type Front, fronts, projectRule, ruleTypes, type RuleView } from '../../fleet/readiness-rule.ts';

/** The kinds that every operator watches: they are the centre's, and lent to us. */
export type CentreSpecs = {
  readonly nodes: WatchSpec<NodeView>;
  readonly lifecycles: WatchSpec<LifecycleView>;
};

export type PeerView = ObjectView & { readonly holder: string };

export type ReadinessSpecs = CentreSpecs & {
  readonly rules: Readonly<Record<Front, WatchSpec<RuleView>>>;
  readonly peers: Readonly<Record<Front, WatchSpec<PeerView>>>;
  readonly evaluations: WatchSpec<EvaluationView>;
};

export function readinessSpecs(centre: CentreSpecs): ReadinessSpecs {
  return {
    ...centre,
    rules: {
      NodeReadinessGateRule: ruleSpec('NodeReadinessGateRule'),
      NodeReadinessRule: ruleSpec('NodeReadinessRule'),
    },
    peers: {
      NodeReadinessGateRule: peerSpec('NodeReadinessGateRule'),
      NodeReadinessRule: peerSpec('NodeReadinessRule'),
    },
    evaluations: {
      selection: { type: nodeReadinessEvaluationType },
      presence: 'optional',
      project: (raw) => projectEvaluation(raw),
      makeRows: () => new EvaluationRows(),
      counts: { rule: ({ front, ruleName }) => (front === null ? [] : [ruleKeyOf(front, ruleName)]) },
    },
  };
}

function ruleSpec(front: Front): WatchSpec<RuleView> {
  return {
    selection: { type: ruleTypes[front], unread: ['managedFields'] },
    presence: 'optional',
    isDeciding: true,
    project: (raw) => projectRule(front, raw),
  };
}

function peerSpec(front: Front): WatchSpec<PeerView> {
  return {
    selection: {
      type: leaseType,
      fieldSelector: `metadata.name=${peerLeaseNames[front]}`,
      unread: ['managedFields'],
    },
    presence: 'optional',
    isDeciding: true,
    project: projectPeer,
  };
}

/** Without the times: a Lease is renewed every two seconds, and who holds it is all that matters. */
function projectPeer(raw: RawObject): PeerView {
  const spec = fieldsOf(raw.spec);
  return { ...viewOf(raw), holder: textOf(spec['holderIdentity']) };
}

export function rulesIn(caches: Caches, specs: ReadinessSpecs, front: Front): Cache<RuleView> {
  return caches.of(specs.rules[front]);
}

export function* allRules(caches: Caches, specs: ReadinessSpecs): Generator<RuleView> {
  for (const front of fronts) yield* rulesIn(caches, specs, front).values();
}

/** Renewals of its Lease are none. */
export function isPeerNews(change: CacheChange<PeerView>): boolean {
  const before = change.kind === 'added' ? '' : change.before.holder;
  const now = change.kind === 'deleted' ? '' : change.now.holder;
  return (before === '') !== (now === '');
}

/** The kinds that another controller serves now. */
export function peersIn(caches: Caches, specs: ReadinessSpecs): ReadonlySet<Front> {
  return new Set(
    fronts.filter((front) => [...caches.of(specs.peers[front]).values()].some(({ holder }) => holder !== '')),
  );
}
