// What a NodeVerification says of its nodes: counted whole from the store each time, never kept up to date in place.

import type { NodeVerificationStatus } from '../../api/node-verification.ts';
import type { Reason } from '../../api/reasons.ts';
import { formatProblem, type Problem } from '../../base/result.ts';
import { verificationLimits as limits } from '../../api/verification-vocabulary.ts';
import { cut } from '../../fleet/bounds.ts';
import { type LifecycleView, statusOf } from '../../fleet/lifecycle.ts';
import type { NodeState, Verdict } from '../../fleet/node-state.ts';
import type { Caches } from '../../runtime/ports.ts';
import type { ReportView, StatusReporter, StatusTarget } from '../../runtime/capability.ts';
import { nodeVerificationType } from '../../api/keys.ts';
import { capabilityName } from './policy.ts';
import type { VerificationSpecs } from './specs.ts';

const PERIOD_MS = 5_000;
const FAILED_NODES_MAX = 20;
const OWNER_PREFIX = `${capabilityName}/NodeVerification/`;

type FailedNode = NonNullable<NodeVerificationStatus['failedNodes']>[number];

export function statusReporter(specs: VerificationSpecs): StatusReporter {
  return {
    name: 'verification-status',
    type: 'node_verification',
    watch: specs.policies,
    periodMs: PERIOD_MS,
    keysOf: ({ oldState, newState }) => [...new Set([oldState, newState].flatMap(policiesOf))],
    target: (caches, key) => targetOf(caches, specs, key),
    report: (view, key) => reportOf(view, specs, key),
  };
}

function policiesOf(state: NodeState | null): readonly string[] {
  return (state?.verdicts ?? []).flatMap(({ parent }) =>
    parent.startsWith(OWNER_PREFIX) ? [parent.slice(OWNER_PREFIX.length)] : [],
  );
}

function targetOf(caches: Caches, specs: VerificationSpecs, name: string): StatusTarget | null {
  const view = caches.of(specs.policies).get(name);
  if (view === undefined || view.isBeingDeleted) return null;
  const status: unknown = JSON.parse(view.statusText);
  const ref = { type: nodeVerificationType, namespace: '', name };
  return { ref, uid: view.uid, resourceVersion: view.resourceVersion, status };
}

function reportOf(
  { store, caches }: ReportView,
  specs: VerificationSpecs,
  name: string,
): NodeVerificationStatus {
  const { policy, problems = [] } = caches.of(specs.policies).get(name) ?? {};
  const generation = policy?.generation;
  const owner = `${OWNER_PREFIX}${name}`;
  const found = [...store.getAll()].flatMap((state) => {
    const verdict = verdictOf(state, owner);
    return verdict === undefined ? [] : [{ name: state.name, verdict, isHeld: isHeldOff(state, owner) }];
  });
  const { leftAlone = [], followed = [] } = Object.groupBy(found, ({ verdict }) =>
    isLeftAlone(verdict) ? 'leftAlone' : 'followed',
  );
  const count = (...states: readonly string[]) =>
    followed.filter(({ verdict }) => states.includes(verdict.detail ?? '')).length;
  const failed = followed.filter(
    ({ verdict }) => verdict.detail === 'failed' || verdict.detail === 'deleting',
  );
  const held = found.filter(({ isHeld }) => isHeld).length;
  return {
    ...(generation === undefined ? {} : { observedGeneration: generation }),
    nodes: found.length,
    verified: count('verified'),
    inProgress: count('pending', 'in_progress'),
    waiting: count('unverified', ''),
    failed: failed.length,
    leftAlone: leftAlone.length,
    ...(held === 0 ? {} : { held }),
    ...(problems.length === 0 ? {} : { problems: problems.slice(0, limits.problemsMax).map(inShort) }),
    failedNodes: failed
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .slice(0, FAILED_NODES_MAX)
      .map((each) => failedNode(each.name, each.verdict, caches.of(specs.lifecycles).get(each.name))),
  };
}

/** By the record of a check that failed: the verdict of the moment may be that it is tried again. */
function failedNode(nodeName: string, verdict: Verdict, lifecycle: LifecycleView | undefined): FailedNode {
  const record = lifecycle === undefined ? undefined : statusOf(lifecycle).verification;
  const hasFailed = record?.verdict === 'fail';
  const reason = (hasFailed ? record.reason : undefined) ?? verdict.reason;
  const message = (hasFailed ? record.lastError : undefined) ?? verdict.message;
  return { nodeName, reason: cut(reason, 64), ...(message === '' ? {} : { message: cut(message, 128) }) };
}

function inShort(problem: Problem): string {
  return cut(formatProblem(problem), limits.problemLengthMax);
}

/** Nothing is expected of it, and nothing was found out. */
function isLeftAlone({ reason, detail = '' }: Verdict): boolean {
  return leftAloneReasons.includes(reason) && (detail === '' || detail === 'unverified');
}

const leftAloneReasons: readonly string[] = [
  'NotOnboarded',
  'ManualOverride',
  'VerificationSuspended',
] satisfies readonly Reason[];

function isHeldOff({ verdicts }: NodeState, owner: string): boolean {
  return verdicts.some(({ parent, isKeptOff }) => parent === owner && isKeptOff === true);
}

function verdictOf({ verdicts }: NodeState, owner: string): Verdict | undefined {
  return verdicts.find(({ parent, detail }) => parent === owner && detail !== undefined);
}
