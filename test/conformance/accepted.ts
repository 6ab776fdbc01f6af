// Every case in which the embedded server is known to answer otherwise than kube-apiserver, and why that is accepted. The suite
// fails when one of them holds after all.

import type { Difference } from './target.ts';

export const acceptedOfEmbedded: readonly Difference[] = [
  {
    topic: 'requests',
    sentence: 'reads and writes YAML',
    reason: 'only JSON is spoken: YAML is refused with 415 and 406, and kubectl sends none',
  },
  {
    topic: 'patches',
    sentence: 'of type apply make the object and take back what they no longer say',
    reason: 'server-side apply is out of scope and answered with 501',
  },
  {
    topic: 'kubectl changes',
    sentence: 'apply --server-side owns its fields',
    reason: 'server-side apply is out of scope and answered with 501',
  },
];
