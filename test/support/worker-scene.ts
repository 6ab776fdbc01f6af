// A world for checks on loopback: the real probes of a worker, pointed at stub servers. Closed by the test that opened it.

import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deadline, systemClock } from '../../src/base/clock.ts';
import { seededRandom } from '../../src/base/random.ts';
import type { Check } from '../../src/checks/check.ts';
import type { Outcome } from '../../src/checks/outcome.ts';
import { echoReply } from '../../src/checks/probes/echo-protocol.ts';
import { createMachine } from '../../src/checks/probes/machine.ts';
import { createTargetRules } from '../../src/checks/targets.ts';
import type { Endpoint, World } from '../../src/checks/world.ts';
import { startEcho } from './echo.ts';
import { type StubApi, type StubApiOptions, startStubApi } from './stub-api.ts';
import { type StubDns, type StubDnsOptions, startStubDns } from './stub-dns.ts';

export const echoWord = 'between-us';
export const loopbackAllowed = createTargetRules({ allowed: ['127.0.0.0/8'], denied: [] });

export type Scene = {
  readonly dns: StubDns;
  readonly api: StubApi;
  readonly peer: Endpoint;
  /** A peer that only packets of up to 1400 bytes reach. */
  readonly narrowPeer: Endpoint;
  readonly folder: string;
  readonly world: World;
  close(): void;
};

export type SceneOptions = {
  readonly dns?: StubDnsOptions;
  readonly api?: StubApiOptions;
  readonly resolvConf?: string;
  readonly hasToken?: boolean;
  readonly hasScratch?: boolean;
};

export async function openScene(options: SceneOptions = {}): Promise<Scene> {
  const [dns, api, echo, narrow] = await Promise.all([
    startStubDns(options.dns),
    startStubApi(options.api),
    startEcho({ clock: systemClock, word: echoWord }),
    startNarrowEcho(),
  ]);
  const folder = mkdtempSync(join(tmpdir(), 'muster-worker-'));
  const resolvConf = join(folder, 'resolv.conf');
  writeFileSync(resolvConf, options.resolvConf ?? '');
  const world = createMachine({
    clock: systemClock,
    random: seededRandom(1),
    apiEndpoint: { address: api.address, port: api.port },
    namespace: 'muster-system',
    authorityFile: api.authorityFile,
    tokenFile: options.hasToken === false ? join(folder, 'no-token') : api.tokenFile,
    resolvConf,
    dnsServer: options.resolvConf === undefined ? dns : null,
    scratchDirectory: options.hasScratch === false ? join(folder, 'nowhere') : folder,
    echoWord,
  });
  const close = () => {
    for (const each of [dns, api, echo, narrow]) each.close();
    rmSync(folder, { recursive: true });
  };
  const peer = { address: '127.0.0.1', port: echo.port };
  const narrowPeer = { address: '127.0.0.1', port: narrow.address().port };
  return { dns, api, peer, narrowPeer, folder, world, close };
}

async function startNarrowEcho(): Promise<Socket> {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return socket.on('message', (packet, { port, address }) => {
    const reply = packet.length <= 1400 - 28 ? echoReply(packet, echoWord) : null;
    if (reply !== null) socket.send(reply, port, address);
  });
}

export type Trial = {
  readonly params?: unknown;
  readonly timeoutMs?: number;
  readonly stop?: AbortSignal;
  readonly world: World;
};

/** One run of a check as the runner starts it, without retries. */
export async function tryCheck(
  check: Check,
  { params, timeoutMs = 2000, stop, world }: Trial,
): Promise<Outcome> {
  const run = check.prepare(params, { path: 'params', targets: loopbackAllowed });
  if (run.kind === 'error') throw new Error(JSON.stringify(run.error));
  const { signal, done } = deadline(systemClock, timeoutMs, stop);
  try {
    return await run.value({ ...world, limits: { signal, timeoutMs } });
  } finally {
    done();
  }
}
