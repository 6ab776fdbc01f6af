// NodeVerification: how the nodes of one group are verified. Schema and types; code that runs imports the types only, and the
// lists and defaults from verification-vocabulary.

import { checkParams } from './check-params.ts';
import type { KindDefinition } from './crd.ts';
import { nodeVerificationType, verificationKeys } from './keys.ts';
import { nodeSelector } from './readiness-schema.ts';
import {
  atomicList,
  type Described,
  enumOf,
  flag,
  labelLengthMax,
  labelValuePattern,
  nameLengthMax,
  nodeKey,
  object,
  optional,
  ownLabelKey,
  stringMap,
  taintKey,
  text,
  whole,
} from './schema.ts';
import {
  checkSeverities,
  gateEffects,
  onboardings,
  changeActions,
  retryBackoffs,
  verificationDefaults as defaults,
  verificationLimits as limits,
} from './verification-vocabulary.ts';

const checkName = '^[a-z0-9]+(-[a-z0-9]+)*$';
const quantity = '^[0-9]+(\\.[0-9]+)?(m|k|M|G|T|Ki|Mi|Gi|Ti)?$';

const value = (description: string) => text(description, { max: labelLengthMax, pattern: labelValuePattern });
const seconds = (description: string, bounds: { min: number; max: number; default?: number }) =>
  whole(description, bounds);

const taint = object('A taint that a node carries until it is verified.', {
  key: taintKey('The key of the taint'),
  effect: enumOf('What it does to pods that do not tolerate it.', gateEffects),
  value: optional(value('Its value, where the operator sets it.')),
});

const check = object('One check that the worker runs.', {
  name: text('Which check: see the reference of checks, or a custom check of the operator.', {
    min: 1,
    max: 20,
    pattern: checkName,
  }),
  id: optional(
    text('What it is called in the report, where one check runs more than once.', {
      min: 1,
      max: 20,
      pattern: checkName,
    }),
  ),
  severity: optional(
    enumOf('Whether its failure is one of the node; required when absent.', checkSeverities),
  ),
  timeoutSeconds: optional(seconds('The time of one try.', { min: 1, max: 300 })),
  tries: optional(whole('How often it is tried before it counts.', { min: 1, max: 10 })),
  params: optional(checkParams),
});

const quantities = (description: string) =>
  object(description, {
    cpu: optional(text('Processor time.', { max: 16, pattern: quantity })),
    memory: optional(text('Memory.', { max: 16, pattern: quantity })),
  });

const worker = object('How the worker runs.', {
  requests: optional(quantities('What it asks for; 50m and 64Mi when absent.')),
  limits: optional(quantities('What it may use at most; 128Mi of memory when absent.')),
  priorityClassName: optional(text('Its priority class.', { max: nameLengthMax })),
  tolerations: optional(
    atomicList(
      'Taints that it tolerates besides those of this policy and the lasting ones of the node.',
      object('One toleration; without a value any value is tolerated.', {
        key: nodeKey('The key of the taint.'),
        value: optional(value('The value of the taint.')),
        effect: optional(enumOf('The effect of the taint; any when absent.', gateEffects)),
      }),
      { max: limits.tolerationsMax },
    ),
  ),
});

const requirements = object('What the node must have before a worker runs; needs no worker to see.', {
  daemonSets: optional(
    atomicList(
      'DaemonSets whose pod on the node must be ready.',
      object('A DaemonSet.', {
        namespace: text('Its namespace.', { min: 1, max: labelLengthMax }),
        name: text('Its name.', { min: 1, max: nameLengthMax }),
      }),
      { max: limits.requirementsMax },
    ),
  ),
  csiDrivers: optional(
    atomicList(
      'CSI drivers that must be registered on the node.',
      text('The name of a driver.', { min: 1, max: labelLengthMax }),
      { max: limits.requirementsMax },
    ),
  ),
  resources: optional(
    stringMap('Resources of device plugins that must be allocatable, and how much of them.', {
      max: limits.requirementsMax,
      valueMax: 16,
    }),
  ),
});

const reverification = object('When a verified node is verified again. It keeps working meanwhile.', {
  intervalSeconds: optional(
    seconds('After this time, +-10 %; never when absent.', { min: 300, max: 31_536_000 }),
  ),
  onReboot: optional(
    enumOf('What a reboot means: nothing, another verification, or one with the taint.', changeActions, {
      default: defaults.onReboot,
    }),
  ),
  onUpdate: optional(
    enumOf(
      'What it means that the node runs another version of the kubelet: nothing, another verification, or one with the taint.',
      changeActions,
      { default: defaults.onUpdate },
    ),
  ),
  failuresBeforeGate: optional(
    whole('How many attempts in a row must fail before the node gets the taint again; never the first.', {
      min: 2,
      max: 10,
      default: defaults.failuresBeforeGate,
    }),
  ),
});

