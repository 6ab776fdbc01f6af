// What goes between a worker that checks and a worker that echoes. A reply differs from a request, so that two echoes can
// never keep each other busy, and it carries a word only the two know, so that a stranger gets nothing.

const REQUEST = 'muster-echo?';
const REPLY = 'muster-echo!';
export const echoHeadBytes = 64;

/** The first bytes of a request: kind, number, word; padded, so that head and smallest packet are the same size. */
export function echoRequest(word: string, number: number, bytes: number): Buffer {
  const packet = Buffer.alloc(Math.max(bytes, echoHeadBytes));
  packet.write(`${REQUEST}${String(number).padStart(4, '0')}${word}`, 0, echoHeadBytes, 'latin1');
  return packet;
}

/** Whether what begins like this is asked by one who knows the word. */
export function isEchoRequest(packet: Buffer, word: string): boolean {
  return isOurs(packet, REQUEST, word);
}

/** The reply to a request that knows the word, else null. */
export function echoReply(packet: Buffer, word: string): Buffer | null {
  if (!isEchoRequest(packet, word)) return null;
  const reply = Buffer.from(packet);
  reply.write(REPLY, 0, 'latin1');
  return reply;
}

/** The number of the request that this packet answers in full length, else null. */
export function echoedNumber(packet: Buffer, word: string, bytes: number): number | null {
  if (packet.length !== Math.max(bytes, echoHeadBytes) || !isOurs(packet, REPLY, word)) return null;
  return Number(packet.toString('latin1', REPLY.length, REPLY.length + 4));
}

function isOurs(packet: Buffer, kind: string, word: string): boolean {
  if (packet.length < echoHeadBytes) return false;
  const head = packet.toString('latin1', 0, echoHeadBytes);
  return head.startsWith(kind) && head.slice(kind.length + 4).replace(/\0+$/, '') === word;
}
