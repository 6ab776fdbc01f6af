// Proves that packets of full size arrive, and not only small ones: a wrong MTU lets connections open and then hang.
// Datagrams carry "do not fragment", so that a hole in the path cannot hide. Never retries: the runner does.

import { isIPv6 } from 'node:net';
import { ok } from '../base/result.ts';
import { defineCheck } from './check.ts';
import { fail, inconclusive, type Outcome, pass } from './outcome.ts';
import { integer, listOf, one } from './params.ts';
import { peerKind } from './peers.ts';
import type { CheckContext, Endpoint } from './world.ts';

const STREAM_BYTES = 65_536;

export const mtu = defineCheck({
  name: 'mtu',
  summary: 'sends packets of full size to a worker on another node and back',
  params: {
    peers: listOf(peerKind, {
      default: [],
      max: 5,
      help: 'workers that echo, of which one has to get packets of full size; none: control workers, which the operator runs and names',
    }),
    mtu: one(integer({ min: 0, max: 65_535 }), {
      default: 0,
      help: 'the packet size to prove, headers included; 0: that of the interface',
    }),
  },
  async run({ peers, mtu }, context) {
    if (peers.length === 0) return inconclusive('NothingToCheck', 'no peer was given');
    const answering = await answeringOf(peers, context);
    const outcomes = await Promise.all(answering.map((peer) => proveTo(peer, mtu, context)));
    // A hole on the way to one of them may be at its own end.
    const best = outcomes.find(({ kind }) => kind === 'pass') ?? outcomes[0];
    return best ?? inconclusive('PeerUnreachable', 'no peer answers small packets');
  },
});

async function answeringOf(peers: readonly Endpoint[], context: CheckContext): Promise<readonly Endpoint[]> {
  const { echo, limits } = context;
  // Half of the time at most: what is left must do for the large packets.
  const half = { ...limits, timeoutMs: limits.timeoutMs / 2 };
  const answers = await Promise.all(
    peers.map(async (peer) => ({ peer, echoed: await echo.datagrams(peer, SMALL, half) })),
  );
  return answers
    .filter(({ echoed }) => echoed.kind === 'ok' && echoed.value.received > 0)
    .map(({ peer }) => peer);
}

const SMALL = { count: 3, payloadBytes: 64 };

async function proveTo(peer: Endpoint, mtu: number, context: CheckContext): Promise<Outcome> {
  const size = mtu === 0 ? await context.echo.interfaceMtu(peer) : ok(mtu);
  return size.kind === 'error' ? size.error : prove(peer, size.value, context);
}

async function prove(peer: Endpoint, mtu: number, { echo, limits }: CheckContext): Promise<Outcome> {
  const headers = isIPv6(peer.address) ? 48 : 28;
  // A packet of the loopback interface is larger than any datagram can be.
  const payloadBytes = Math.min(mtu - headers, 65_507);
  const echoed = await echo.datagrams(
    peer,
    { count: 3, payloadBytes },
    { ...limits, timeoutMs: limits.timeoutMs / 4 },
  );
  if (echoed.kind === 'error') return echoed.error;
  if (echoed.value.received === 0)
    return fail('MtuBlackhole', `small packets reach ${peer.address}, packets of ${mtu} bytes vanish`);
  const streamed = await echo.stream(peer, STREAM_BYTES, limits);
  return streamed.kind === 'error' ? streamed.error : pass(`packets of ${mtu} bytes reach ${peer.address}`);
}
