// Keeps control workers while nodes are being checked that need them: two per policy, each on a node of its own, and their successors in
// time. Decided whole from records and pods each time, one write at a time for each policy; the names of the pods are the lock that keeps
// two operators from making more.

import type { Instant } from '../../base/clock.ts';
import { isRunning, type LifecycleView, verificationOf } from '../../fleet/lifecycle.ts';
import type { NodeView } from '../../objects/node.ts';
import { podType } from '../../objects/ref.ts';
import type { AlsoWatched, ObjectReporter, ObjectWrite, ReportView } from '../../runtime/capability.ts';
import type { Caches } from '../../runtime/ports.ts';
import { canHost, type Host, hostsIn } from './control-hosts.ts';
import { controlPod } from './control-pod.ts';
import { type Demand, demandFor } from './control-demand.ts';
import { controlsMax, freshMs, isYoung } from './controls.ts';
import { policyFor } from './gather.ts';
import type { PolicyView } from './policy.ts';
import type { Refusals } from './refusals.ts';
import type { VerificationSpecs } from './specs.ts';
import { deletionOf } from './worker-deletion.ts';
import type { WorkerTemplate } from './worker-pod.ts';
import { hasEnded, type WorkerView } from './worker-view.ts';

export type ControlsPorts = {
  readonly specs: VerificationSpecs;
  readonly template: WorkerTemplate;
  /** Policies, by name, whose control worker the API server would not take. */
  readonly refusedControls: Refusals;
};

/** The whole fleet is looked at, so not for each of a thousand nodes that join. */
const PERIOD_MS = 1_000;
/** What was refused will most likely be refused again. */
const REFUSED_PERIOD_MS = 10_000;

/** Its keys are the names of policies: one whose pods are refused holds up no other. */
export function controlsReporter(ports: ControlsPorts): ObjectReporter<WorkerView> {
  const { specs, refusedControls } = ports;
  const policyOf = (node: NodeView | undefined, caches: Caches) =>
    node === undefined ? null : (policyFor(node, caches.of(specs.policies).values())?.name ?? null);
  const records: AlsoWatched<LifecycleView> = {
    watch: specs.lifecycles,
    keyOfObject: ({ name, verificationState }, caches) =>
      verificationState === '' ? null : policyOf(caches.of(specs.nodes).get(name), caches),
  };
  const policies: AlsoWatched<PolicyView> = { watch: specs.policies, keyOfObject: ({ name }) => name };
  const nodes: AlsoWatched<NodeView> = { watch: specs.nodes, keyOfObject: policyOf };
  return {
    kind: 'object',
    name: 'verification-controls',
    type: 'node_verification',
    isUrgent: true,
    watch: specs.workers,
    periodMs: PERIOD_MS,
    periodMsFor: (policy) => (refusedControls.of(policy) === '' ? PERIOD_MS : REFUSED_PERIOD_MS),
    filter: () => false,
    keysOf: () => [],
    keyOfObject: ({ isControl, policy }) => (isControl ? policy : null),
    also: [records, policies, nodes],
    *allKeys({ caches }) {
      yield* caches.of(specs.policies).keys();
      for (const { isControl, policy } of caches.of(specs.workers).values()) if (isControl) yield policy;
    },
    next: (view, policyName, now) => nextWrite(view, { policyName, now }, ports),
    wrote(policyName, write, refusal) {
      if (write.kind !== 'CreateObject') return false;
      if (refusal === null) refusedControls.forget(policyName);
      else refusedControls.note(policyName, refusal);
      return false;
    },
  };
}

type Moment = { readonly policyName: string; readonly now: Instant };

function nextWrite(view: ReportView, { policyName, now }: Moment, ports: ControlsPorts): ObjectWrite | null {
  const { specs, template } = ports;
  const { caches } = view;
  // What cannot be read is not gone: a control worker ends by itself.
  if (!caches.of(specs.policies).isServed()) return null;
  const controls = caches.of(specs.workers).byIndex('control', policyName);
  const demand = demandFor(view, specs, policyName);
  const staff = { caches, controls, now };
  for (const control of controls) {
    if (control.deletionTimestamp !== '' || !isSurplus(control, demand, { ...staff, specs })) continue;
    const node = caches.of(specs.nodes).get(control.targetNode);
    return deletionOf(control, { namespace: template.namespace, node, cause: 'control not needed' });
  }
  return demand === null ? null : creationOf(view, demand, { ...staff, specs, template });
}

