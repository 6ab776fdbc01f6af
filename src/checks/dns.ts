// Proves that a pod on this node can resolve names. Never retries: the runner does.

import { defineCheck } from './check.ts';
import { pass } from './outcome.ts';
import { domainName, listOf } from './params.ts';

export const dns = defineCheck({
  name: 'dns',
  summary: "resolves each name through the pod's resolver",
  params: {
    names: listOf(domainName, {
      default: ['kubernetes.default.svc.cluster.local.'],
      min: 1,
      max: 16,
      help: 'names that must have an address; one that ends in a dot is asked for as it stands',
    }),
  },
  async run({ names }, { dns, limits }) {
    const answers = await Promise.all(names.map((name) => dns.resolve(name, limits)));
    const broken = answers.find((answer) => answer.kind === 'error');
    return broken?.kind === 'error' ? broken.error : pass(`${names.length} names resolved`);
  },
});
