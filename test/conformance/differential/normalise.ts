// Makes the answers of two worlds comparable. Keeps what clients and people read: status code, reason, details, causes, sentences,
// warnings, and the object. Drops what two right servers may say differently: how often a cause is repeated, the bookkeeping of
// field managers, where an object lies in storage, the volume that an admission plugin gives a pod.

import { isRecord, type RawObject, recordsIn, textOf } from '../../../src/objects/raw.ts';
import { warningsOf } from '../expectations.ts';
import type { Body, Reply } from '../target.ts';
import type { Place } from './call.ts';
import { comparableSentence } from './sentence.ts';

/** Starts with the status code; what follows depends on whether it is a Status, a list or an object. */
export type Answer = { readonly status: number; readonly reason?: string; readonly [field: string]: unknown };

type Json = Readonly<Record<string, unknown>>;

export type Normaliser = {
  readonly answer: (reply: Reply) => Answer;
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
    const spec =
      isRecord(rest.spec) && Array.isArray(rest.spec['containers']) ? podSpec(rest.spec) : rest.spec;
    return { ...rest, ...(spec === undefined ? {} : { spec }), metadata: kept };
  };
  const sentence = (text: unknown) => comparableSentence(text, uids);
  const judgement = (body: RawObject): Json => {
    const details = isRecord(body['details']) ? body['details'] : {};
    const causes = recordsIn(details['causes']).map((cause) =>
      [textOf(cause['field']), textOf(cause['reason']), sentence(cause['message'])].join(' '),
    );
    const { reason = '', message } = body;
    const { uid, ...subject } = details;
    return {
      verdict: body.status,
      reason,
      // The rules of a custom resource are gone through in no order.
      message: details['group'] === customGroup ? textOf(message).split(':')[0] : sentence(message),
      details: { ...subject, causes: [...new Set(causes)].sort(), isNamed: uid !== undefined },
    };
  };

  const ours = (raw: RawObject) => raw.metadata?.name?.startsWith(place.prefix) === true;
  const listed = ({ metadata, ...rest }: Body): Json => ({
    ...rest,
    metadata: pageOf(metadata),
    items: (rest.items ?? []).filter(ours).map(object),
  });
  const table = ({ metadata, ...rest }: Body): Json => {
    const isOurs = ({ object: of }: Json) => isRecord(of) && ours(of);
    const rows = recordsIn(rest['rows'])
      .filter(isOurs)
      .map(({ cells, object: of }) => ({
        cells: Array.isArray(cells) ? cells.map(ageless) : cells,
        object: isRecord(of) ? object(of) : of,
      }));
    const columns = recordsIn(rest['columnDefinitions']).map(({ description: _, ...column }) => column);
    return { ...rest, metadata: pageOf(metadata), columnDefinitions: columns, rows };
  };
  const contentOf = ({ body }: Reply): Json => {
    if (body.kind === 'Status') return judgement(body);
    if (body.kind === 'Table') return table(body);
    return body.items === undefined ? { object: object(body) } : listed(body);
  };
  return {
    answer: (reply) => {
      const { status } = reply;
      return placeless({ status, ...contentOf(reply), warnings: warningsOf(reply) }, place);
    },
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
  const text = JSON.stringify(answer)
    .replaceAll(prefix, 'NAME')
    .replaceAll(namespace, 'NAMESPACE')
    // Written by the server; sequences write times of the first months alone.
    .replaceAll(/("lastTransitionTime":)"2\d{3}-(?!0[12])[^"]*"/g, '$1"a time"');
  return JSON.parse(text) as Answer;
}

/** Where a page ends, without the words for it. */
function pageOf(metadata: RawObject['metadata']): Json {
  const { continue: token, remainingItemCount } = { ...metadata } as Json;
  return { isContinued: textOf(token) !== '', remainingItemCount };
}

/** One server is asked a moment later than the other. */
function ageless(cell: unknown): unknown {
  return typeof cell === 'string' ? cell.replaceAll(/\b\d+[smh]\b/g, 'an age') : cell;
}

const customGroup = 'conformance.test';
const tokenVolume = /^kube-api-access-/;

/** Without the token of its account. */
function podSpec(spec: Json): Json {
  const isToken = ({ name }: Json) => tokenVolume.test(textOf(name));
  const without = (holder: Json, field: string): Json => {
    const { [field]: given, ...rest } = holder;
    const kept = recordsIn(given).filter((item) => !isToken(item));
    return kept.length > 0 ? { ...rest, [field]: kept } : rest;
  };
  const containers = recordsIn(spec['containers']).map((container) => without(container, 'volumeMounts'));
  return { ...without(spec, 'volumes'), containers };
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
