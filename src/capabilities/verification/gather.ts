// Which facts matter for one node: its policy, its record, its workers, and what policies of earlier times have left on it.
// Pure over read-only caches.

import { annotationKeys } from '../../api/keys.ts';
import type { Instant } from '../../base/clock.ts';
import type { Hash } from '../../base/hash.ts';
import { type LifecycleView, verificationOf, type VerificationRecord } from '../../fleet/lifecycle.ts';
import type { NodeView } from '../../objects/node.ts';
import { type OwnedRecord, parseOwned } from '../../objects/owned.ts';
import { matches } from '../../objects/selector.ts';
import type { ServiceQuestion } from '../../objects/service.ts';
import type { TaintId } from '../../objects/taint.ts';
import type { KeyKind, Owner } from '../../objects/wish.ts';
import type { Answers, NodeAnswer } from '../../runtime/asked.ts';
import type { Caches } from '../../runtime/ports.ts';
import { questionsOf } from './addresses.ts';
import type { HostCounts } from './control-hosts.ts';
import { asksForPeers, controlTerms } from './controls.ts';
import { chosenChecks, type ChosenCustom, marksOf, requiredOf } from './custom-checks.ts';
import { capabilityName, isOwnOwner, type PlannedCheck, type Policy, type PolicyView } from './policy.ts';
import type { Refusals } from './refusals.ts';
import type { VerificationSpecs } from './specs.ts';
import type { WorkerTemplate } from './worker-pod.ts';
import type { WorkerView } from './worker-view.ts';

export type Facts = {
  readonly node: NodeView;
  readonly policy: Policy | null;
  /** The server does not know the kind of policies just now, and the node follows one: nobody can say whether it still stands. */
  readonly isPolicyUnknown: boolean;
  /** What its worker checks. */
  readonly planned: readonly PlannedCheck[];
  readonly custom: readonly ChosenCustom[];
  /** What a worker has to prove, one hash for each required check; none where there is no worker. */
  readonly requiredMarks: readonly Hash[];
  /** What has to be read before they can run. */
  readonly questions: readonly ServiceQuestion[];
  readonly lifecycle: LifecycleView | undefined;
  readonly record: VerificationRecord | undefined;
  /** Of this incarnation of the node. */
  readonly workers: readonly WorkerView[];
  /** Why the API server refused the worker of this name; empty when it did not. */
  readonly refusalOf: (workerName: string) => string;
  /** Control workers of its policy, in whatever state they are. */
  readonly controls: readonly WorkerView[];
  /** How many nodes could run one; asked only where it matters, because it looks at the whole fleet. */
  readonly controlHosts: (now: Instant) => number;
  /** Why the API server refused the last one; empty when it did not. */
  readonly controlRefusal: string;
  /** Names that its control workers have. */
  readonly controlNames: readonly string[];
  /** What was last read about its agents; undefined when nobody asked. */
  readonly answer: NodeAnswer | undefined;
  /** Keys that verification wrote. */
  readonly owned: readonly OwnedByUs[];
  /** Taints that the node says we wrote, whichever capability did. */
  readonly claimedTaints: readonly TaintId[];
};

export type OwnedByUs = { readonly kind: KeyKind; readonly key: string; readonly owner: Owner };

export type GatherPorts = ControlFactsPorts & {
  readonly fallback: Policy | null;
  readonly template: Pick<WorkerTemplate, 'checks' | 'custom' | 'config' | 'dnsService'>;
  readonly refusals: Refusals;
  readonly answers: Answers;
};

