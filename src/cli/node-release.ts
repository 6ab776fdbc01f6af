// What a worker in daemonset mode does to its own node once its checks have passed: takes the configured taints away and puts the
// verified label there, in one patch that holds only for the node as it was read. Foreign taints are never touched.

import { leavingTaintKeys } from '../api/keys.ts';
import { type Clock, sleep } from '../base/clock.ts';
import type { Log } from '../base/log.ts';
import { type Random, jittered } from '../base/random.ts';
import { fieldsOf, ownValue, type RawObject, recordsIn, textOf } from '../objects/raw.ts';
import { nodeType } from '../objects/ref.ts';
import { type TaintId, taintId } from '../objects/taint.ts';
import type { ApiFailure, KubeApi } from '../runtime/ports.ts';

export type ReleaseSettings = {
  readonly nodeName: string;
  readonly taints: readonly TaintId[];
  readonly verifiedLabel: string;
  readonly verifiedLabelValue: string;
  readonly isDryRun: boolean;
};

export type ReleasePlan =
  /** The node needs nothing, and why. */
  | { readonly kind: 'done'; readonly why: string }
  /** Not now: a later reading may say otherwise. */
  | { readonly kind: 'hold'; readonly why: string }
  | { readonly kind: 'patch'; readonly body: object; readonly removed: readonly TaintId[] };

export function planRelease(node: RawObject, settings: ReleaseSettings): ReleasePlan {
  const { labels = {}, deletionTimestamp, uid, resourceVersion } = node.metadata ?? {};
  const { verifiedLabel, verifiedLabelValue } = settings;
  const taints = recordsIn(fieldsOf(node.spec)['taints']);
  const leaving = taints.find(({ key }) => Object.values<unknown>(leavingTaintKeys).includes(key));
  if (textOf(deletionTimestamp) !== '' || leaving !== undefined)
    return { kind: 'hold', why: 'it is leaving' };
  const isOurs = (taint: object) => settings.taints.includes(idOf(taint));
  const removed = taints.filter(isOurs).map(idOf);
  // The label alone proves nothing: a kubelet may set it, and not remove the taint.
  const isLabelled = ownValue(labels, verifiedLabel) === verifiedLabelValue;
  if (isLabelled && removed.length === 0) return { kind: 'done', why: 'it is verified already' };
  const kept = taints.filter((taint) => !isOurs(taint));
  const body = {
    metadata: { uid, resourceVersion, labels: { [verifiedLabel]: verifiedLabelValue } },
    ...(removed.length === 0 ? {} : { spec: { taints: kept } }),
  };
  return { kind: 'patch', body, removed };
}

function idOf(taint: object): TaintId {
  const { key, effect } = fieldsOf(taint);
  return taintId({ key: textOf(key), effect: textOf(effect) });
}

export type NodeApi = Pick<KubeApi, 'get' | 'patch'>;

export type ReleasePorts = {
  readonly api: NodeApi;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
};

export type Released =
  | { readonly kind: 'released' }
  | { readonly kind: 'left'; readonly why: string }
  | { readonly kind: 'failed'; readonly why: string }
  /** Another node has the name now; what was found out was not about it. */
  | { readonly kind: 'replaced' };

/** Kubelets and controllers write to a node all the time; each of them costs one more reading. */
const TRIES_MAX = 10;
const PAUSE_MS = 200;

export async function releaseNode(
  ports: ReleasePorts,
  settings: ReleaseSettings & { readonly nodeUID: string },
  signal: AbortSignal,
): Promise<Released> {
  const { api, clock, random, log } = ports;
  let why = 'the worker was stopped';
  for (let tries = 1; tries <= TRIES_MAX && !signal.aborted; tries += 1) {
    const node = await readNode(api, settings.nodeName, signal);
    if (node.kind === 'error') return { kind: 'failed', why: wordsOf(node.error) };
    if (node.value.metadata?.uid !== settings.nodeUID) return { kind: 'replaced' };
    const plan = planRelease(node.value, settings);
    if (plan.kind === 'done') return { kind: 'left', why: plan.why };
    if (plan.kind === 'hold') return { kind: 'failed', why: plan.why };
    log.info(settings.isDryRun ? 'would write' : 'write', { removed: plan.removed, patch: plan.body });
    if (settings.isDryRun) return { kind: 'left', why: 'this is a dry run' };
    const patched = await api.patch(refOf(settings.nodeName), { kind: 'merge', body: plan.body }, { signal });
    if (patched.kind === 'ok') return { kind: 'released' };
    why = wordsOf(patched.error);
    // A reply that was lost is no answer: the next reading tells whether the patch was carried out.
    const isWorthReading = patched.error.retry === 'soon' || patched.error.effect === 'unknown';
    if (!isWorthReading) return { kind: 'failed', why };
    log.debug('the node has changed; reading it again', { why });
    await sleep(clock, jittered(random, PAUSE_MS, 0.5), signal);
  }
  return { kind: 'failed', why };
}

export function readNode(api: NodeApi, name: string, signal: AbortSignal): ReturnType<NodeApi['get']> {
  return api.get(refOf(name), { signal });
}

export function wordsOf({ reason, message }: ApiFailure): string {
  return `${reason}: ${message}`;
}

function refOf(name: string) {
  return { type: nodeType, namespace: '', name };
}
