// Keeps the condition `Verified` on nodes, where the operator is told to. It follows the record, which is written first, and
// is written only when it says something else than before: there is no heartbeat.

import { type LifecycleView, verificationOf } from '../../fleet/lifecycle.ts';
import type { NodeView } from '../../objects/node.ts';
import { nodeType } from '../../objects/ref.ts';
import type { Instant } from '../../base/clock.ts';
import type { AlsoWatched, ObjectReporter, ObjectWrite, ReportView } from '../../runtime/capability.ts';
import { policyFor } from './gather.ts';
import { conditionPatch } from './node-condition.ts';
import { capabilityName, type Policy } from './policy.ts';
import type { VerificationSpecs } from './specs.ts';

export type ConditionPorts = { readonly specs: VerificationSpecs; readonly fallback: Policy | null };

/** Who keeps a condition of the same type on the same node is answered at most this often. */
const PERIOD_MS = 5_000;

export function conditionReporter(ports: ConditionPorts): ObjectReporter<NodeView> {
  const { specs } = ports;
  const records: AlsoWatched<LifecycleView> = {
    watch: specs.lifecycles,
    keyOfObject: ({ name, verificationState }) => (verificationState === '' ? null : name),
  };
  return {
    kind: 'object',
    name: 'verification-condition',
    type: 'node_verification',
    watch: specs.nodes,
    periodMs: PERIOD_MS,
    filter: ({ verdicts }) => verdicts.some(({ capability }) => capability === capabilityName),
    keysOf: ({ oldState, newState }) => [newState?.name ?? oldState?.name ?? ''].filter(Boolean),
    keyOfObject: ({ name }) => name,
    also: [records],
    allKeys: ({ caches }) => caches.of(specs.nodes).keys(),
    next: (view, key, now) => nextWrite(view, { name: key, now }, ports),
    // What is refused is refused for the next node too: it is tried again when the node changes, and not before.
    wrote: () => false,
  };
}

type Moment = { readonly name: string; readonly now: Instant };

function nextWrite(
  { caches }: ReportView,
  { name, now }: Moment,
  { specs, fallback }: ConditionPorts,
): ObjectWrite | null {
  const node = caches.of(specs.nodes).get(name);
  if (node === undefined) return null;
  const record = verificationOf(caches.of(specs.lifecycles).get(name), node.uid);
  const policy = policyFor(node, caches.of(specs.policies).values()) ?? fallback;
  const condition = conditionPatch({ node, record, hasPolicy: policy !== null, now });
  if (condition === null) return null;
  const { uid, resourceVersion } = node;
  return {
    kind: 'PatchConditions',
    target: { ref: { type: nodeType, namespace: '', name }, uid, resourceVersion },
    conditions: [condition],
    cause: record?.state ?? 'no policy',
  };
}
