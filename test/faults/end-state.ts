// What anybody can see in the end, but for times, identities and the past: two runs that went well differ in nothing else.

import {
  annotationKeys,
  bootstrapMarkerPrefix,
  nodeLifecycleType,
  nodeReadinessEvaluationType,
  nodeReadinessGateRuleType,
  nodeReadinessRuleType,
  nodeVerificationType,
} from '../../src/api/keys.ts';
import type { ApiServer } from '../../src/apiserver/api-server.ts';
import { fieldsOf, isRecord, type RawObject, recordsIn, textOf } from '../../src/objects/raw.ts';
import { nodeType, podType, type ResourceType, resourceName } from '../../src/objects/ref.ts';
import { stampType } from '../support/stamp-type.ts';

export type EndState = Readonly<Record<string, SeenObject>>;

export type SeenObject = {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  readonly spec: unknown;
  readonly status: unknown;
};

const kinds: readonly ResourceType[] = [
  nodeType,
  nodeLifecycleType,
  stampType,
  nodeReadinessGateRuleType,
  nodeReadinessRuleType,
  nodeReadinessEvaluationType,
  nodeVerificationType,
  podType,
];

/** By `nodes/a`. */
export function endStateOf({ store }: ApiServer): EndState {
  const seen: Record<string, SeenObject> = {};
  const uids = new Map<string, string>();
  for (const type of kinds) {
    for (const { key, object } of store.entries(resourceName(type))) {
      uids.set(object.metadata?.uid ?? '', `uid of ${type.plural}/${key}`);
    }
  }
  for (const type of kinds) {
    for (const { key, object } of store.entries(resourceName(type)))
      seen[`${type.plural}/${key}`] = plain(object, uids);
  }
  return withoutLapsed(seen);
}

/** How far verification came for a policy that is gone depends on when it went. */
function withoutLapsed(seen: EndState): EndState {
  return Object.fromEntries(
    Object.entries(seen).map(([name, object]) => {
      const { verification, ...status } = fieldsOf(object.status);
      const policy = textOf(fieldsOf(verification)['policy']);
      const isLapsed = policy !== '' && seen[`${nodeVerificationType.plural}/${policy}`] === undefined;
      return [name, isLapsed ? { ...object, status } : object];
    }),
  );
}

function plain({ metadata, spec, status }: RawObject, uids: ReadonlyMap<string, string>): SeenObject {
  const visible = {
    labels: metadata?.labels ?? {},
    annotations: withoutNotes(metadata?.annotations ?? {}),
    finalizers: metadata?.finalizers,
    owners: metadata?.ownerReferences?.map(({ uid = '' }) => uid),
    spec,
    status: withoutPast(status),
  };
  // Markers carry the UID of their rule in their key, and the record on the node quotes them.
  let text = JSON.stringify(visible);
  for (const [uid, name] of uids) if (text.includes(uid)) text = text.replaceAll(uid, name);
  return JSON.parse(text, (key, value: unknown) => {
    if (key === 'lastHeartbeatTime') return undefined;
    return typeof value === 'string' && isTime(value) ? 'a time' : value;
  }) as SeenObject;
}

/** Which taints a rule once named is its past: one that was edited before anybody looked never had the first. */
function withoutNotes(annotations: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const { [annotationKeys.ruleTaints]: noted, ...rest } = annotations;
  return noted === undefined ? rest : { ...rest, [annotationKeys.ruleTaints]: 'noted' };
}

/**
 * The timeline and the first times are what was seen on the way: a fault may well hide a stage, a release or a reboot. How often
 * a node was evaluated before an evaluation was written depends on how often somebody looked.
 */
function withoutPast(status: unknown): unknown {
  if (!isRecord(status)) return status;
  const {
    inServiceAt: _seen,
    firstReleasedAt: _free,
    ownedAsOf: _guard,
    evaluationCount: _looks,
    timeline: _past,
    owned,
    verification,
    ...present
  } = status;
  const listed = recordsIn(owned).filter((entry) => !isMarker(entry));
  return {
    ...present,
    ...(listed.length === 0 ? {} : { owned: listed }),
    ...(isRecord(verification) ? { verification: withoutAttempts(verification) } : {}),
  };
}

/**
 * How many attempts and rounds it took is the past too: a worker that ends while nobody can read its report is made again, and a
 * node that rebooted before anybody looked was begun with once.
 */
function withoutAttempts(verification: Readonly<Record<string, unknown>>): unknown {
  const { state, verdict, policy, checks } = verification;
  return { state, verdict, policy, checks };
}

/** Whether a record lists a marker depends on what proved it when it was set: the rule, if it was kept by then, or the record. */
function isMarker({ kind, key }: Readonly<Record<string, unknown>>): boolean {
  return kind === 'Annotation' && textOf(key).startsWith(bootstrapMarkerPrefix);
}

function isTime(text: string): boolean {
  return /^20\d\d-\d\d-\d\dT[\d:.]+Z$/.test(text);
}
