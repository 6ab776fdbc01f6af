// What anybody can see in the end, but for times, identities and the past: two runs that went well differ in nothing else.

import { nodeLifecycleType } from '../../src/api/keys.ts';
import type { ApiServer } from '../../src/apiserver/api-server.ts';
import { isRecord, type RawObject } from '../../src/objects/raw.ts';
import { nodeType, type ResourceType, resourceName } from '../../src/objects/ref.ts';
import { stampType } from '../support/stamp-type.ts';

export type EndState = Readonly<Record<string, SeenObject>>;

export type SeenObject = {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations: Readonly<Record<string, string>>;
  readonly spec: unknown;
  readonly status: unknown;
};

const kinds: readonly ResourceType[] = [nodeType, nodeLifecycleType, stampType];

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
  return seen;
}

function plain({ metadata, spec, status }: RawObject, uids: ReadonlyMap<string, string>): SeenObject {
  const visible = {
    labels: metadata?.labels ?? {},
    annotations: metadata?.annotations ?? {},
    owners: metadata?.ownerReferences?.map(({ uid = '' }) => uid),
    spec,
    status: withoutPast(status),
  };
  return JSON.parse(JSON.stringify(visible), (key, value: unknown) =>
    key === 'lastHeartbeatTime'
      ? undefined
      : typeof value === 'string'
        ? (uids.get(value) ?? (isTime(value) ? 'a time' : value))
        : value,
  ) as SeenObject;
}

/** The timeline and the first times are what was seen on the way: a fault may well hide a stage, a release or a reboot. */
function withoutPast(status: unknown): unknown {
  if (!isRecord(status)) return status;
  const {
    inServiceAt: _seen,
    firstReleasedAt: _free,
    ownedAsOf: _guard,
    timeline: _past,
    ...present
  } = status;
  return present;
}

function isTime(text: string): boolean {
  return /^20\d\d-\d\d-\d\dT[\d:.]+Z$/.test(text);
}
