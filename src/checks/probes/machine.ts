// The world as a worker in a pod finds it: its resolver, its network, its mounted credentials and its disk.

import { readFile } from 'node:fs/promises';
import type { Clock } from '../../base/clock.ts';
import type { Random } from '../../base/random.ts';
import { err, ok } from '../../base/result.ts';
import { inconclusive } from '../outcome.ts';
import type { Endpoint, Probed, Wire, World } from '../world.ts';
import { createApi } from './api-client.ts';
import { exchange } from './datagrams.ts';
import { createDisk } from './disk.ts';
import { createDns } from './dns-client.ts';
import { encodeQuestion } from './dns-message.ts';
import { createEcho } from './echo-client.ts';
import { parseResolvConf, type ResolverSettings } from './resolv-conf.ts';
import { openAndClose } from './tcp.ts';

export type MachineParts = {
  readonly clock: Clock;
  readonly random: Random;
  readonly apiEndpoint: Endpoint;
  readonly namespace: string;
  readonly authorityFile: string;
  readonly tokenFile: string;
  readonly resolvConf: string;
  /** Asked in place of the servers in resolv.conf. */
  readonly dnsServer: Endpoint | null;
  readonly scratchDirectory: string;
  readonly echoWord: string;
};

export function createMachine(parts: MachineParts): World {
  const { clock, apiEndpoint, echoWord, scratchDirectory } = parts;
  return {
    clock,
    dns: createDns({ ...parts, settings: () => resolverSettings(parts) }),
    wire: createWire(parts),
    echo: createEcho({ clock, word: echoWord }),
    api: createApi({ ...parts, endpoint: apiEndpoint }),
    disk: createDisk(clock, scratchDirectory),
  };
}

async function resolverSettings({ resolvConf, dnsServer }: MachineParts): Probed<ResolverSettings> {
  try {
    const settings = parseResolvConf(await readFile(resolvConf, 'utf8'));
    const servers = dnsServer === null ? settings.servers : [dnsServer];
    return servers.length === 0
      ? err(inconclusive('NothingToCheck', `${resolvConf} names no DNS server`))
      : ok({ ...settings, servers });
  } catch (error) {
    if (dnsServer !== null) return ok({ servers: [dnsServer], search: [], ndots: 1 });
    return err(inconclusive('LocalError', error instanceof Error ? error.message : String(error)));
  }
}

function createWire({ clock, random }: MachineParts): Wire {
  return {
    connect: (target, { signal }) => openAndClose(target, signal),
    async bounce(target, { signal }) {
      const id = Math.floor(random.next() * 65_536);
      const question = { id, name: 'kubernetes.default.svc.cluster.local.', type: 'A' } as const;
      const answer = await exchange<true>({
        target,
        datagram: encodeQuestion(question),
        clock,
        signal,
        accept: (reply) => (reply.length >= 2 && reply.readUInt16BE(0) === id ? true : undefined),
      });
      return answer.kind === 'ok' ? ok(undefined) : answer;
    },
  };
}