export function gather(caches: Caches, ports: GatherPorts, node: NodeView): Facts {
  const { specs, fallback, template, refusals, answers } = ports;
  const lifecycle = caches.of(specs.lifecycles).get(node.name);
  const record = verificationOf(lifecycle, node.uid);
  const keys = ownedOn(node);
  const isPolicyUnknown = !caches.of(specs.policies).isServed() && hasFollowed(record, keys.owned);
  const policy = isPolicyUnknown ? null : (policyFor(node, caches.of(specs.policies).values()) ?? fallback);
  const { own: planned, custom } = chosenChecks(policy, template);
  const workers = caches
    .of(specs.workers)
    .byIndex('node', node.name)
    .filter(({ nodeUID }) => nodeUID === node.uid);
  return {
    node,
    policy,
    isPolicyUnknown,
    planned,
    custom,
    requiredMarks: workers.length === 0 ? [] : marksOf(requiredOf({ own: planned, custom }), template.config),
    questions: questionsOf(policy, template.dnsService),
    lifecycle: lifecycle?.nodeUID === node.uid ? lifecycle : undefined,
    record,
    workers,
    refusalOf: (workerName) => refusals.of(workerName),
    answer: answers.of(node.name),
    ...controlFacts(caches, policy, ports),
    ...keys,
  };
}

export type ControlFacts = Pick<Facts, 'controls' | 'controlHosts' | 'controlRefusal' | 'controlNames'>;

const noControls: ControlFacts = {
  controls: [],
  controlHosts: () => 0,
  controlRefusal: '',
  controlNames: [],
};

export type ControlFactsPorts = {
  readonly specs: VerificationSpecs;
  readonly hosts: HostCounts;
  /** By the name of the policy. */
  readonly refusedControls: Refusals;
};

export function controlFacts(
  caches: Caches,
  policy: Policy | null,
  { specs, hosts, refusedControls }: ControlFactsPorts,
): ControlFacts {
  if (policy === null || !asksForPeers(policy)) return noControls;
  const policyOf = (node: NodeView) => policyFor(node, caches.of(specs.policies).values());
  return {
    controls: caches.of(specs.workers).byIndex('control', policy.name),
    controlHosts: (now) => hosts.of(caches, { specs, policy, policyOf }, now),
    controlRefusal: refusedControls.of(policy.name),
    controlNames: controlTerms(policy).names,
  };
}

/** Whether a policy that is an object, and not the one of the configuration, has spoken about the node. */
export function hasFollowed(
  record: Pick<VerificationRecord, 'policy'> | undefined,
  owned: readonly Pick<OwnedByUs, 'owner'>[] = [],
): boolean {
  return record?.policy !== undefined || owned.some(({ owner }) => owner !== capabilityName);
}

/** The highest priority; of equals the oldest, so that a policy that is added takes no node from one that is there. */
export function policyFor(node: Pick<NodeView, 'labels'>, views: Iterable<PolicyView>): Policy | null {
  let best: Policy | null = null;
  for (const view of views) {
    const { policy } = view;
    if (policy === null || !selects(view, node)) continue;
    if (best === null || isBefore(policy, best)) best = policy;
  }
  return best;
}

export function selects(
  { policy, isBeingDeleted }: PolicyView,
  { labels }: Pick<NodeView, 'labels'>,
): boolean {
  return policy !== null && !isBeingDeleted && (policy.selector === null || matches(policy.selector, labels));
}

function isBefore(a: Policy, b: Policy): boolean {
  if (a.priority !== b.priority) return a.priority > b.priority;
  return a.createdAt === b.createdAt ? a.name < b.name : a.createdAt < b.createdAt;
}

function ownedOn(node: NodeView): Pick<Facts, 'owned' | 'claimedTaints'> {
  const parsed = parseOwned(node.annotations[annotationKeys.owned]);
  if (parsed.kind === 'unreadable') return { owned: [], claimedTaints: [] };
  return { owned: entriesOf(parsed.record), claimedTaints: Object.keys(parsed.record.taints) };
}

function entriesOf(record: OwnedRecord): readonly OwnedByUs[] {
  return (['labels', 'taints'] as const).flatMap((kind) =>
    Object.entries(record[kind])
      .filter(([, { owner }]) => isOwnOwner(owner))
      .map(([key, { owner }]) => ({ kind, key, owner })),
  );
}
