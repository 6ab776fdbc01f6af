import { createSocket } from 'node:dgram';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { deadline, systemClock } from '../../base/clock.ts';
import { manualClock } from '../../../test/support/manual-clock.ts';
import { startEcho } from '../../../test/support/echo.ts';
import { createEcho } from './echo-client.ts';
import { echoRequest, echoReply } from './echo-protocol.ts';
import { type EchoServer, serveEcho } from './echo-server.ts';

const word = 'between-us';
const terms = { clock: systemClock, word };
let server: EchoServer;

beforeEach(async () => {
  server = await startEcho(terms);
});
afterEach(() => server.close());

async function burst(knownWord: string, payloadBytes = 64) {
  const timeoutMs = 500;
  const { signal, done } = deadline(systemClock, timeoutMs);
  const target = { address: '127.0.0.1', port: server.port };
  const echo = createEcho({ clock: systemClock, word: knownWord });
  const echoed = await echo.datagrams(target, { count: 5, payloadBytes }, { signal, timeoutMs });
  done();
  return echoed;
}

/** What a connection gets that sends the head of a request, by the time that it is closed. */
async function hungUpOn(port: number, knownWord: string): Promise<string> {
  const stream = connect(port, '127.0.0.1');
  let bytes = 0;
  stream.on('error', () => undefined).on('data', (chunk) => void (bytes += chunk.length));
  stream.write(echoRequest(knownWord, 0, 64));
  await new Promise((resolve) => stream.once('close', resolve));
  return bytes === 0 ? 'nothing came back' : `${bytes} bytes came back`;
}

describe('the echo of a worker', () => {
  it.each([64, 1472, 60_000])('sends datagrams of %i bytes back whole', async (bytes) => {
    expect(await burst(word, bytes)).toEqual({ kind: 'ok', value: { sent: 5, received: 5 } });
  });

  it('gives nothing to those who do not know the word', async () => {
    expect(await burst('guessed')).toEqual({ kind: 'ok', value: { sent: 5, received: 0 } });
  });

  it('does not answer an answer, so that two echoes cannot keep each other busy', () => {
    const reply = echoReply(echoRequest(word, 1, 64), word);
    expect(reply).not.toBeNull();
    expect(echoReply(reply ?? Buffer.alloc(0), word)).toBeNull();
  });

  it('is never larger than what was asked', () => {
    for (const bytes of [64, 100, 1472]) {
      const request = echoRequest(word, 1, bytes);
      expect(echoReply(request, word)).toHaveLength(request.length);
    }
  });

  it('survives rubbish by UDP and by TCP', async () => {
    const socket = createSocket('udp4');
    socket.send(Buffer.from('rubbish'), server.port, '127.0.0.1', () => socket.close());
    const stream = connect(server.port, '127.0.0.1');
    stream.on('error', () => undefined);
    stream.end(Buffer.alloc(70_000));
    await new Promise((resolve) => stream.on('close', resolve));
    expect(await burst(word)).toMatchObject({ value: { received: 5 } });
  });

  it('hangs up on a stranger as soon as he can be told from a worker', async () => {
    expect(await hungUpOn(server.port, 'guessed')).toBe('nothing came back');
  });

  it('hangs up on a worker that takes too long, whatever it sends meanwhile', async () => {
    const clock = manualClock();
    const slow = await startEcho({ clock, word });
    const hungUp = hungUpOn(slow.port, word);
    while (clock.pendingTimers() === 0) await systemClock.nextTurn();
    await clock.advance(10_000);
    expect(await hungUp).toBe('nothing came back');
    slow.close();
  });

  it('says why it cannot listen', async () => {
    const second = await serveEcho({ address: '127.0.0.1', port: server.port }, terms);
    expect(second).toMatchObject({ kind: 'error', error: expect.stringContaining('EADDRINUSE') });
  });
});
