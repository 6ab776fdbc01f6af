// Proves that pods on other nodes can be reached, packet for packet: peers are workers on nodes known to be good.
// A few peers, never a mesh. Never retries: the runner does.

import { defineCheck } from './check.ts';
import { fail, inconclusive, type Outcome, pass } from './outcome.ts';
import { integer, listOf, number, one } from './params.ts';
import { peerKind } from './peers.ts';
import type { CheckContext, Endpoint } from './world.ts';

export const peerEcho = defineCheck({
  name: 'peer-echo',
  summary: 'sends datagrams to workers on other nodes and counts what comes back',
  params: {
    peers: listOf(peerKind, {
      default: [],
      max: 5,
      help: 'workers that echo; none: control workers, which the operator runs and names',
    }),
    packets: one(integer({ min: 1, max: 100 }), { default: 10, help: 'how many to each' }),
    lossPercentMax: one(number({ min: 0, max: 99 }), { default: 20, help: 'how many of them may be lost' }),
    peersMin: one(integer({ min: 1, max: 5 }), {
      default: 1,
      help: 'how many peers must echo: a silent one may itself be at fault',
    }),
  },
  async run({ peers, packets, lossPercentMax, peersMin }, context) {
    if (peers.length === 0) return inconclusive('NothingToCheck', 'no peer was given');
    const outcomes = await Promise.all(peers.map((peer) => echo(peer, { packets, lossPercentMax }, context)));
    const good = outcomes.filter(({ kind }) => kind === 'pass');
    if (good.length >= peersMin) return pass(`${good.length} of ${peers.length} peers echo`);
    const blamed =
      outcomes.find(({ kind }) => kind === 'fail') ?? outcomes.find(({ kind }) => kind !== 'pass');
    return (
      blamed ?? inconclusive('NothingToCheck', `${peers.length} peers were given, ${peersMin} must echo`)
    );
  },
});

type Tolerance = { readonly packets: number; readonly lossPercentMax: number };

async function echo(peer: Endpoint, tolerance: Tolerance, { echo, limits }: CheckContext): Promise<Outcome> {
  const { packets, lossPercentMax } = tolerance;
  const echoed = await echo.datagrams(peer, { count: packets, payloadBytes: 64 }, limits);
  if (echoed.kind === 'error') return echoed.error;
  const { sent, received } = echoed.value;
  const count = `${received} of ${sent} packets came back from ${peer.address}`;
  return (100 * (sent - received)) / sent > lossPercentMax
    ? fail('PacketLoss', `${count}, at most ${lossPercentMax} % may be lost`)
    : pass(count);
}
