// DNS as a pod asks it: the servers, search list and ndots of its resolver, UDP first and TCP for what does not fit.
// Own client, because a check must tell apart what the system's resolver folds into one error.

import { deadline } from '../../base/clock.ts';
import type { Clock } from '../../base/clock.ts';
import type { Random } from '../../base/random.ts';
import { err, ok, type Result } from '../../base/result.ts';
import { fail, inconclusive, type Outcome } from '../outcome.ts';
import type { Dns, Endpoint, Limits, Probed } from '../world.ts';
import { exchange, formatEndpoint } from './datagrams.ts';
import { decodeAnswer, encodeQuestion, type Message, type Question, type RecordType } from './dns-message.ts';
import type { ResolverSettings } from './resolv-conf.ts';
import { talk } from './tcp.ts';

export type DnsParts = {
  readonly clock: Clock;
  readonly random: Random;
  readonly settings: () => Probed<ResolverSettings>;
};

export function createDns(parts: DnsParts): Dns {
  const dns: Dns = {
    async nameservers() {
      const settings = await parts.settings();
      return settings.kind === 'ok' ? ok(settings.value.servers) : settings;
    },
    async resolve(name, limits) {
      const settings = await parts.settings();
      if (settings.kind === 'error') return settings;
      return resolveCandidates(dns, { name, limits, clock: parts.clock, settings: settings.value });
    },
    async ask(server, name, { signal }) {
      const four = await askOne(parts, { server, name, type: 'A' }, signal);
      const isEmpty = four.kind === 'error' && four.error.kind === 'fail' && four.error.code === 'NoAddress';
      return isEmpty ? askOne(parts, { server, name, type: 'AAAA' }, signal) : four;
    },
  };
  return dns;
}

type Wanted = {
  readonly name: string;
  readonly limits: Limits;
  readonly clock: Clock;
  readonly settings: ResolverSettings;
};

/** Each name of the search list until one exists, as the C library does it. */
async function resolveCandidates(dns: Dns, wanted: Wanted): Probed<readonly string[]> {
  const names = candidates(wanted.name, wanted.settings);
  let last: Result<readonly string[], Outcome> = err(inconclusive('NothingToCheck', 'no name to ask for'));
  for (const name of names) {
    last = await resolveOne(dns, { ...wanted, name });
    if (last.kind === 'ok') return last;
    const isElsewhere = last.error.kind === 'fail' && ['NameNotFound', 'NoAddress'].includes(last.error.code);
    if (!isElsewhere) return last;
  }
  return last;
}

/** A name that ends in a dot is asked for as it stands; one with few dots goes through the search list first. */
export function candidates(name: string, { search, ndots }: ResolverSettings): readonly string[] {
  if (name.endsWith('.')) return [name];
  const searched = search.map((suffix) => `${name}.${suffix}`);
  const dots = name.split('.').length - 1;
  return dots >= ndots ? [name, ...searched] : [...searched, name];
}

/** The next server is asked when one stays silent, so each gets its share of the time. */
async function resolveOne(dns: Dns, { name, limits, clock, settings }: Wanted): Probed<readonly string[]> {
  const { servers } = settings;
  let last: Result<readonly string[], Outcome> = err(
    inconclusive('NothingToCheck', 'no DNS server is configured'),
  );
  for (const server of servers) {
    const share = deadline(clock, limits.timeoutMs / servers.length, limits.signal);
    last = await dns.ask(server, name, { ...limits, signal: share.signal });
    share.done();
    const isSilent = last.kind === 'error' && last.error.kind === 'fail' && silences.has(last.error.code);
    if (!isSilent || limits.signal.aborted) return last;
  }
  return last;
}

const silences: ReadonlySet<string> = new Set([
  'Timeout',
  'Refused',
  'Unreachable',
  'ServerFailure',
  'QueryRefused',
]);

type Asked = { readonly server: Endpoint; readonly name: string; readonly type: RecordType };

async function askOne(parts: DnsParts, asked: Asked, signal: AbortSignal): Probed<readonly string[]> {
  const question = { id: Math.floor(parts.random.next() * 65_536), name: asked.name, type: asked.type };
  const byUdp = await exchange<Message>({
    target: asked.server,
    datagram: encodeQuestion(question),
    clock: parts.clock,
    signal,
    accept: (reply) => unlessStranger(decodeAnswer(reply, question)),
  });
  if (byUdp.kind === 'error') return byUdp;
  const isCut = byUdp.value.kind === 'answer' && byUdp.value.isTruncated;
  return isCut ? askByTcp(asked, question, signal) : judge(byUdp.value, asked);
}

async function askByTcp(asked: Asked, question: Question, signal: AbortSignal): Probed<readonly string[]> {
  const answer = await askTcp(asked.server, question, signal);
  if (answer.kind === 'ok') return judge(answer.value, asked);
  if (answer.error.kind !== 'fail') return answer;
  return err(fail('Truncated', `${asked.name}: the answer is cut, and ${answer.error.message}`));
}

const TCP_BYTES_MAX = 65_537;

function askTcp(server: Endpoint, question: Question, signal: AbortSignal): Probed<Message> {
  const body = encodeQuestion(question);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(body.length);
  return talk<Message>({
    target: server,
    request: Buffer.concat([length, body]),
    bytesMax: TCP_BYTES_MAX,
    signal,
    accept(received) {
      const end = received.length < 2 ? Infinity : 2 + received.readUInt16BE(0);
      return received.length < end ? undefined : decodeAnswer(received.subarray(2, end), question);
    },
  });
}

function unlessStranger(message: Message): Message | undefined {
  return message.kind === 'stranger' ? undefined : message;
}

const NXDOMAIN = 3;
const REFUSED = 5;

function judge(message: Message, { server, name }: Asked): Result<readonly string[], Outcome> {
  const where = `${name} at ${formatEndpoint(server)}`;
  if (message.kind !== 'answer') return err(fail('BadAnswer', `${where}: the answer cannot be read`));
  const { rcode, addresses } = message;
  if (rcode === NXDOMAIN) return err(fail('NameNotFound', `${where}: the name does not exist`));
  if (rcode === REFUSED) return err(fail('QueryRefused', `${where}: the server refuses the question`));
  if (rcode !== 0) return err(fail('ServerFailure', `${where}: the server answers with error ${rcode}`));
  return addresses.length === 0
    ? err(fail('NoAddress', `${where}: no address in the answer`))
    : ok(addresses);
}
