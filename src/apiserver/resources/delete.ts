// Deletes: preconditions, the three ways of dealing with dependents, finalizers that hold an object, and the grace that a
// running pod is given.

import type { Instant } from '../../base/clock.ts';
import { err, ok } from '../../base/result.ts';
import { formatTime, parseTime } from '../../base/timestamp.ts';
import { type RawObject, textOf } from '../../objects/raw.ts';
import { forbiddenFor, notFound, type Refusal } from '../refusal.ts';
import { nextGeneration, partOf } from '../registry/definition.ts';
import { sameValue, withMetadata } from '../store/stored-object.ts';
import type { Core } from './core.ts';
import {
  type DeleteOptions,
  type Outcome,
  placeOf,
  subjectOf,
  successStatus,
  type Target,
} from './request.ts';

export const foregroundFinalizer = 'foregroundDeletion';
export const orphanFinalizer = 'orphan';

/** Namespaces that every cluster has. */
const lasting: readonly string[] = ['default', 'kube-system', 'kube-public'];

export function remove(core: Core, target: Target, options: DeleteOptions): Outcome {
  const object = core.store.get(placeOf(target));
  if (object === undefined) return err(notFound(subjectOf(target)));
  const refusal = deletionRefusal(target, object, options);
  if (refusal !== null) return err(refusal);
  const marked = mark({ core, target, object }, options);
  const isKept = isHeld(target, marked);
  const ended = options.isDryRun === true ? marked : carryOut({ core, target, object }, marked);
  const isShown = isKept || target.definition.answersWithDeleted;
  return ok({
    code: 200,
    object: isShown ? target.definition.encode(ended) : goneStatus(target, object),
    warnings: [],
  });
}

type Scene = { readonly core: Core; readonly target: Target; readonly object: RawObject };

function deletionRefusal(target: Target, object: RawObject, options: DeleteOptions): Refusal | null {
  const { uid = '', resourceVersion = '' } = object.metadata ?? {};
  if (target.definition.bucket === 'namespaces' && lasting.includes(target.name))
    return forbiddenFor(subjectOf(target), 'this namespace may not be deleted');
  if (options.uid !== undefined && options.uid !== uid)
    return preconditionFailed(target, {
      what: 'UID',
      wanted: options.uid,
      found: uid,
      perhaps: 'deleted and then recreated',
    });
  if (options.resourceVersion !== undefined && options.resourceVersion !== resourceVersion)
    return preconditionFailed(target, {
      what: 'ResourceVersion',
      wanted: options.resourceVersion,
      found: resourceVersion,
      perhaps: 'modified',
    });
  return null;
}

/** The object as it is once its deletion has begun. */
function mark({ core, target, object }: Scene, options: DeleteOptions): RawObject {
  const finalizers = finalizersFor(object, options);
  const held = withMetadata(object, { finalizers: finalizers.length > 0 ? finalizers : undefined });
  if (target.definition.bucket === 'pods') return markPod(held, options, core.clock.now());
  if (object.metadata?.deletionTimestamp !== undefined) return held;
  const begun = target.definition.beginDelete(held);
  return withMetadata(begun, { deletionTimestamp: formatTime(core.clock.now()) });
}

function finalizersFor(object: RawObject, { propagation }: DeleteOptions): readonly string[] {
  const had = object.metadata?.finalizers ?? [];
  if (propagation === undefined) return had;
  const others = had.filter((each) => each !== foregroundFinalizer && each !== orphanFinalizer);
  if (propagation === 'Foreground') return [...others, foregroundFinalizer];
  return propagation === 'Orphan' ? [...others, orphanFinalizer] : others;
}

/** A pod that runs on a node is given its time; asking again can only shorten it, and never begins it anew. */
function markPod(pod: RawObject, options: DeleteOptions, now: Instant): RawObject {
  const begun = parseTime(pod.metadata?.deletionTimestamp);
  if (begun === null) {
    const seconds = graceOf(pod, options);
    return withMetadata(pod, {
      deletionTimestamp: formatTime(now + seconds * 1000),
      deletionGracePeriodSeconds: seconds,
      ...nextGeneration(pod),
    });
  }
  const granted = grantedSeconds(pod);
  const wanted = atLeast(options.gracePeriodSeconds ?? granted);
  if (wanted >= granted) return pod;
  return withMetadata(pod, {
    deletionTimestamp: formatTime(begun - (granted - wanted) * 1000),
    deletionGracePeriodSeconds: wanted,
  });
}

function graceOf(pod: RawObject, options: DeleteOptions): number {
  const { nodeName, terminationGracePeriodSeconds } = partOf(pod, 'spec');
  const isIdle =
    textOf(nodeName) === '' || ['Succeeded', 'Failed'].includes(textOf(partOf(pod, 'status')['phase']));
  const wanted = options.gracePeriodSeconds ?? Number(terminationGracePeriodSeconds ?? 0);
  if (isIdle) return 0;
  return atLeast(wanted);
}

/** Nobody waits for less than no time. */
function atLeast(seconds: number): number {
  return seconds < 0 ? 1 : seconds;
}

function grantedSeconds(object: RawObject): number {
  return Number(partOf(object, 'metadata')['deletionGracePeriodSeconds'] ?? 0);
}

function isHeld({ definition }: Target, object: RawObject): boolean {
  return (
    (object.metadata?.finalizers ?? []).length > 0 ||
    definition.isHeldBack(object) ||
    grantedSeconds(object) > 0
  );
}

function carryOut({ core, target, object }: Scene, marked: RawObject): RawObject {
  const place = placeOf(target);
  const isNew = !sameValue(marked, object);
  if (isHeld(target, marked)) return isNew ? core.store.put(place, marked) : object;
  // The end of a pod is announced before it happens: a kubelet has to see it coming.
  if (target.definition.bucket === 'pods' && isNew) core.store.put(place, marked);
  const gone = core.store.remove(place);
  return withMetadata(marked, { resourceVersion: gone?.metadata?.resourceVersion });
}

function goneStatus(target: Target, object: RawObject): RawObject {
  const { group, plural } = target.definition.type;
  const details = {
    name: target.name,
    ...(group === '' ? {} : { group }),
    kind: plural,
    uid: object.metadata?.uid,
  };
  return { ...successStatus(), details };
}

type Mismatch = {
  readonly what: string;
  readonly wanted: string;
  readonly found: string;
  readonly perhaps: string;
};

function preconditionFailed(target: Target, { what, wanted, found, perhaps }: Mismatch): Refusal {
  const { storedGroup: group, type } = target.definition;
  const [kind, name] = [type.kind, target.name];
  const message = `Operation cannot be fulfilled on ${group === '' ? kind : `${kind}.${group}`} ${JSON.stringify(name)}: the ${what} in the precondition (${wanted}) does not match the ${what} in record (${found}). The object might have been ${perhaps}`;
  const details = { name, ...(group === '' ? {} : { group }), kind };
  return { code: 409, reason: 'Conflict', message, details };
}
