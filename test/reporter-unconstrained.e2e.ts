// The reporter before an API server that does not constrain impersonation, as none does by default before 1.36: what is refused, what
// the reporter says of it, and which rights serve there.

import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ControlPlane, startControlPlane } from './control-plane/control-plane.ts';
import { createNode } from './support/cluster-world.ts';
import {
  becomes,
  conditionOf,
  type Endpoint,
  grant,
  podKubeconfig,
  reporterAccount,
  reporterSamples,
  sampleEnvironment,
  startEndpoint,
  startReporter,
} from './support/reporter-process.ts';

let plane: ControlPlane;
let endpoint: Endpoint;
let ownToken: string;

beforeAll(async () => {
  // What the server of today calls itself and can do is then that of 1.34, the oldest release that we say we run on.
  plane = await startControlPlane({ scheduler: false, apiServerFlags: ['--emulated-version=1.34'] });
  for (const name of ['worker-1', 'worker-2']) await createNode(plane, name);
  await plane.kubectl(['apply', '-f', reporterSamples]);
  endpoint = await startEndpoint();
  ownToken = await podKubeconfig(plane, reporterAccount, 'worker-1');
});

afterAll(async () => {
  endpoint?.close();
  await plane?.stop();
});

/** As the DaemonSet in the cluster says now. */
const start = async (changes: Readonly<Record<string, string>>) =>
  startReporter({
    ...(await sampleEnvironment(plane)),
    CHECK_ENDPOINT: endpoint.url,
    KUBECONFIG: ownToken,
    ...changes,
  });

describe('before an API server that does not constrain impersonation', () => {
  it('the rights of the sample are refused, and the reporter says so', async () => {
    const reporter = await start({ NODE_NAME: 'worker-1' });
    const line = await reporter.says('"reason":"Forbidden"');
    expect(line).toContain('cannot impersonate resource \\"users\\"');
    expect(line).toContain('an API server that constrains impersonation, as it does from Kubernetes 1.36 on');
    expect(await reporter.stop()).toBe(0);
    expect(await conditionOf(plane, 'worker-1')).toBeUndefined();
  });

  it('the right to impersonate a node is not enough: without its group it is a user like any other', async () => {
    const user = 'system:node:worker-1';
    await grant(plane, 'impersonator', {
      rules: [{ apiGroups: [''], resources: ['users'], resourceNames: [user], verbs: ['impersonate'] }],
      subject: { kind: 'ServiceAccount', ...reporterAccount },
    });
    const reporter = await start({ NODE_NAME: 'worker-1' });
    expect(await reporter.says('"reason":"Forbidden"')).toContain(
      'User \\"system:node:worker-1\\" cannot patch resource \\"nodes/status\\"',
    );
    await grant(plane, user, {
      rules: [
        { apiGroups: [''], resources: ['nodes/status'], resourceNames: ['worker-1'], verbs: ['patch'] },
      ],
      subject: { kind: 'User', name: user },
    });
    await becomes(plane, 'worker-1', 'True');
    expect(await reporter.stop()).toBe(0);
  });

  it('the rights of before-1.36 serve without impersonation, for the own node alone', async () => {
    const { namespace, name } = reporterAccount;
    await plane.kubectl(['apply', '-f', path.join(reporterSamples, 'before-1.36')]);
    await plane.kubectl(['set', 'env', `daemonset/${name}`, 'IMPERSONATE_NODE=false', '-n', namespace]);
    // The API server acts on a new policy after a moment, until which the other node can be written.
    const other = await start({ NODE_NAME: 'worker-2', HEARTBEAT_PERIOD: '1s' });
    await other.says('a reporter on node worker-1 may not change node worker-2');
    expect(await other.stop()).toBe(0);
    endpoint.answer(503, 'not now');
    const token = await podKubeconfig(plane, reporterAccount, 'worker-2');
    const own = await start({ NODE_NAME: 'worker-2', FAILURE_THRESHOLD: '1', KUBECONFIG: token });
    await becomes(plane, 'worker-2', 'False');
    expect(await own.stop()).toBe(0);
  });
});
