// A verification policy as the engine sees it, whether a NodeVerification says it or the configuration of the operator. Read
// once, when it enters the cache: a policy or all of its problems.

import type { Instant } from '../../base/clock.ts';
import { formatProblem, type Problem } from '../../base/result.ts';
import { parseTime } from '../../base/timestamp.ts';
import type { CustomCheck } from '../../api/custom-check.ts';
import { verificationKeys } from '../../api/keys.ts';
import type { NodeVerificationSpec } from '../../api/node-verification.ts';
import { ownLabelProblem, taintKeyProblem } from '../../api/own-keys.ts';
import {
  type ChangeAction,
  type Onboarding,
  type RetryBackoff,
  verificationDefaults as defaults,
} from '../../api/verification-vocabulary.ts';
import { fieldsOf, type ObjectView, type RawObject, recordsIn, textOf, viewOf } from '../../objects/raw.ts';
import { parseSelector, type Selector } from '../../objects/selector.ts';
import { type TaintId, taintId } from '../../objects/taint.ts';
import type { Owner } from '../../objects/wish.ts';
import { addressProblems } from './addresses.ts';
import { peerProblems } from './controls.ts';
import { checkProblems } from './custom-checks.ts';
import { requirementProblems } from './policies/requirements.ts';

export const capabilityName = 'verification';

export type WorkerSpec = NonNullable<NodeVerificationSpec['worker']>;
export type PlannedCheck = NonNullable<NodeVerificationSpec['checks']>[number];
export type Requirements = NonNullable<NodeVerificationSpec['requirements']>;

export type Policy = {
  /** Empty for the one of the configuration. */
  readonly name: string;
  /** Of one that is deleted and made anew only this differs. Empty for the one of the configuration. */
  readonly uid: string;
  readonly owner: Owner;
  readonly generation: number;
  readonly createdAt: Instant;
  readonly priority: number;
  /** Null: every node. */
  readonly selector: Selector | null;
  readonly isSuspended: boolean;
  /** Why it cannot be followed; empty when it can. Its nodes are kept as they are, never checked by less than it says. */
  readonly refusal: string;
  readonly taints: readonly { readonly id: TaintId; readonly value: string }[];
  readonly label: { readonly key: string; readonly value: string };
  /** Null: what a worker checks when nobody chooses. */
  readonly checks: readonly PlannedCheck[] | null;
  readonly requirements: Requirements;
  readonly workerTimeoutMs: number;
  readonly attemptsMax: number;
  readonly retryBackoff: RetryBackoff;
  readonly nodeReadyTimeoutMs: number;
  readonly deadlineMs: number;
  readonly worker: WorkerSpec;
  /** Null: never by time alone. */
  readonly intervalMs: number | null;
  readonly onReboot: ChangeAction;
  readonly onUpdate: ChangeAction;
  readonly failuresBeforeGate: number;
  readonly onboarding: Onboarding;
  readonly isDeleting: boolean;
};

export type PolicyView = ObjectView & {
  readonly policy: Policy | null;
  readonly problems: readonly Problem[];
  readonly isBeingDeleted: boolean;
  readonly statusText: string;
};

const OWNER_PREFIX = `${capabilityName}/NodeVerification/`;

export function policyOwner(name: string): Owner {
  return `${OWNER_PREFIX}${name}`;
}

export function isOwnOwner(owner: Owner): boolean {
  return owner === capabilityName || owner.startsWith(OWNER_PREFIX);
}

