// Makes the answers of two worlds comparable. Keeps what clients decide by: status code, reason, causes, and the object.
// Drops what two right servers may say differently: sentences, bookkeeping of field managers, defaults of a Pod's spec.

import { isRecord, type RawObject, recordsIn, textOf } from '../../../src/objects/raw.ts';
import type { Reply } from '../target.ts';
import type { Place } from './call.ts';
import type { Operation } from './operation.ts';

/** Starts with the status code; what follows depends on whether it is a Status, a list or an object. */
export type Answer = { readonly status: number; readonly reason?: string; readonly [field: string]: unknown };

type Json = Readonly<Record<string, unknown>>;

export type Normaliser = {
  readonly answer: (operation: Operation, reply: Reply) => Answer;
  /** Events of objects that are not of this world are left out. */
  readonly history: (status: number, lines: readonly string[]) => Answer;
};

export function createNormaliser(place: Place): Normaliser {
  const uids = createNaming('uid');
  const versions = createNaming('version');

  const object = (raw: RawObject): Json => {
    const { metadata = {}, ...rest } = raw;
    const kept: Record<string, unknown> = { ...metadata };
    delete kept['managedFields'];
    if (metadata.uid !== undefined) kept['uid'] = uids(metadata.uid);
    if (metadata.resourceVersion !== undefined) kept['resourceVersion'] = versions(metadata.resourceVersion);
    for (const time of ['creationTimestamp', 'deletionTimestamp']) if (time in kept) kept[time] = 'a time';
    const isPod = isRecord(rest.spec) && Array.isArray(rest.spec['containers']);
    return { ...rest, ...(isPod ? { spec: 'of a pod' } : {}), metadata: kept };
  };

  const ours = (raw: RawObject) => raw.metadata?.name?.startsWith(place.prefix) === true;
  const answerOf = (operation: Operation, { status, body }: Reply): Answer => {
    if (body.kind === 'Status') return { status, ...judgement(body) };
    if (operation.kind !== 'list') return { status, object: isDryRun(operation) ? 'tried' : object(body) };
    const token: unknown = Reflect.get(body.metadata ?? {}, 'continue');
    const items = (body.items ?? []).filter(ours).map(object);
    return { status, kind: body.kind, isContinued: textOf(token) !== '', items };
  };
  return {
    answer: (operation, reply) => placeless(answerOf(operation, reply), place),
    history: (status, lines) => {
      const events = lines
        .map((line) => JSON.parse(line) as { readonly type: string; readonly object: RawObject })
        .filter((event) => ours(event.object))
        .map((event) => ({ type: event.type, object: object(event.object) }));
      return placeless({ status, events }, place);
    },
  };
}

function placeless(answer: Answer, { namespace, prefix }: Place): Answer {
  const text = JSON.stringify(answer).replaceAll(prefix, 'NAME').replaceAll(namespace, 'NAMESPACE');
  return JSON.parse(text) as Answer;
}

function isDryRun(operation: Operation): boolean {
  return operation.kind === 'create' && operation.query.includes('dryRun');
}

/** The first is 1, the next 2: equal texts get equal numbers, and order shows. */
function createNaming(what: string): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    const name = known.get(text) ?? `${what} ${known.size + 1}`;
    known.set(text, name);
    return name;
  };
}

function judgement(body: RawObject): Json {
  const details = isRecord(body['details']) ? body['details'] : {};
  const causes = recordsIn(details['causes']).map(
    (cause) => `${textOf(cause['field'])} ${textOf(cause['reason'])}`,
  );
  const { reason = '' } = body;
  return { verdict: body.status, reason, name: details['name'], causes: [...new Set(causes)].sort() };
}
