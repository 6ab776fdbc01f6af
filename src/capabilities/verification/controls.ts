// Control workers: they run on nodes that are verified already and echo for workers on nodes that are not. Which checks ask for
// them, which of them can be relied on, and how much a failure against them is worth. Pure.

import { hashFields } from '../../base/hash.ts';
import type { Instant } from '../../base/clock.ts';
import type { Problem } from '../../base/result.ts';
import type { PlannedCheck, Policy } from './policy.ts';
import type { WorkerView } from './worker-view.ts';

/** On different nodes: of one alone nobody can say at which end of the way the fault is. */
export const controlsMax = 2;
/** Needs no privileges, and is nobody's. */
export const echoPort = 8007;
/** For how long a control worker is told of. It echoes for longer, so that whoever was told of it last can finish. */
export const freshMs = 600_000;
/** What a worker is told of while there is nobody to tell it of. */
export const noPeers = 'none';

/** Checks of the configuration run as the administrator wrote them. */
export function asksForPeers(policy: Pick<Policy, 'checks'> | null): boolean {
  return policy?.checks?.some(isAsking) === true;
}

/** An advisory check holds no node up, so none waits for its sake. */
function mustHavePeers({ checks }: Pick<Policy, 'checks'>): boolean {
  return checks?.some((check) => isAsking(check) && check.severity !== 'advisory') === true;
}

export function isAsking({ name, params = {} }: PlannedCheck): boolean {
  return (name === 'peer-echo' || name === 'mtu') && (params.peers ?? []).length === 0;
}

/** What no number of control workers would ever satisfy. */
export function peerProblems(checks: readonly PlannedCheck[]): readonly Problem[] {
  return checks.flatMap((check, index) => {
    const { peersMin = 1 } = check.params ?? {};
    if (!isAsking(check) || peersMin <= controlsMax) return [];
    const message = `is ${peersMin}, but there are ${controlsMax} control workers at most; name peers, or ask for fewer`;
    return [{ path: `spec.checks[${index}].params.peersMin`, message }];
  });
}

/** The same checks with the addresses of those that echo. Where there are none, nobody can run them, and they decide nothing. */
export function withPeers(
  planned: readonly PlannedCheck[],
  controls: readonly Pick<WorkerView, 'podIP'>[],
): readonly PlannedCheck[] {
  const peers = controls.map(({ podIP }) => ({ address: podIP, port: echoPort }));
  return planned.map((check) => {
    if (!isAsking(check)) return check;
    return peers.length === 0
      ? { ...check, severity: 'advisory' }
      : { ...check, params: { ...check.params, peers } };
  });
}

export type ControlTerms = { readonly word: string; readonly names: readonly string[] };

const PREFIX = 'node-ready-control-';
const NAME_LENGTH_MAX = 63;

/** The same for one policy, whoever asks: the creation of a name is the lock. */
export function controlTerms({ name, uid }: Pick<Policy, 'name' | 'uid'>): ControlTerms {
  const mark = hashFields([uid]).slice(0, 10);
  const names = Array.from({ length: controlsMax }, (_, index) => {
    const tail = `-${mark}-${index + 1}`;
    const room = NAME_LENGTH_MAX - PREFIX.length - tail.length;
    return `${PREFIX}${name.slice(0, room).replace(/[^a-z0-9]+$/, '')}${tail}`;
  });
  return { word: hashFields(['echo', uid]), names };
}

/** Answers now, as far as anybody can know. */
export function isEchoing({ phase, isReady, podIP, deletionTimestamp }: WorkerView): boolean {
  return phase === 'Running' && isReady && podIP !== '' && deletionTimestamp === '';
}

export type PeerSeeker = {
  readonly nodeName: string;
  readonly names: readonly string[];
  readonly now: Instant;
};

/** Those that a worker on this node can be told of. */
export function peersFor(
  controls: readonly WorkerView[],
  { nodeName, names, now }: PeerSeeker,
): readonly WorkerView[] {
  return controls.filter(
    (control) =>
      isEchoing(control) &&
      names.includes(control.name) &&
      control.targetNode !== nodeName &&
      now - control.orderedAt < freshMs,
  );
}

export type PeerScene = Omit<PeerSeeker, 'names'> & {
  readonly policy: Policy;
  readonly controls: readonly WorkerView[];
  readonly controlNames: readonly string[];
  readonly hasControlHost: () => boolean;
};

/** One answers soon: a worker that was made now would be told of none. Where no node can run one nobody waits. */
export function arePeersAwaited(scene: PeerScene): boolean {
  const { policy, controls, controlNames: names, hasControlHost } = scene;
  return mustHavePeers(policy) && peersFor(controls, { ...scene, names }).length === 0 && hasControlHost();
}

export type PeerTerms = {
  readonly planned: readonly PlannedCheck[];
  /** Checks whose failure may as well be that of their peers: it says nothing. */
  readonly doubtful: readonly string[];
};

/**
 * By what a worker is judged. A failure counts when two control workers on different nodes were there from beginning to end: what is
 * at fault is then what they do not share.
 */
export function peerTerms(
  planned: readonly PlannedCheck[],
  told: string,
  controls: readonly WorkerView[],
): PeerTerms {
  // It was made before the policy asked for any.
  if (told === '') return { planned, doubtful: [] };
  if (told === noPeers) return { planned: withPeers(planned, []), doubtful: [] };
  const uids = told.split(',');
  const standing = controls.filter((control) => isEchoing(control) && uids.includes(control.uid));
  const nodes = new Set(standing.map(({ targetNode }) => targetNode));
  const asking = planned.filter(isAsking).map(({ name, id = name }) => id);
  return { planned, doubtful: nodes.size < controlsMax ? asking : [] };
}
