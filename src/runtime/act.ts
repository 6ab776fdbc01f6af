// The only code that writes. One exhaustive switch from an action to one guarded call; before each call it asks whether this
// replica still leads, after each it says in one log line what was done, why, and on what evidence.

import { unreachable } from '../base/assert.ts';
import type { Log } from '../base/log.ts';
import type { Counter, Metrics } from '../base/metrics.ts';
import { nodeLifecycleType } from '../api/keys.ts';
import type { NodeLifecycleSpec } from '../api/node-lifecycle.ts';
import type { LifecycleView } from '../fleet/lifecycle.ts';
import type { NodeView } from '../objects/node.ts';
import type { RawObject } from '../objects/raw.ts';
import { apiVersionOf, formatRef, nodeType, type ObjectRef, type ResourceType } from '../objects/ref.ts';
import type { ConditionPatch, ObjectWrite, Target } from './capability.ts';
import type { Answer, ApiFailure, KubeApi, Leadership } from './ports.ts';

/** What a pass over a node writes. */
export type NodeStep =
  | {
      readonly kind: 'PatchNode';
      readonly node: NodeView;
      readonly patch: unknown;
      readonly causes: readonly string[];
    }
  | { readonly kind: 'CreateLifecycle'; readonly node: NodeView }
  | { readonly kind: 'DeleteLifecycle'; readonly lifecycle: LifecycleView; readonly cause: string }
  | {
      readonly kind: 'WriteLifecycle';
      readonly lifecycle: LifecycleView;
      readonly patch: unknown;
      readonly cause: 'record' | 'display';
    };

export type Action = NodeStep | ObjectWrite;

/** Three-valued: done, not done, or unknown. Unknown is re-read, never assumed. */
export type ActOutcome =
  | { readonly kind: 'done'; readonly object: RawObject }
  /** Somebody else wrote first, or the object is of another incarnation: read live and decide again. */
  | { readonly kind: 'conflict' }
  /** The server will never accept this. */
  | { readonly kind: 'rejected'; readonly failure: ApiFailure }
  | { readonly kind: 'unknown'; readonly failure: ApiFailure }
  | { readonly kind: 'failed'; readonly failure: ApiFailure }
  | { readonly kind: 'notLeading' };

export type Act = (action: Action) => Promise<ActOutcome>;

export type ActPorts = {
  readonly api: KubeApi;
  readonly leadership: Leadership;
  readonly log: Log;
  readonly metrics: Metrics;
};

export function createAct({ api, leadership, log, metrics }: ActPorts): Act {
  const writes = metrics.counter({
    name: 'muster_writes_total',
    help: 'Writes to the API server by action and outcome',
    labels: ['action', 'outcome'],
  });
  return async (action) => {
    const epoch = leadership.epoch();
    if (epoch === null) return { kind: 'notLeading' };
    const outcome = outcomeOf(await carryOut(api, action));
    audit({ action, outcome, epoch }, log, writes);
    return outcome;
  };
}

function carryOut(api: KubeApi, action: Action): Promise<Answer<RawObject>> {
  switch (action.kind) {
    case 'PatchNode':
      return api.patch(clusterRef(nodeType, action.node.name), { kind: 'merge', body: action.patch });
    case 'CreateLifecycle':
      return api.create(clusterRef(nodeLifecycleType, action.node.name), lifecycleFor(action.node));
    case 'DeleteLifecycle': {
      const { name, uid, resourceVersion } = action.lifecycle;
      return api.delete(clusterRef(nodeLifecycleType, name), { uid, resourceVersion });
    }
    case 'WriteLifecycle':
      return writeStatus(
        api,
        { ref: clusterRef(nodeLifecycleType, action.lifecycle.name), ...action.lifecycle },
        action.patch,
      );
    case 'WriteStatus':
      return writeStatus(api, action.target, action.patch);
    case 'CreateObject':
      return api.create(action.ref, action.body);
    case 'PatchObject':
      return patchObject(api, action.target, action.patch);
    case 'PatchConditions':
      return patchConditions(api, action.target, action.conditions);
    case 'DeleteObject':
      return deleteObject(api, action);
    default:
      return unreachable(action);
  }
}