const spec = object(
  'Which nodes, what marks them, what is checked and how often.',
  {
    nodeSelector: nodeSelector('The nodes that this policy is about.'),
    priority: optional(
      whole('Of several policies for one node the highest applies; nodes of it are verified first.', {
        min: -1000,
        max: 1000,
        default: 0,
      }),
    ),
    suspend: optional(flag('Leave every node as it is.')),
    taints: optional(
      atomicList(
        'Taken from a node when it is verified; the first is set on a new node that was born without any. ' +
          `${verificationKeys.taint}:${defaults.taintEffect} when absent, and none when empty.`,
        taint,
        { max: limits.taintsMax },
      ),
    ),
    verifiedLabel: optional(
      object(
        `The label of a verified node; ${verificationKeys.verifiedLabel}=${defaults.labelValue} when absent.`,
        {
          key: ownLabelKey('The key of the label'),
          value: optional(value('Its value; true when absent.')),
        },
      ),
    ),
    checks: optional(
      atomicList('What the worker checks; dns, api, network and service-discovery when absent.', check, {
        max: limits.checksMax,
      }),
    ),
    requirements: optional(requirements),
    workerTimeoutSeconds: optional(
      seconds('How long a worker may run.', { min: 5, max: 3600, default: defaults.workerTimeoutSeconds }),
    ),
    maxRetries: optional(
      whole('How many attempts are made in all.', { min: 1, max: 100, default: defaults.maxRetries }),
    ),
    retryBackoff: optional(
      enumOf('How long an attempt waits after one that failed: 1, 2, 4 ... 30 s, or 5 s.', retryBackoffs, {
        default: defaults.retryBackoff,
      }),
    ),
    nodeReadyTimeoutSeconds: optional(
      seconds('How long a kubelet may take to become ready.', {
        min: 30,
        max: 86_400,
        default: defaults.nodeReadyTimeoutSeconds,
      }),
    ),
    deadlineSeconds: optional(
      seconds('How long a node may take in all, from its creation, until it counts as failed.', {
        min: 60,
        max: 86_400,
        default: defaults.deadlineSeconds,
      }),
    ),
    worker: optional(worker),
    reverification: optional(reverification),
    onboarding: optional(
      enumOf(
        'Nodes that were in service before this policy: left alone, labelled as they are, or verified without a taint.',
        onboardings,
        { default: defaults.onboarding },
      ),
    ),
    deleteFailedNodes: optional(
      flag('A node that failed for good is to be deleted. Not carried out yet: it is shown as held.', {
        default: false,
      }),
    ),
  },
  {
    rules: [
      {
        rule: '!has(self.checks) || size(self.checks) > 0',
        message: 'checks must not be empty: without it the usual checks run',
      },
    ],
  },
);

export type NodeVerificationSpec = Described<typeof spec>;

const status = object('What became of the nodes of this policy. Written by the operator alone.', {
  observedGeneration: optional(whole('The generation that was last looked at.', { min: 0, format: 'int64' })),
  nodes: optional(whole('Nodes that this policy applies to.', { min: 0 })),
  verified: optional(whole('Of these, verified.', { min: 0 })),
  inProgress: optional(whole('Of these, with a worker.', { min: 0 })),
  waiting: optional(whole('Of these, waiting for something.', { min: 0 })),
  failed: optional(whole('Of these, failed.', { min: 0 })),
  leftAlone: optional(
    whole('Of these, left alone: in service before, let in by hand, or the policy is suspended.', { min: 0 }),
  ),
  held: optional(
    whole('Nodes in service that are to be gated again and that the brake holds: they still take pods.', {
      min: 0,
    }),
  ),
  problems: optional(
    atomicList(
      'Why this policy cannot be followed; absent when it can. While it stands no worker runs for it.',
      text('One thing that is wrong, with its field.', { max: limits.problemLengthMax }),
      { max: limits.problemsMax },
    ),
  ),
  failedNodes: optional(
    atomicList(
      'The first nodes that failed.',
      object('A node and what it failed.', {
        nodeName: text('The name of the node.', { max: nameLengthMax }),
        reason: text('Why.', { max: 64 }),
        message: optional(text('The same in words.', { max: 128 })),
      }),
      { max: 20 },
    ),
  ),
});

export type NodeVerificationStatus = Described<typeof status>;

export const nodeVerificationKind: KindDefinition = {
  type: nodeVerificationType,
  shortNames: ['nv'],
  description: 'How the nodes of one group are verified before they take work.',
  spec,
  status,
  rules: [],
  columns: [
    { name: 'Nodes', type: 'integer', description: 'Nodes of this policy.', jsonPath: '.status.nodes' },
    { name: 'Verified', type: 'integer', description: 'Verified.', jsonPath: '.status.verified' },
    { name: 'Running', type: 'integer', description: 'With a worker.', jsonPath: '.status.inProgress' },
    { name: 'Waiting', type: 'integer', description: 'Waiting.', jsonPath: '.status.waiting' },
    { name: 'Failed', type: 'integer', description: 'Failed.', jsonPath: '.status.failed' },
    { name: 'Left', type: 'integer', description: 'Left alone.', jsonPath: '.status.leftAlone' },
    {
      name: 'Priority',
      type: 'integer',
      description: 'Which policy applies first.',
      jsonPath: '.spec.priority',
      priority: 1,
    },
    { name: 'Age', type: 'date', description: 'Age of the policy.', jsonPath: '.metadata.creationTimestamp' },
    // A whole sentence: whatever came after it would stand off the screen.
    {
      name: 'Problem',
      type: 'string',
      description: 'Why it cannot be followed.',
      jsonPath: '.status.problems[0]',
    },
  ],
  selectableFields: [],
};
