// Proves that Service addresses lead somewhere from this node, by TCP and by UDP: what kube-proxy or its replacement has to
// program. Sends a DNS question by UDP and nothing by TCP. Never retries: the runner does.

import { ok } from '../base/result.ts';
import { defineCheck } from './check.ts';
import { pass } from './outcome.ts';
import { choice, listOf, port, record, required, targetAddress } from './params.ts';
import type { CheckContext, Endpoint, Probed } from './world.ts';

type Target = Endpoint & { readonly protocol: 'tcp' | 'udp' };

export const network = defineCheck({
  name: 'network',
  summary: 'reaches Service addresses by TCP and by UDP',
  params: {
    targets: listOf(
      record({
        address: required(targetAddress),
        port: required(port),
        protocol: required(choice(['tcp', 'udp'])),
      }),
      {
        default: [],
        max: 16,
        help: 'what must answer; none: the API server by TCP, and the cluster DNS by TCP and UDP. A UDP target must be a DNS server or an echo',
      },
    ),
  },
  async run({ targets }, context) {
    const wanted = targets.length > 0 ? ok(targets) : await usualTargets(context);
    if (wanted.kind === 'error') return wanted.error;
    const { wire, limits } = context;
    const answers = await Promise.all(
      wanted.value.map((target) =>
        target.protocol === 'tcp' ? wire.connect(target, limits) : wire.bounce(target, limits),
      ),
    );
    const broken = answers.find((answer) => answer.kind === 'error');
    return broken?.kind === 'error' ? broken.error : pass(`${answers.length} addresses answered`);
  },
});

async function usualTargets({ api, dns }: CheckContext): Probed<readonly Target[]> {
  const servers = await dns.nameservers();
  if (servers.kind === 'error') return servers;
  const [first] = servers.value;
  const cluster: readonly Target[] =
    first === undefined
      ? []
      : [
          { ...first, protocol: 'tcp' },
          { ...first, protocol: 'udp' },
        ];
  return ok([{ ...api.endpoint, protocol: 'tcp' }, ...cluster]);
}