export function projectPolicy(raw: RawObject, custom: readonly CustomCheck[] = []): PolicyView {
  const view = viewOf(raw);
  const { generation = 0, creationTimestamp, deletionTimestamp } = raw.metadata ?? {};
  const spec = fieldsOf(raw.spec);
  const selector = parseSelector(spec['nodeSelector'], 'spec.nodeSelector');
  const problems = [
    ...(selector.kind === 'error' ? selector.error : emptySelector(selector.value)),
    ...keyProblems(spec),
  ];
  const asked: Partial<NodeVerificationSpec> = spec;
  const checks = asked.checks ?? [];
  const refusals = [
    ...checkProblems(checks, custom),
    ...addressProblems(checks),
    ...peerProblems(checks),
    ...requirementProblems(asked.requirements ?? {}),
  ];
  const owned = {
    name: view.name,
    uid: view.uid,
    owner: policyOwner(view.name),
    generation,
    createdAt: parseTime(creationTimestamp) ?? 0,
    refusal: refusals.map(formatProblem).join('; '),
  };
  return {
    ...view,
    policy: selector.kind === 'ok' && problems.length === 0 ? policyFrom(owned, spec, selector.value) : null,
    problems: [...problems, ...refusals],
    isBeingDeleted: textOf(deletionTimestamp) !== '',
    statusText: JSON.stringify(fieldsOf(raw.status)),
  };
}

function emptySelector(selector: Selector): readonly Problem[] {
  return selector.length === 0
    ? [{ path: 'spec.nodeSelector', message: 'is empty, which matches nothing' }]
    : [];
}

/** What the API server would refuse today may have been stored yesterday. */
function keyProblems(spec: Readonly<Record<string, unknown>>): readonly Problem[] {
  const taints = recordsIn(spec['taints']).map(({ key }, index) => ({
    path: `spec.taints[${index}].key`,
    message: taintKeyProblem(textOf(key)),
  }));
  const label = fieldsOf(spec['verifiedLabel'])['key'];
  const labelProblem = label === undefined ? null : ownLabelProblem(textOf(label));
  return [...taints, { path: 'spec.verifiedLabel.key', message: labelProblem }].flatMap(
    ({ path, message }) => (message === null ? [] : [{ path, message }]),
  );
}

/** What the configuration of the operator says for every node that no NodeVerification selects. */
export function defaultPolicy(spec: Omit<NodeVerificationSpec, 'nodeSelector'>): Policy {
  const owned = { name: '', uid: '', owner: capabilityName, generation: 0, createdAt: 0, refusal: '' };
  return policyFrom(owned, spec, null);
}

type Owned = Pick<Policy, 'name' | 'uid' | 'owner' | 'generation' | 'createdAt' | 'refusal'>;

function policyFrom(
  owned: Owned,
  spec: Omit<NodeVerificationSpec, 'nodeSelector'>,
  selector: Selector | null,
): Policy {
  const { reverification = {} } = spec;
  const second = 1000;
  return {
    ...owned,
    priority: spec.priority ?? 0,
    selector,
    isSuspended: spec.suspend ?? false,
    taints: (spec.taints ?? [usualTaint]).map(({ key, effect, value = '' }) => ({
      id: taintId({ key, effect }),
      value,
    })),
    label: {
      key: spec.verifiedLabel?.key ?? verificationKeys.verifiedLabel,
      value: spec.verifiedLabel?.value ?? defaults.labelValue,
    },
    checks: spec.checks ?? null,
    requirements: spec.requirements ?? {},
    workerTimeoutMs: (spec.workerTimeoutSeconds ?? defaults.workerTimeoutSeconds) * second,
    attemptsMax: spec.maxRetries ?? defaults.maxRetries,
    retryBackoff: spec.retryBackoff ?? defaults.retryBackoff,
    nodeReadyTimeoutMs: (spec.nodeReadyTimeoutSeconds ?? defaults.nodeReadyTimeoutSeconds) * second,
    deadlineMs: (spec.deadlineSeconds ?? defaults.deadlineSeconds) * second,
    worker: spec.worker ?? {},
    intervalMs: reverification.intervalSeconds === undefined ? null : reverification.intervalSeconds * second,
    onReboot: reverification.onReboot ?? defaults.onReboot,
    onUpdate: reverification.onUpdate ?? defaults.onUpdate,
    failuresBeforeGate: reverification.failuresBeforeGate ?? defaults.failuresBeforeGate,
    onboarding: spec.onboarding ?? defaults.onboarding,
    isDeleting: spec.deleteFailedNodes ?? false,
  };
}

const usualTaint = {
  key: verificationKeys.taint,
  effect: defaults.taintEffect,
  value: defaults.taintValue,
} as const;
