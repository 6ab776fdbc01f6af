// The pod of a control worker: that of any worker, which checks its own node first and then echoes for a while. Its name is that of a
// place, not of a node: whoever makes the first pod of a name decides where it runs.

import { safeToEvictAnnotation, workerAnnotations, workerLabels, workerLabelValues } from '../../api/keys.ts';
import type { Instant } from '../../base/clock.ts';
import { formatTime } from '../../base/timestamp.ts';
import type { LifecycleView } from '../../fleet/lifecycle.ts';
import type { NodeView } from '../../objects/node.ts';
import type { RawObject } from '../../objects/raw.ts';
import { questionsOf } from './addresses.ts';
import { echoPort, freshMs, isAsking } from './controls.ts';
import { chosenChecks } from './custom-checks.ts';
import { ownersOf, podSpec, variablesOf } from './pod-spec.ts';
import type { PlannedCheck, Policy } from './policy.ts';
import type { WorkerTemplate } from './worker-pod.ts';
import { nodeLabelValue } from './worker-view.ts';

export type ControlOrder = {
  readonly name: string;
  readonly word: string;
  readonly node: NodeView;
  readonly lifecycle: LifecycleView;
  readonly policy: Policy;
  readonly template: WorkerTemplate;
  readonly now: Instant;
};

export function controlPod(order: ControlOrder): RawObject {
  const { name, node, lifecycle, policy, template, now } = order;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: template.namespace,
      labels: {
        [workerLabels.app]: workerLabelValues.app,
        [workerLabels.component]: workerLabelValues.control,
        [workerLabels.node]: nodeLabelValue(node.name),
      },
      annotations: {
        [workerAnnotations.targetNode]: node.name,
        [workerAnnotations.nodeUID]: node.uid,
        [workerAnnotations.policy]: `${policy.name}/${policy.generation}`,
        [workerAnnotations.createdAt]: formatTime(now),
        [safeToEvictAnnotation]: 'true',
      },
      ownerReferences: ownersOf(lifecycle),
    },
    spec: specOf(order),
  };
}

/** For its own checks, and for a kubelet that is slow to start it. */
const MARGIN_S = 90;
const SECOND_MS = 1000;

function specOf({ word, node, policy, template }: ControlOrder): object {
  const workerSeconds = Math.ceil(policy.workerTimeoutMs / SECOND_MS);
  const echoSeconds = freshMs(policy) / SECOND_MS + workerSeconds;
  const config = {
    ...template.config,
    mode: 'control',
    runTimeout: `${Math.max(1, workerSeconds - 5)}s`,
    checks: ownChecks(policy, template),
    echo: { bindAddress: `:${echoPort}`, duration: `${echoSeconds}s`, word },
  };
  const env = variablesOf({
    NODE_UID: node.uid,
    WORKER_MODE: 'true',
    WORKER_CONFIG: JSON.stringify(config),
  });
  return podSpec({
    node,
    policy,
    template,
    env,
    lifeSeconds: echoSeconds + workerSeconds + MARGIN_S,
    custom: [],
    readinessProbe: { tcpSocket: { port: echoPort }, periodSeconds: 1 },
  });
}

/** What its node was verified by, as far as it needs nobody else. */
function ownChecks(policy: Policy, template: WorkerTemplate): readonly PlannedCheck[] {
  const own = chosenChecks(policy, template).own.filter(
    (check) => !isAsking(check) && questionsOf({ checks: [check] }, template.dnsService).length === 0,
  );
  return own.length === 0 ? [{ name: 'api' }] : own;
}