function deleteObject(
  api: KubeApi,
  { target: { ref, uid, resourceVersion }, graceSeconds }: Extract<Action, { kind: 'DeleteObject' }>,
): Promise<Answer<RawObject>> {
  const grace = graceSeconds === undefined ? {} : { gracePeriodSeconds: graceSeconds };
  return api.delete(ref, { uid, resourceVersion, ...grace });
}

function patchObject(
  api: KubeApi,
  { ref, uid, resourceVersion }: Target,
  patch: { readonly metadata?: object },
): Promise<Answer<RawObject>> {
  const body = { ...patch, metadata: { ...patch.metadata, uid, resourceVersion } };
  return api.patch(ref, { kind: 'merge', body });
}

/** A strategic merge goes by the type of each condition: a merge patch would have to carry those of all others along. */
function patchConditions(
  api: KubeApi,
  { ref, uid, resourceVersion }: Target,
  conditions: readonly ConditionPatch[],
): Promise<Answer<RawObject>> {
  const body = { metadata: { uid, resourceVersion }, status: { conditions } };
  return api.patch(ref, { kind: 'strategic', body }, { subresource: 'status' });
}

function writeStatus(
  api: KubeApi,
  { ref, uid, resourceVersion }: Target,
  status: unknown,
): Promise<Answer<RawObject>> {
  const body = { metadata: { uid, resourceVersion }, status };
  return api.patch(ref, { kind: 'merge', body }, { subresource: 'status' });
}

function clusterRef(type: ResourceType, name: string): ObjectRef {
  return { type, namespace: '', name };
}

/** The Node owns it, so that it goes with the node; an owner that blocks deletion would need rights on finalizers. */
function lifecycleFor(node: NodeView): RawObject {
  const spec: NodeLifecycleSpec = { nodeName: node.name, nodeUID: node.uid };
  return {
    apiVersion: apiVersionOf(nodeLifecycleType),
    kind: nodeLifecycleType.kind,
    metadata: {
      name: node.name,
      ownerReferences: [
        { apiVersion: apiVersionOf(nodeType), kind: nodeType.kind, name: node.name, uid: node.uid },
      ],
    },
    spec,
  };
}

function outcomeOf(answer: Answer<RawObject>): ActOutcome {
  if (answer.kind === 'ok') return { kind: 'done', object: answer.value };
  const failure = answer.error;
  if (failure.effect === 'unknown') return { kind: 'unknown', failure };
  switch (failure.reason) {
    case 'Conflict':
    case 'AlreadyExists':
    case 'NotFound':
      return { kind: 'conflict' };
    default:
      return failure.retry === 'never' ? { kind: 'rejected', failure } : { kind: 'failed', failure };
  }
}

type Audited = { readonly action: Action; readonly outcome: ActOutcome; readonly epoch: number };

function audit({ action, outcome, epoch }: Audited, log: Log, writes: Counter): void {
  writes.add({ action: action.kind, outcome: outcome.kind });
  const fields = { action: action.kind, ...evidenceOf(action), epoch, outcome: outcome.kind };
  if (outcome.kind === 'done')
    log.info('write', { ...fields, resourceVersion: outcome.object.metadata?.resourceVersion });
  else if ('failure' in outcome)
    log.warn('write', { ...fields, reason: outcome.failure.reason, error: outcome.failure.message });
  else log.info('write', fields);
}

function evidenceOf(action: Action): {
  readonly object: string;
  readonly cause: unknown;
  readonly evidence: string;
} {
  switch (action.kind) {
    case 'PatchNode':
      return {
        object: `Node ${action.node.name}`,
        cause: action.causes,
        evidence: action.node.resourceVersion,
      };
    case 'CreateLifecycle':
      return {
        object: `NodeLifecycle ${action.node.name}`,
        cause: 'NodeCreated',
        evidence: action.node.resourceVersion,
      };
    case 'DeleteLifecycle':
    case 'WriteLifecycle': {
      const { name, resourceVersion } = action.lifecycle;
      return { object: `NodeLifecycle ${name}`, cause: action.cause, evidence: resourceVersion };
    }
    case 'CreateObject':
      return { object: formatRef(action.ref), cause: action.cause, evidence: '' };
    case 'WriteStatus':
    case 'PatchObject':
    case 'PatchConditions':
    case 'DeleteObject':
      return {
        object: formatRef(action.target.ref),
        cause: action.cause,
        evidence: action.target.resourceVersion,
      };
    default:
      return unreachable(action);
  }
}
