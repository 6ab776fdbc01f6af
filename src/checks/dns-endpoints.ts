// Proves that this node reaches the DNS pods themselves, most of them on other nodes: a dead one hides behind the Service.
// Never retries: the runner does.

import { defineCheck } from './check.ts';
import { inconclusive, type Outcome, pass } from './outcome.ts';
import { domainName, integer, listOf, one, port, targetAddress } from './params.ts';

export const dnsEndpoints = defineCheck({
  name: 'dns-endpoints',
  summary: 'asks each DNS pod for a name, past the Service',
  params: {
    addresses: listOf(targetAddress, {
      default: [],
      max: 16,
      help: 'DNS pods; none: those of --dns-service that are ready, which the operator looks up',
    }),
    port: one(port, { default: 53, help: 'where they listen' }),
    name: one(domainName, { default: 'kubernetes.default.svc.cluster.local.', help: 'what they are asked' }),
    silentMax: one(integer({ min: 0, max: 15 }), { default: 0, help: 'how many of them may fail to answer' }),
  },
  async run({ addresses, port, name, silentMax }, { dns, limits }) {
    if (addresses.length === 0) return inconclusive('NothingToCheck', 'no DNS pod was given');
    const answers = await Promise.all(
      addresses.map(async (address) => ({ address, answer: await dns.ask({ address, port }, name, limits) })),
    );
    const silent = answers.flatMap(({ address, answer }) =>
      answer.kind === 'error' ? [{ address, outcome: answer.error }] : [],
    );
    const answered = `${addresses.length - silent.length} of ${addresses.length} DNS pods answered`;
    return silent.length <= silentMax ? pass(answered) : blame(silent, answered);
  },
});

type Silent = { readonly address: string; readonly outcome: Outcome };

/** One failure among them is enough to blame; only if none could be asked at all is nothing known. */
function blame(silent: readonly Silent[], answered: string): Outcome {
  const [worst] = silent.toSorted(
    (a, b) => Number(a.outcome.kind !== 'fail') - Number(b.outcome.kind !== 'fail'),
  );
  if (worst === undefined) return pass(answered);
  return { ...worst.outcome, message: `${answered}; ${worst.outcome.message}` };
}
