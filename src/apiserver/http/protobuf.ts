// Bodies in Kubernetes' protobuf form, read into the same JSON as all others: kubectl writes the few objects it makes by
// itself that way (create configmap, create token, drain). Reads only, and only the kinds named here.

import { isRecord, textOf } from '../../objects/raw.ts';

type Kind =
  | 'text'
  | 'int'
  | 'flag'
  | 'bytes'
  | { readonly map: 'text' | 'bytes' }
  | { readonly list: Kind }
  | Message;

/** Fields by number, as the published API definitions give them; they never change. */
type Message = { readonly fields: Readonly<Record<number, readonly [name: string, kind: Kind]>> };

const message = (fields: Message['fields']): Message => ({ fields });

const ownerReference = message({
  1: ['kind', 'text'],
  3: ['name', 'text'],
  4: ['uid', 'text'],
  5: ['apiVersion', 'text'],
  6: ['controller', 'flag'],
  7: ['blockOwnerDeletion', 'flag'],
});

const metadata = message({
  1: ['name', 'text'],
  2: ['generateName', 'text'],
  3: ['namespace', 'text'],
  5: ['uid', 'text'],
  6: ['resourceVersion', 'text'],
  11: ['labels', { map: 'text' }],
  12: ['annotations', { map: 'text' }],
  13: ['ownerReferences', { list: ownerReference }],
  14: ['finalizers', { list: 'text' }],
});

const deleteOptions = message({
  1: ['gracePeriodSeconds', 'int'],
  2: ['preconditions', message({ 1: ['uid', 'text'], 2: ['resourceVersion', 'text'] })],
  3: ['orphanDependents', 'flag'],
  4: ['propagationPolicy', 'text'],
  5: ['dryRun', { list: 'text' }],
});

const kinds: Readonly<Record<string, Message>> = {
  'v1 Namespace': message({ 1: ['metadata', metadata] }),
  'v1 ConfigMap': message({
    1: ['metadata', metadata],
    2: ['data', { map: 'text' }],
    3: ['binaryData', { map: 'bytes' }],
    4: ['immutable', 'flag'],
  }),
  'v1 Secret': message({
    1: ['metadata', metadata],
    2: ['data', { map: 'bytes' }],
    3: ['type', 'text'],
    4: ['stringData', { map: 'text' }],
    5: ['immutable', 'flag'],
  }),
  'v1 ServiceAccount': message({ 1: ['metadata', metadata], 4: ['automountServiceAccountToken', 'flag'] }),
  'authentication.k8s.io/v1 TokenRequest': message({
    1: ['metadata', metadata],
    2: ['spec', message({ 1: ['audiences', { list: 'text' }], 4: ['expirationSeconds', 'int'] })],
  }),
  'policy/v1 Eviction': message({ 1: ['metadata', metadata], 2: ['deleteOptions', deleteOptions] }),
  'meta.k8s.io/v1 DeleteOptions': deleteOptions,
  'v1 DeleteOptions': deleteOptions,
  'policy/v1 DeleteOptions': deleteOptions,
};

/** Marks the bytes as Kubernetes' own envelope. */
const MAGIC = Buffer.from([0x6b, 0x38, 0x73, 0x00]);

const envelope = message({
  1: ['type', message({ 1: ['apiVersion', 'text'], 2: ['kind', 'text'] })],
  2: ['raw', 'bytes'],
});

export const protobufMediaType = 'application/vnd.kubernetes.protobuf';

/** The JSON of the body; null for a kind that is not known or bytes that are none. */
export function jsonOfProtobuf(body: Buffer): string | null {
  if (!body.subarray(0, MAGIC.length).equals(MAGIC)) return null;
  try {
    const { type, raw } = readMessage(envelope, body.subarray(MAGIC.length));
    if (!isRecord(type) || typeof raw !== 'string') return null;
    const kind = kinds[`${textOf(type['apiVersion'])} ${textOf(type['kind'])}`];
    if (kind === undefined) return null;
    return JSON.stringify({ ...type, ...readMessage(kind, Buffer.from(raw, 'base64')) });
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function readMessage({ fields }: Message, bytes: Buffer): Readonly<Record<string, unknown>> {
  const reader = new Reader(bytes);
  const result: Record<string, unknown> = {};
  while (!reader.isDone()) {
    const tag = reader.varint();
    const value = reader.value(tag & 7);
    const [name, kind] = fields[tag >>> 3] ?? [];
    if (name !== undefined && kind !== undefined) result[name] = joined(kind, result[name], value);
  }
  return result;
}

function joined(kind: Kind, before: unknown, value: number | Buffer): unknown {
  if (typeof kind === 'string') return scalar(kind, value);
  if ('list' in kind) return [...(Array.isArray(before) ? before : []), joined(kind.list, undefined, value)];
  if (typeof value === 'number') throw new RangeError('a message was expected');
  if ('fields' in kind) return readMessage(kind, value);
  const entry = readMessage(message({ 1: ['key', 'text'], 2: ['value', kind.map] }), value);
  return { ...(isRecord(before) ? before : {}), [textOf(entry['key'])]: entry['value'] ?? '' };
}

function scalar(kind: 'text' | 'int' | 'flag' | 'bytes', value: number | Buffer): unknown {
  if (typeof value === 'number') return kind === 'flag' ? value !== 0 : value;
  return kind === 'bytes' ? value.toString('base64') : value.toString('utf8');
}

class Reader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  isDone(): boolean {
    return this.#at >= this.#bytes.length;
  }

  varint(): number {
    let result = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#bytes.readUInt8(this.#at++);
      result |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return Number(BigInt.asIntN(64, result));
    }
    throw new RangeError('a number has too many digits');
  }

  value(wire: number): number | Buffer {
    if (wire === 0) return this.varint();
    const length = wire === 2 ? this.varint() : wire === 1 ? 8 : wire === 5 ? 4 : -1;
    const end = this.#at + length;
    if (length < 0 || end > this.#bytes.length) throw new RangeError('a value goes beyond the end');
    const bytes = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return bytes;
  }
}
