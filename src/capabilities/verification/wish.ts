// Which keys a node is to carry, by the record of its verification: the taint until it is verified, the label from then on, and
// nothing that no policy stands for any more. Pure.

import { annotationKeys } from '../../api/keys.ts';
import type { VerificationRecord } from '../../fleet/lifecycle.ts';
import type { KeyWish, NodeWish } from '../../objects/wish.ts';
import type { Facts } from './gather.ts';
import type { Policy } from './policy.ts';
import { carriesTaint, type Scene } from './scene.ts';

export function wishOf(scene: Scene, record: VerificationRecord | undefined): NodeWish {
  const { policy, node } = scene;
  const left = leftovers(scene, policy);
  const isAsked = node.annotations[annotationKeys.verify] !== undefined;
  const isBegun = record !== undefined && record.state !== 'verified' && record.state !== 'failed';
  const annotations: Record<string, KeyWish> =
    isAsked && isBegun
      ? { [annotationKeys.verify]: { kind: 'absent', owner: policy.owner, basis: 'named' } }
      : {};
  if (policy.isSuspended) return {};
  if (record?.state === 'verified') return merged(left, { ...verifiedKeys(policy), annotations });
  const isWaiting = record === undefined ? isNewOrGated(scene) : record.gates === true;
  const mustGate = record !== undefined && isGateOurs(scene, record);
  const held = isWaiting ? merged(left, heldKeys(policy)) : left;
  return merged(held, { ...(mustGate ? gatedKeys(policy) : takenLabel(scene)), annotations });
}

/** A label that a person took is not ours any more: else it would seem taken again before the next pass of a worker has put it back. */
function takenLabel({ policy, node, owned }: Scene): NodeWish {
  const { key } = policy.label;
  const isTaken =
    node.labels[key] === undefined && owned.some((each) => each.kind === 'labels' && each.key === key);
  return isTaken ? { labels: { [key]: { kind: 'absent', owner: policy.owner, basis: 'named' } } } : {};
}

/** It is set where it was never seen, and kept where one of us set it; one that a node was born with is left as it is. */
function isGateOurs({ claimedTaints, policy }: Scene, { gates, gatedAt }: VerificationRecord): boolean {
  if (gates !== true) return false;
  return gatedAt === undefined || claimedTaints.some((id) => id === policy.taints[0]?.id);
}

/** Such a node begins with its gate, as soon as it has a record. */
function isNewOrGated(scene: Scene): boolean {
  return scene.service === 'new' || carriesTaint(scene);
}

/** Whoever else names such a taint does not let the node in before it is verified. */
function heldKeys({ owner, taints }: Policy): NodeWish {
  return { taints: Object.fromEntries(taints.map(({ id }) => [id, { kind: 'keep', owner }])) };
}

function verifiedKeys({ owner, taints, label }: Policy): NodeWish {
  const gone: KeyWish = { kind: 'absent', owner, basis: 'named' };
  return {
    taints: Object.fromEntries(taints.map(({ id }) => [id, gone])),
    labels: { [label.key]: presentFor(owner, label.value) },
  };
}

function gatedKeys({ owner, taints, label }: Policy): NodeWish {
  const [first] = taints;
  if (first === undefined) return {};
  return {
    taints: { [first.id]: presentFor(owner, first.value) },
    labels: { [label.key]: { kind: 'absent', owner, basis: 'named' } },
  };
}

/** Nothing keeps a policy from going before its keys do: only the record of the node can vouch for them. */
function presentFor(owner: Policy['owner'], value: string): KeyWish {
  return { kind: 'present', owner, value, prior: 'adopt', proof: 'record' };
}

/** The taints that are ours stay, whoever else names them. */
export function keptTaints(owned: Facts['owned']): NodeWish {
  const taints = owned.filter(({ kind }) => kind === 'taints');
  return { taints: Object.fromEntries(taints.map(({ key, owner }) => [key, { kind: 'keep', owner }])) };
}

/** What another policy put there, or this one before it was changed. */
export function leftovers({ owned }: Facts, policy: Policy | null): NodeWish {
  const isCurrent = (kind: string, key: string) =>
    kind === 'labels' ? key === policy?.label.key : policy?.taints.some(({ id }) => id === key) === true;
  const wish = (wanted: 'labels' | 'taints'): Record<string, KeyWish> =>
    Object.fromEntries(
      owned
        .filter(({ kind, key }) => kind === wanted && !isCurrent(kind, key))
        .map(({ key, owner }) => [key, { kind: 'absent', owner, basis: 'recorded' }]),
    );
  return { labels: wish('labels'), taints: wish('taints') };
}

function merged(under: NodeWish, over: NodeWish): NodeWish {
  return {
    labels: { ...under.labels, ...over.labels },
    annotations: { ...under.annotations, ...over.annotations },
    taints: { ...under.taints, ...over.taints },
  };
}