type Staff = {
  readonly caches: Caches;
  readonly specs: VerificationSpecs;
  /** Of the policy, in whatever state they are. */
  readonly controls: readonly WorkerView[];
  readonly now: Instant;
};

/** For a kubelet that is slow to start one, besides the time that its own checks may take. */
const START_MS = 30_000;

function isSurplus(control: WorkerView, demand: Demand | null, staff: Staff): boolean {
  const { caches, specs, controls, now } = staff;
  if (demand === null || !demand.terms.names.includes(control.name) || hasEnded(control)) return true;
  const { policy } = demand;
  const node = caches.of(specs.nodes).get(control.targetNode);
  if (node === undefined || node.uid !== control.nodeUID || !canHost(node)) return true;
  if (caches.of(specs.lifecycles).get(control.targetNode)?.verificationState === 'failed') return true;
  const ageMs = now - control.orderedAt;
  if (!control.isReady && ageMs >= policy.workerTimeoutMs + START_MS) return true;
  if (!isYoung(control, policy, now)) return ageMs >= freshMs(policy) && !isUsed(control, staff);
  // Two on one node are one witness.
  return controls.some(
    (other) =>
      other.targetNode === control.targetNode && other.name < control.name && isYoung(other, policy, now),
  );
}

/** Until whoever was told of it has been judged: a failure counts only while those stand against whom it was found. */
function isUsed({ uid }: WorkerView, { caches, specs }: Staff): boolean {
  const isUnjudged = ({ name, targetNode, nodeUID }: WorkerView) => {
    const record = verificationOf(caches.of(specs.lifecycles).get(targetNode), nodeUID);
    return record !== undefined && isRunning(record) && record.workerPod === name;
  };
  return [...caches.of(specs.workers).values()].some(
    (worker) => worker.peers.includes(uid) && (!hasEnded(worker) || isUnjudged(worker)),
  );
}

type Plan = Staff & { readonly template: WorkerTemplate };

function creationOf(view: ReportView, { policy, terms, pools }: Demand, plan: Plan): ObjectWrite | null {
  const { caches, specs, controls, template, now } = plan;
  const young = controls.filter((control) => isYoung(control, policy, now));
  const name = terms.names.find((each) => !controls.some((control) => control.name === each));
  if (pools.size === 0 || young.length >= controlsMax || name === undefined) return null;
  const policyOf = (node: NodeView) => policyFor(node, caches.of(specs.policies).values());
  const hosts = [...hostsIn(caches, { specs, policy, policyOf })].filter((host) => !hasOne(host, young));
  const near = preferred(hosts, ({ node }) => pools.has(view.store.get(node.name)?.poolRef.name ?? ''));
  const host = turnOf(
    preferred(near, (each) => !hasOne(each, controls)),
    now,
  );
  if (host === undefined) return null;
  const body = controlPod({ ...host, name, word: terms.word, policy, template, now });
  const ref = { type: podType, namespace: template.namespace, name };
  return { kind: 'CreateObject', ref, body, cause: `control of ${policy.name}` };
}

function hasOne({ node }: Host, controls: readonly WorkerView[]): boolean {
  return controls.some(({ targetNode }) => targetNode === node.name);
}

function preferred(hosts: readonly Host[], isBetter: (host: Host) => boolean): readonly Host[] {
  const better = hosts.filter(isBetter);
  return better.length > 0 ? better : hosts;
}

const TURN_MS = 30_000;

/** Not always the same: the next one is tried where one could not be started. */
function turnOf(hosts: readonly Host[], now: Instant): Host | undefined {
  return hosts[Math.floor(now / TURN_MS) % hosts.length];
}
