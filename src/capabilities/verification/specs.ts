// What the capability watches. The specs are the identity of the caches.

import { nodeVerificationType, workerLabels, workerLabelValues } from '../../api/keys.ts';
import type { LifecycleView } from '../../fleet/lifecycle.ts';
import type { NodeView } from '../../objects/node.ts';
import { podType } from '../../objects/ref.ts';
import type { WatchSpec } from '../../runtime/ports.ts';
import { type PolicyView, projectPolicy } from './policy.ts';
import type { WorkerTemplate } from './worker-pod.ts';
import { projectWorker, type WorkerView } from './worker-view.ts';

/** The kinds that every operator watches: they are the centre's, and lent to us. */
export type CentreSpecs = {
  readonly nodes: WatchSpec<NodeView>;
  readonly lifecycles: WatchSpec<LifecycleView>;
};

export type VerificationSpecs = CentreSpecs & {
  readonly policies: WatchSpec<PolicyView>;
  readonly workers: WatchSpec<WorkerView>;
};

export function verificationSpecs(
  centre: CentreSpecs,
  { namespace: workerNamespace, custom }: Pick<WorkerTemplate, 'namespace' | 'custom'>,
): VerificationSpecs {
  const labels = [
    `${workerLabels.app}=${workerLabelValues.app}`,
    `${workerLabels.component} in (${workerLabelValues.component},${workerLabelValues.control})`,
  ];
  return {
    ...centre,
    policies: {
      selection: { type: nodeVerificationType, unread: ['managedFields'] },
      presence: 'optional',
      project: (raw) => projectPolicy(raw, custom.checks),
    },
    workers: {
      selection: {
        type: podType,
        namespace: workerNamespace,
        labelSelector: labels.join(','),
        unread: ['managedFields'],
      },
      presence: 'required',
      project: (raw, intern) => projectWorker(raw, (value) => intern.text(value)),
      indexes: {
        node: ({ isControl, targetNode }) => (isControl ? [] : [targetNode]),
        control: ({ isControl, policy }) => (isControl ? [policy] : []),
      },
    },
  };
}
