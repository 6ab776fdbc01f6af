// What a NodeVerification says of its nodes: counted whole from the store each time, never kept up to date in place.

import type { NodeVerificationStatus } from '../../api/node-verification.ts';
import { formatProblem, type Problem } from '../../base/result.ts';
import { verificationLimits as limits } from '../../api/verification-vocabulary.ts';
import { cut } from '../../fleet/bounds.ts';
import type { NodeState, Verdict } from '../../fleet/node-state.ts';
import type { Caches } from '../../runtime/ports.ts';
import type { ReportView, StatusReporter, StatusTarget } from '../../runtime/capability.ts';
import { nodeVerificationType } from '../../api/keys.ts';
import { capabilityName } from './policy.ts';
import type { VerificationSpecs } from './specs.ts';

const PERIOD_MS = 5_000;
const FAILED_NODES_MAX = 20;
const OWNER_PREFIX = `${capabilityName}/NodeVerification/`;

export function statusReporter(specs: VerificationSpecs): StatusReporter {
  return {
    name: 'verification-status',
    type: 'node_verification',
    watch: specs.policies,
    periodMs: PERIOD_MS,
    keysOf: ({ oldState, newState }) => [...new Set([oldState, newState].flatMap(policiesOf))],
    target: (caches, key) => targetOf(caches, specs, key),
    report: (view, key) => statusOf(view, specs, key),
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

function statusOf(
  { store, caches }: ReportView,
  specs: VerificationSpecs,
  name: string,
): NodeVerificationStatus {
  const { policy, problems = [] } = caches.of(specs.policies).get(name) ?? {};
  const generation = policy?.generation;
  const found = [...store.getAll()].flatMap((state) => {
    const verdict = verdictOf(state, `${OWNER_PREFIX}${name}`);
    return verdict === undefined ? [] : [{ name: state.name, verdict }];
  });
  const count = (...states: readonly string[]) =>
    found.filter(({ verdict }) => states.includes(verdict.detail ?? '')).length;
  const failed = found.filter(({ verdict }) => verdict.detail === 'failed' || verdict.detail === 'deleting');
  return {
    ...(generation === undefined ? {} : { observedGeneration: generation }),
    nodes: found.length,
    verified: count('verified'),
    inProgress: count('pending', 'in_progress'),
    waiting: count('unverified', ''),
    failed: failed.length,
    ...(problems.length === 0 ? {} : { problems: problems.slice(0, limits.problemsMax).map(inShort) }),
    failedNodes: failed
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .slice(0, FAILED_NODES_MAX)
      .map(({ name: nodeName, verdict: { reason, message } }) => ({
        nodeName,
        reason: cut(reason, 64),
        ...(message === '' ? {} : { message: cut(message, 128) }),
      })),
  };
}

function inShort(problem: Problem): string {
  return cut(formatProblem(problem), limits.problemLengthMax);
}

function verdictOf({ verdicts }: NodeState, owner: string): Verdict | undefined {
  return verdicts.find(({ parent, detail }) => parent === owner && detail !== undefined);
}
