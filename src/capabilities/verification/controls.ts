// Control workers: they run on nodes that are verified already and echo for workers on nodes that are not. Which checks ask for
// them, which of them can be relied on, and how much a failure against them is worth. Pure.

import { hashFields } from '../../base/hash.ts';
import type { Instant } from '../../base/clock.ts';
import type { Problem } from '../../base/result.ts';
import type { PlannedCheck, Policy } from './policy.ts';
import type { WorkerView } from './worker-view.ts';

/** On different nodes: of one alone nobody can say at which end of the way the fault is. */
export const controlsMax = 2;
/** Each of them, and its successor beside it. */
const PLACES = 2 * controlsMax;
/** Needs no privileges, and is nobody's. */
export const echoPort = 8007;
/** How long before its end a control worker gets its successor, which has to start and to check its own node. */
const LEAD_MS = 120_000;
const FRESH_MS_MIN = 600_000;
/** What a worker is told of while there is nobody to tell it of. */
export const noPeers = 'none';

/**
 * For how long a control worker is told of. It echoes for longer, so that whoever was told of it last can finish; by then its place is
 * needed for the successor of its successor, so workers must not run for much longer than half of this.
 */
export function freshMs({ workerTimeoutMs }: Pick<Policy, 'workerTimeoutMs'>): number {
  return Math.max(FRESH_MS_MIN, 2 * workerTimeoutMs);
}

/** Needs no successor yet. */
export function isYoung(
  { orderedAt, deletionTimestamp }: WorkerView,
  policy: Pick<Policy, 'workerTimeoutMs'>,
  now: Instant,
): boolean {
  return deletionTimestamp === '' && now - orderedAt < freshMs(policy) - LEAD_MS;
}

/** Checks of the configuration run as the administrator wrote them. */
export function asksForPeers(policy: Pick<Policy, 'checks'> | null): boolean {
  return policy?.checks?.some(isAsking) === true;
}

/** How many the checks need that decide. An advisory check holds no node up, so none waits for its sake. */
function peersWanted({ checks }: Pick<Policy, 'checks'>): number {
  const deciding = (checks ?? []).filter((check) => isAsking(check) && check.severity !== 'advisory');
  return Math.max(0, ...deciding.map(peersMinOf));
}

function peersMinOf({ params = {} }: PlannedCheck): number {
  return params.peersMin ?? 1;
}

export function isAsking({ name, params = {} }: PlannedCheck): boolean {
  return (name === 'peer-echo' || name === 'mtu') && (params.peers ?? []).length === 0;
}

/** What no number of control workers would ever satisfy. */
export function peerProblems(checks: readonly PlannedCheck[]): readonly Problem[] {
  return checks.flatMap((check, index) => {
    const peersMin = peersMinOf(check);
    if (!isAsking(check) || peersMin <= controlsMax) return [];
    const message = `is ${peersMin}, but there are ${controlsMax} control workers at most; name peers, or ask for fewer`;
    return [{ path: `spec.checks[${index}].params.peersMin`, message }];
  });
}

/** The same checks with the addresses of those that echo. Where there are too few of them for one it decides nothing. */
export function withPeers(
  planned: readonly PlannedCheck[],
  controls: readonly Pick<WorkerView, 'podIP'>[],
): readonly PlannedCheck[] {
  const peers = controls.map(({ podIP }) => ({ address: podIP, port: echoPort }));
  return planned.map((check) => {
    if (!isAsking(check)) return check;
    return peers.length < peersMinOf(check)
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
  const names = Array.from({ length: PLACES }, (_, index) => {
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
  readonly policy: Policy;
  /** Of its policy, in whatever state they are. */
  readonly controls: readonly WorkerView[];
  readonly controlNames: readonly string[];
  readonly now: Instant;
};

/** Those that a worker on this node can be told of: on different nodes, and those that have longest to live. */
export function peersFor({
  nodeName,
  policy,
  controls,
  controlNames,
  now,
}: PeerSeeker): readonly WorkerView[] {
  const usable = controls
    .filter(
      (control) =>
        isEchoing(control) &&
        controlNames.includes(control.name) &&
        control.targetNode !== nodeName &&
        now - control.orderedAt < freshMs(policy),
    )
    .toSorted((a, b) => b.orderedAt - a.orderedAt);
  const isFirstOn = ({ targetNode }: WorkerView, index: number) =>
    usable.findIndex((control) => control.targetNode === targetNode) === index;
  return usable.filter(isFirstOn).slice(0, controlsMax);
}

export type PeerScene = PeerSeeker & { readonly controlHosts: (now: Instant) => number };

/** More answer soon: a worker that was made now would be told of too few. For more than nodes can run nobody waits. */
export function arePeersAwaited(scene: PeerScene): boolean {
  const { policy, controlHosts, now } = scene;
  const count = peersFor(scene).length;
  return count < peersWanted(policy) && count < controlHosts(now);
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
  const uids = told === noPeers ? [] : told.split(',');
  const isUnanswered = (check: PlannedCheck) => isAsking(check) && uids.length < peersMinOf(check);
  const standing = controls.filter((control) => isEchoing(control) && uids.includes(control.uid));
  const nodes = new Set(standing.map(({ targetNode }) => targetNode));
  const answered = planned.filter((check) => isAsking(check) && !isUnanswered(check));
  return {
    planned: planned.map((check) => (isUnanswered(check) ? { ...check, severity: 'advisory' } : check)),
    doubtful: nodes.size < controlsMax ? answered.map(({ name, id = name }) => id) : [],
  };
}
