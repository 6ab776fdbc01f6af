// The conformance suite on the server that defines the truth, where every expectation must hold first, and on the embedded one,
// here with kubectl. Only the embedded one can be asked for a log: it has whoever plays the kubelets, the other has none.

import { expect, it } from 'vitest';
import type { LogLine, PodLogSupplier } from '../src/apiserver/pod-logs.ts';
import { embeddedTargetWithKubectl } from './conformance/embedded-target.ts';
import { realTarget } from './conformance/real-target.ts';
import { describeConformance } from './conformance/run.ts';

describeConformance(realTarget);
describeConformance(embeddedTargetWithKubectl);

it('kubectl prints and follows the log of a pod', async () => {
  const target = await embeddedTargetWithKubectl.start();
  try {
    const lines: readonly LogLine[] = ['one', 'two'].map((text, index) => ({ at: index, text }));
    const supplier: PodLogSupplier = {
      linesOf: () => lines,
      follow: (_container, listener) => {
        setImmediate(() => {
          listener.line({ at: 2, text: 'three' });
          listener.ended();
        });
        return () => undefined;
      },
    };
    target.server.podLogs.supplyBy(supplier);
    const spec = { nodeName: 'n', containers: [{ name: 'c', image: 'i' }] };
    const body = { metadata: { name: 'p' }, spec };
    await target.request('POST', '/api/v1/namespaces/default/pods', { body });
    expect(await target.kubectl(['logs', 'p'])).toBe('one\ntwo\n');
    expect(await target.kubectl(['logs', 'p', '--tail=1'])).toBe('two\n');
    expect(await target.kubectl(['logs', 'p', '-f', '-c', 'c'])).toBe('one\ntwo\nthree\n');
  } finally {
    await target.stop();
  }
});
