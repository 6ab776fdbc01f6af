// The pod that checks a node: its name and marks, what it is told, and for how long it may run.

import { formatTime } from '../../base/timestamp.ts';
import type { Instant } from '../../base/clock.ts';
import type { CustomChecks } from '../../api/custom-check.ts';
import { workerAnnotations, workerLabels, workerLabelValues } from '../../api/keys.ts';
import type { LifecycleView, VerificationRecord } from '../../fleet/lifecycle.ts';
import type { NodeView } from '../../objects/node.ts';
import type { RawObject } from '../../objects/raw.ts';
import type { ServiceAnswers, ServiceName } from '../../objects/service.ts';
import { withAddresses } from './addresses.ts';
import { controlTerms, noPeers, withPeers } from './controls.ts';
import { chosenChecks, marksOf, type WorkerConfig } from './custom-checks.ts';
import { ownersOf, podSpec, variablesOf } from './pod-spec.ts';
import type { PlannedCheck, Policy, WorkerSpec } from './policy.ts';
import { nodeLabelValue, nonceOf, type WorkerView } from './worker-view.ts';

/** What is the same for all workers of an operator. */
export type WorkerTemplate = {
  readonly namespace: string;
  readonly image: string;
  readonly pullPolicy: string;
  readonly serviceAccountName: string;
  /** Where the policy does not say. */
  readonly resources: Pick<WorkerSpec, 'requests' | 'limits'>;
  readonly config: WorkerConfig;
  /** What they check where the policy does not choose: what its configuration says, or else the usual. */
  readonly checks: readonly PlannedCheck[];
  readonly custom: CustomChecks;
  /** Whose pods `dns-endpoints` asks where the policy names none. */
  readonly dnsService: ServiceName;
  readonly isReportingToApi: boolean;
};

export type WorkerOrder = {
  readonly node: NodeView;
  readonly policy: Policy;
  readonly record: VerificationRecord;
  readonly lifecycle: LifecycleView;
  readonly template: WorkerTemplate;
  readonly now: Instant;
  /** Where the Services are that its checks are about. */
  readonly services?: ServiceAnswers;
  /** The control workers that it is told of; undefined where its policy asks for none. */
  readonly peers?: readonly WorkerView[] | undefined;
};

export function workerPod(order: WorkerOrder): RawObject {
  const { node, policy, record, lifecycle, template, now, peers } = order;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: record.workerPod ?? '',
      namespace: template.namespace,
      labels: { ...foundBy, [workerLabels.node]: nodeLabelValue(node.name) },
      annotations: {
        [workerAnnotations.targetNode]: node.name,
        [workerAnnotations.nodeUID]: node.uid,
        [workerAnnotations.round]: String(record.round ?? 1),
        [workerAnnotations.attempt]: String(record.attempt ?? 1),
        [workerAnnotations.policy]: `${policy.name}/${policy.generation}`,
        [workerAnnotations.checks]: marksOf(chosenChecks(policy, template), template.config).join(','),
        [workerAnnotations.createdAt]: formatTime(now),
        ...(peers === undefined ? {} : { [workerAnnotations.peers]: peersText(peers) }),
      },
      ownerReferences: ownersOf(lifecycle),
    },
    spec: specOf(order),
  };
}

function peersText(peers: readonly WorkerView[]): string {
  return peers.map(({ uid }) => uid).join(',') || noPeers;
}

const foundBy = {
  [workerLabels.app]: workerLabelValues.app,
  [workerLabels.component]: workerLabelValues.component,
};

/** Past the end of its run: a worker that hangs is ended by its kubelet even when nobody is left to delete it. */
const DEADLINE_MARGIN_S = 30;
/** Images of custom checks may be large, and a kubelet counts from before it pulls them. */
const CUSTOM_IMAGES_S = 180;

function specOf(order: WorkerOrder): object {
  const { node, policy, record, template, services = new Map(), peers } = order;
  const { own, custom } = chosenChecks(policy, template);
  const addressed = withAddresses(own, services, template.dnsService);
  const told = {
    policy,
    template,
    own: peers === undefined ? addressed : withPeers(addressed, peers),
    echo: peers === undefined || peers.length === 0 ? {} : { echo: { word: controlTerms(policy).word } },
  };
  const lifeSeconds =
    Math.ceil(policy.workerTimeoutMs / 1000) +
    DEADLINE_MARGIN_S +
    (custom.length === 0 ? 0 : CUSTOM_IMAGES_S);
  return podSpec({ node, policy, template, env: environmentOf(node, record, told), lifeSeconds, custom });
}

type Chosen = {
  readonly policy: Policy;
  readonly template: WorkerTemplate;
  readonly own: readonly PlannedCheck[];
  /** What it needs to be answered by control workers. */
  readonly echo: object;
};

function environmentOf(
  node: NodeView,
  record: VerificationRecord,
  { policy, template, own, echo }: Chosen,
): readonly object[] {
  const { round = 1, attempt = 1 } = record;
  const nonce = nonceOf({ nodeName: node.name, nodeUID: node.uid, round, attempt });
  const runSeconds = Math.max(1, Math.floor(policy.workerTimeoutMs / 1000) - 5);
  const config = {
    ...template.config,
    runTimeout: `${runSeconds}s`,
    ...echo,
    ...(policy.checks === null ? {} : { checks: own }),
    ...(template.isReportingToApi ? { reportResultsToAPI: true } : {}),
  };
  return variablesOf({
    NODE_UID: node.uid,
    VERIFICATION_NONCE: nonce,
    WORKER_MODE: 'true',
    WORKER_CONFIG: JSON.stringify(config),
  });
}
