// Talks to the echo of another worker: bursts of datagrams that are counted, and a stream that must come back whole.

import { readFile } from 'node:fs/promises';
import { networkInterfaces } from 'node:os';
import { type Clock, deadline } from '../../base/clock.ts';
import { err, ok } from '../../base/result.ts';
import { inconclusive } from '../outcome.ts';
import type { Burst, Echo, Echoed, Endpoint, Limits, Probed } from '../world.ts';
import { formatEndpoint, openSocket } from './datagrams.ts';
import { echoedNumber, echoRequest } from './echo-protocol.ts';
import { settle } from './settle.ts';
import { codeOf, socketFailure } from './socket-failure.ts';
import { talk } from './tcp.ts';

export type EchoParts = { readonly clock: Clock; readonly word: string };

export function createEcho({ clock, word }: EchoParts): Echo {
  return {
    datagrams: (target, burst, limits) => sendBurst({ clock, word }, { target, burst }, limits),
    async stream(target, bytes, { signal }) {
      const request = echoRequest(word, 0, bytes);
      const answer = await talk<number>({
        target,
        request,
        bytesMax: request.length,
        signal,
        accept: (received) => echoedNumber(received, word, bytes) ?? undefined,
      });
      return answer.kind === 'ok' ? ok(undefined) : answer;
    },
    interfaceMtu,
  };
}

type Sending = { readonly target: Endpoint; readonly burst: Burst };

/** Between two datagrams of a burst, so that no queue on the way overflows by our doing. */
const SPACING_MS = 10;

/** Ends when every datagram has come back, or with those that have when the time is over. */
async function sendBurst(parts: EchoParts, { target, burst }: Sending, limits: Limits): Probed<Echoed> {
  const { clock, word } = parts;
  const what = `echo of ${formatEndpoint(target)}`;
  // The count at the end of the time is the measurement, so the time ends before the check's own does.
  const own = deadline(clock, limits.timeoutMs * 0.8, limits.signal);
  const returned = new Set<number>();
  let sent = 0;
  const answer = await settle<Echoed>(own.signal, what, ({ done, fail }) => {
    let cancel = () => {};
    // A packet too large for the interface never leaves: lost like one that vanished on the way.
    const onFailure = (error: Error) => {
      if (codeOf(error) !== 'EMSGSIZE') fail(socketFailure(error, what));
    };
    const socket = openSocket(target, {
      onFailure,
      onDatagram(reply) {
        const number = echoedNumber(reply, word, burst.payloadBytes);
        if (number !== null) returned.add(number);
        if (returned.size === burst.count) done({ sent, received: returned.size });
      },
      onOpen() {
        const send = () => {
          socket.send(echoRequest(word, sent, burst.payloadBytes), (error) => error && onFailure(error));
          sent += 1;
          if (sent < burst.count) cancel = clock.after(SPACING_MS, send);
        };
        send();
      },
    });
    return () => {
      cancel();
      socket.close();
    };
  });
  own.done();
  const isOver = answer.kind === 'error' && own.signal.aborted && !limits.signal.aborted;
  return isOver ? ok({ sent: burst.count, received: returned.size }) : answer;
}

async function interfaceMtu(target: Endpoint): Probed<number> {
  const local = await localAddress(target);
  const found = Object.entries(networkInterfaces()).find(([, addresses = []]) =>
    addresses.some(({ address }) => address === local),
  );
  const name = found?.[0] ?? '';
  try {
    return ok(Number((await readFile(`/sys/class/net/${name}/mtu`, 'utf8')).trim()));
  } catch {
    return err(inconclusive('LocalError', `the MTU of the interface towards ${target.address} is not known`));
  }
}

/** The address from which packets to the target leave; connecting a datagram socket sends nothing. */
function localAddress(target: Endpoint): Promise<string> {
  return new Promise((resolve) => {
    const leave = (address: string) => {
      socket.close();
      resolve(address);
    };
    const socket = openSocket(target, {
      onFailure: () => leave(''),
      onDatagram: () => {},
      onOpen: () => leave(socket.address().address),
    });
  });
}
