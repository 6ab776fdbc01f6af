// Proves that a Service is found under its name and is the one the cluster means: the addresses come from the operator, which
// reads the API. Connects to those alone, never to what DNS says. Never retries: the runner does.

import { defineCheck } from './check.ts';
import { fail, type Outcome, pass } from './outcome.ts';
import { domainName, listOf, type Param, port, record, required, targetAddress } from './params.ts';
import type { CheckContext } from './world.ts';

const addresses: Param<readonly string[]> = listOf(targetAddress, { default: [], min: 1, max: 4, help: '' });

type Service = { readonly name: string; readonly addresses: readonly string[]; readonly port: number };

export const serviceDiscovery = defineCheck({
  name: 'service-discovery',
  summary: 'finds each Service by name at the addresses that the cluster gave it, and connects',
  params: {
    services: listOf(
      record({ name: required(domainName), addresses: required(addresses.kind), port: required(port) }),
      {
        default: [],
        max: 16,
        help: 'Services with the addresses they really have, which the operator looks up where a policy gives none; none: the API server of this cluster',
      },
    ),
  },
  async run({ services }, context) {
    const wanted = services.length > 0 ? services : [usualService(context)];
    const outcomes = await Promise.all(wanted.map((service) => find(service, context)));
    return outcomes.find(({ kind }) => kind !== 'pass') ?? pass(`${wanted.length} services found`);
  },
});

function usualService({ api }: CheckContext): Service {
  const { address, port } = api.endpoint;
  return { name: 'kubernetes.default.svc.cluster.local.', addresses: [address], port };
}

async function find({ name, addresses, port }: Service, context: CheckContext): Promise<Outcome> {
  const { dns, wire, limits } = context;
  const found = await dns.resolve(name, limits);
  if (found.kind === 'error') return found.error;
  const stranger = found.value.find((address) => !addresses.includes(address));
  if (stranger !== undefined)
    return fail('WrongAddress', `${name} resolves to ${stranger}, which is not an address of the service`);
  for (const address of addresses) {
    const connected = await wire.connect({ address, port }, limits);
    if (connected.kind === 'error') return connected.error;
  }
  return pass(name);
}
