// A DNS server on loopback, UDP and TCP on one port, that answers as told: truthfully, wrongly, late or not at all.

import { createSocket, type Socket as DatagramSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer, isIPv4, type Server, type Socket } from 'node:net';

export type DnsManner =
  | 'truth'
  | 'nxdomain'
  | 'servfail'
  | 'refused'
  | 'empty'
  | 'silent'
  | 'garbage'
  | 'wrong-question'
  | 'wrong-id'
  /** Cut by UDP, whole by TCP. */
  | 'cut'
  /** Cut by UDP, and TCP closes in the middle of the answer. */
  | 'cut-twice'
  /** Nothing for the first datagram, the truth for the next. */
  | 'second-time';

export type StubDns = {
  readonly address: string;
  readonly port: number;
  /** What was asked, as `udp A name`. */
  readonly asked: readonly string[];
  readonly firstAsked: Promise<void>;
  close(): void;
};

export type StubDnsOptions = {
  readonly manner?: DnsManner;
  /** By name in lower case with its last dot; other names do not exist. */
  readonly zone?: Readonly<Record<string, readonly string[]>>;
};

const rcodes: Partial<Record<DnsManner, number>> = { servfail: 2, nxdomain: 3, refused: 5 };
const KUBERNETES = 'kubernetes.default.svc.cluster.local.';

export async function startStubDns({ manner = 'truth', zone }: StubDnsOptions = {}): Promise<StubDns> {
  const names = zone ?? { [KUBERNETES]: ['127.0.0.1'] };
  const asked: string[] = [];
  const first = Promise.withResolvers<void>();
  const answer = (query: Buffer, transport: 'udp' | 'tcp'): Buffer | null => {
    const { name, type, end } = readQuestion(query);
    asked.push(`${transport} ${type === 28 ? 'AAAA' : 'A'} ${name}`);
    const isFirst = asked.length === 1;
    first.resolve();
    if (manner === 'silent' || (manner === 'second-time' && isFirst)) return null;
    if (manner === 'garbage') return Buffer.concat([query.subarray(0, 2), Buffer.from([0x80, 0])]);
    return reply(query.subarray(0, end), { manner, transport, type, addresses: names[name] });
  };
  const streams = createServer((socket) => serveStream(socket, answer, manner));
  const { datagrams, port } = await bindBoth(streams);
  datagrams.on('message', (query, { port: from, address }) => {
    const packet = answer(query, 'udp');
    if (packet !== null) datagrams.send(packet, from, address);
  });
  return {
    address: '127.0.0.1',
    port,
    asked,
    firstAsked: first.promise,
    close: () => void (datagrams.close(), streams.close()),
  };
}

/** A port that is free for streams may be taken for datagrams by whoever runs beside us: then another one. */
async function bindBoth(streams: Server, tries = 20): Promise<{ datagrams: DatagramSocket; port: number }> {
  streams.listen(0, '127.0.0.1');
  await once(streams, 'listening');
  const { port } = streams.address() as AddressInfo;
  const datagrams = createSocket('udp4');
  datagrams.bind(port, '127.0.0.1');
  try {
    await once(datagrams, 'listening');
    return { datagrams, port };
  } catch (cause) {
    datagrams.close();
    streams.close();
    await once(streams, 'close');
    if (tries === 1) throw cause;
    return bindBoth(streams, tries - 1);
  }
}

function serveStream(
  socket: Socket,
  answer: (query: Buffer, transport: 'tcp') => Buffer | null,
  manner: DnsManner,
): void {
  socket.on('error', () => undefined);
  socket.once('data', (bytes: Buffer) => {
    const packet = answer(bytes.subarray(2), 'tcp');
    if (packet === null) return;
    const length = Buffer.alloc(2);
    length.writeUInt16BE(packet.length);
    const whole = Buffer.concat([length, packet]);
    socket.end(manner === 'cut-twice' ? whole.subarray(0, whole.length - 5) : whole);
  });
}

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let offset = 12;
  for (let length = query.readUInt8(offset); length !== 0; length = query.readUInt8(offset)) {
    labels.push(query.toString('latin1', offset + 1, offset + 1 + length));
    offset += length + 1;
  }
  const name = `${labels.join('.').toLowerCase()}.`;
  return { name, type: query.readUInt16BE(offset + 1), end: offset + 5 };
}

type Reply = {
  readonly manner: DnsManner;
  readonly transport: 'udp' | 'tcp';
  readonly type: number;
  readonly addresses: readonly string[] | undefined;
};

function reply(query: Buffer, { manner, transport, type, addresses }: Reply): Buffer {
  const isCut = transport === 'udp' && (manner === 'cut' || manner === 'cut-twice');
  const isWithheld = isCut || manner === 'empty' || rcodes[manner] !== undefined;
  const records = isWithheld ? [] : (addresses ?? []).flatMap((address) => record(address, type));
  const head = Buffer.from(query);
  const rcode = rcodes[manner] ?? (addresses === undefined && manner !== 'empty' ? 3 : 0);
  head.writeUInt16BE(0x8180 | (isCut ? 0x0200 : 0) | rcode, 2);
  head.writeUInt16BE(records.length, 6);
  if (manner === 'wrong-id') head.writeUInt16BE(head.readUInt16BE(0) ^ 1, 0);
  if (manner === 'wrong-question') head.write('x', 13, 'latin1');
  return Buffer.concat([head, ...records]);
}

function record(address: string, type: number): readonly Buffer[] {
  const isFour = isIPv4(address);
  if (isFour !== (type === 1)) return [];
  const body = isFour
    ? Buffer.from(address.split('.').map(Number))
    : Buffer.from(address.replaceAll(':', '').padStart(32, '0'), 'hex');
  const head = Buffer.alloc(12);
  // A pointer to the name in the question.
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(30, 6);
  head.writeUInt16BE(body.length, 10);
  return [Buffer.concat([head, body])];
}
