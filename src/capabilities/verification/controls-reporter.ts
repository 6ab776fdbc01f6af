// Keeps control workers while nodes are being checked that need them: two per policy, each on a node of its own. Decided whole from
// records and pods each time, one write at a time; the names of the pods are the lock that keeps two operators from making more.

import type { Instant } from '../../base/clock.ts';
import type { LifecycleView } from '../../fleet/lifecycle.ts';
import type { NodeView } from '../../objects/node.ts';
import { podType } from '../../objects/ref.ts';
import type { AlsoWatched, ObjectReporter, ObjectWrite, ReportView } from '../../runtime/capability.ts';
import { canHost, type Host, hostsIn } from './control-hosts.ts';
import { controlPod } from './control-pod.ts';
import { type ControlsPorts, type Demand, demandsIn, isAskedFor } from './control-demand.ts';
import { freshMs } from './controls.ts';
import { policyFor } from './gather.ts';
import type { PolicyView } from './policy.ts';
import { deletionOf } from './worker-deletion.ts';
import { hasEnded, type WorkerView } from './worker-view.ts';

/** There are few of them, and all are looked at together. */
const KEY = 'controls';
/** The whole fleet is looked at, so not for each of a thousand nodes that join. */
const PERIOD_MS = 1_000;

export function controlsReporter(ports: ControlsPorts): ObjectReporter<WorkerView> {
  const { specs } = ports;
  const records: AlsoWatched<LifecycleView> = {
    watch: specs.lifecycles,
    keyOfObject: ({ verificationState }) => (verificationState === '' ? null : KEY),
  };
  const policies: AlsoWatched<PolicyView> = { watch: specs.policies, keyOfObject: () => KEY };
  const nodes: AlsoWatched<NodeView> = { watch: specs.nodes, keyOfObject: () => KEY };
  return {
    kind: 'object',
    name: 'verification-controls',
    type: 'node_verification',
    isUrgent: true,
    watch: specs.workers,
    periodMs: PERIOD_MS,
    filter: () => false,
    keysOf: () => [],
    keyOfObject: ({ isControl }) => (isControl ? KEY : null),
    also: [records, policies, nodes],
    *allKeys() {
      yield KEY;
    },
    next: (view, _key, now) => nextWrite(view, now, ports),
  };
}

function nextWrite(view: ReportView, now: Instant, ports: ControlsPorts): ObjectWrite | null {
  const { specs, template } = ports;
  const { caches } = view;
  const workers = [...caches.of(specs.workers).values()];
  const controls = workers.filter(({ isControl }) => isControl);
  const policies = caches.of(specs.policies);
  const isAsked = [...policies.values()].some(({ policy }) => policy !== null && isAskedFor(policy));
  // What cannot be read is not gone: a control worker ends by itself.
  if (!policies.isServed() || (!isAsked && controls.length === 0)) return null;
  const staff = { controls, workers, demands: isAsked ? demandsIn(view, ports) : new Map(), now };
  for (const control of controls) {
    const node = caches.of(specs.nodes).get(control.targetNode);
    const lifecycle = caches.of(specs.lifecycles).get(control.targetNode);
    if (control.deletionTimestamp === '' && isSurplus(control, { node, lifecycle }, staff))
      return deletionOf(control, { namespace: template.namespace, node, cause: 'control not needed' });
  }
  return creationOf(view, ports, staff);
}

type Staff = {
  readonly controls: readonly WorkerView[];
  readonly workers: readonly WorkerView[];
  readonly demands: ReadonlyMap<string, Demand>;
  readonly now: Instant;
};

type MaybeHost = { readonly node: NodeView | undefined; readonly lifecycle: LifecycleView | undefined };

/** How long one may take to answer: longer than its own checks, and than an image takes that most likely is there already. */
const READY_MS = 90_000;

function isSurplus(
  control: WorkerView,
  { node, lifecycle }: MaybeHost,
  { controls, workers, demands, now }: Staff,
): boolean {
  const demand = demands.get(control.policy);
  if (demand === undefined || !demand.terms.names.includes(control.name) || hasEnded(control)) return true;
  if (node === undefined || node.uid !== control.nodeUID || !canHost(node)) return true;
  if (lifecycle?.verificationState === 'failed') return true;
  const ageMs = now - control.orderedAt;
  if (!control.isReady && ageMs >= READY_MS) return true;
  const isUsed = workers.some((worker) => !hasEnded(worker) && worker.peers.includes(control.uid));
  if (ageMs >= freshMs && !isUsed) return true;
  // Two on one node are one witness.
  return controls.some(
    ({ policy, targetNode, name, deletionTimestamp }) =>
      policy === control.policy &&
      targetNode === control.targetNode &&
      name < control.name &&
      deletionTimestamp === '',
  );
}

function creationOf(view: ReportView, { specs, template }: ControlsPorts, staff: Staff): ObjectWrite | null {
  const { controls, demands, now } = staff;
  for (const { policy, terms, isPending, pools } of demands.values()) {
    const name = terms.names.find((each) => !controls.some((control) => control.name === each));
    if (!isPending || name === undefined) continue;
    const policyOf = (node: NodeView) => policyFor(node, view.caches.of(specs.policies).values());
    const isTaken = ({ node }: Host) =>
      controls.some((control) => control.policy === policy.name && control.targetNode === node.name);
    const hosts = [...hostsIn(view.caches, { specs, policy, policyOf })].filter((host) => !isTaken(host));
    const near = hosts.filter(({ node }) => pools.has(view.store.get(node.name)?.poolRef.name ?? ''));
    const host = turnOf(near.length > 0 ? near : hosts, now);
    if (host === undefined) continue;
    const body = controlPod({ ...host, name, word: terms.word, policy, template, now });
    const ref = { type: podType, namespace: template.namespace, name };
    return { kind: 'CreateObject', ref, body, cause: `control of ${policy.name}` };
  }
  return null;
}

const TURN_MS = 30_000;

/** Not always the same: the next one is tried where one could not be started. */
function turnOf(hosts: readonly Host[], now: Instant): Host | undefined {
  return hosts[Math.floor(now / TURN_MS) % hosts.length];
}
