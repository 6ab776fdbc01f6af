// NodeLifecycle: the state of record of one node, which no kubelet can write. Schema and types; code that runs imports
// the types only, and the lists and bounds from lifecycle-vocabulary.

import type { KindDefinition } from './crd.ts';
import { nodeLifecycleType } from './keys.ts';
import {
  checkVerdicts,
  gateKinds,
  lifecycleLimits as limits,
  ownedKinds,
  removers,
  stages,
  updatePhases,
  verificationStates,
} from './lifecycle-vocabulary.ts';
import {
  atomicList,
  type CelRule,
  type Described,
  enumOf,
  flag,
  keyLengthMax,
  labelLengthMax,
  nameLengthMax,
  object,
  optional,
  text,
  time,
  whole,
} from './schema.ts';

const uidLengthMax = 64;
const immutable: CelRule = {
  rule: 'self == oldSelf',
  message: 'is immutable: a node that is re-created gets a new object',
};

const name = (description: string) => text(description, { max: nameLengthMax });
const reason = (description: string) => text(description, { max: limits.reasonLengthMax });
const message = (description: string) => text(description, { max: limits.messageLengthMax });

const spec = object('Which incarnation of which node this is.', {
  nodeName: text('The name of the node.', { min: 1, max: nameLengthMax, rules: [immutable] }),
  nodeUID: text('The UID of the node.', { min: 1, max: uidLengthMax, rules: [immutable] }),
});

const gate = object('One thing that keeps ordinary pods away.', {
  kind: enumOf('Whose it is: ours, of Kubernetes, a cordon, or of someone else.', gateKinds),
  key: text('The key of the taint; `unschedulable` for a cordon.', { max: keyLengthMax }),
  effect: optional(text('The effect of the taint.', { max: labelLengthMax })),
  reason: reason('Why the gate is there.'),
  message: optional(message('The same in words.')),
  since: optional(time('When this record first showed the gate.')),
});

const conflict = object(
  'One key of the node that not everybody wants as it is, or that somebody keeps changing back.',
  {
    owner: text('Whose conflict it is: a capability, or a capability, kind and name.', { max: keyLengthMax }),
    reason: reason('What it is.'),
    message: optional(message('The same in words.')),
    since: optional(time('When this record first showed it.')),
  },
);

const owned = object('One key on the node that is ours.', {
  kind: enumOf('What the key names.', ownedKinds),
  key: text('The key.', { max: keyLengthMax }),
  effect: optional(text('The effect, for a taint.', { max: labelLengthMax })),
  value: optional(text('The value that we wrote.', { max: limits.ownedValueLengthMax })),
  owner: text('On whose behalf: a capability, or a capability, kind and name.', { max: keyLengthMax }),
});

const check = object('The result of one check.', {
  name: text('The name of the check.', { max: labelLengthMax }),
  verdict: enumOf('What it found.', checkVerdicts),
  reason: optional(reason('Why it did not pass.')),
  message: optional(message('The same in words.')),
  durationMs: optional(whole('How long it took, in milliseconds.', { min: 0 })),
});

const verification = object('How far the verification of this incarnation has come.', {
  state: enumOf('Where it stands.', verificationStates),
  policy: optional(name('The NodeVerification that applies.')),
  policyUID: optional(text('The UID of that policy.', { max: uidLengthMax })),
  generation: optional(whole('The generation of that policy.', { min: 0, format: 'int64' })),
  round: optional(whole('How often verification of this incarnation has begun, from 1.', { min: 0 })),
  bootID: optional(text('The boot in which this round began.', { max: uidLengthMax })),
  kubeletVersion: optional(text('The version of the kubelet with which it began.', { max: uidLengthMax })),
  attempt: optional(whole('The number of the current or last attempt, from 1.', { min: 0 })),
  failedAttempts: optional(whole('Attempts of this round in which a check failed.', { min: 0 })),
  inconclusiveAttempts: optional(whole('Attempts of this round that found nothing out.', { min: 0 })),
  workerPod: optional(name('The pod of the current or last attempt.')),
  lastAttemptAt: optional(time('When that attempt was begun.')),
  startedAt: optional(time('When its worker was first seen to run.')),
  attemptEndedAt: optional(time('When it ended.')),
  reason: optional(reason('Why it ended so, or why none is made.')),
  lastError: optional(message('What went wrong last.')),
  gates: optional(flag('Whether the node is kept from work until it is verified.')),
  gatedAt: optional(time('When the node was first seen with the taint of its policy.')),
  gatedAsOf: optional(
    text('The resourceVersion of the Node that was seen then; an older one says nothing about the taint.', {
      max: uidLengthMax,
    }),
  ),
  createdAt: optional(time('When this round began.')),
  verifiedAt: optional(time('When it passed.')),
  verdict: optional(enumOf('The outcome of the last attempt.', checkVerdicts)),
  checks: optional(atomicList('The results of the last attempt.', check, { max: limits.checksMax })),
});

const update = object('Where an update of the node stands.', {
  phase: enumOf('How far it has come.', updatePhases),
  version: optional(text('The version that the node runs.', { max: limits.messageLengthMax })),
  desiredVersion: optional(text('The version that it is to run.', { max: limits.messageLengthMax })),
  currentConfig: optional(name('The configuration that the node has.')),
  desiredConfig: optional(name('The configuration that it is to have.')),
  message: optional(message('What is happening, in words.')),
});

const transition = object('One change of stage.', {
  at: time('When it happened.'),
  stage: enumOf('The stage that was entered.', stages),
  reason: reason('Why.'),
  message: optional(message('The same in words.')),
});

// Every field is optional: a create drops the status, and the first status write follows it.
const status = object('What is known of the node. Written by the operator alone.', {
  bootID: optional(text('The boot ID of the node when it was last seen.', { max: uidLengthMax })),
  stage: optional(enumOf('Where in its life the node is.', stages)),
  stageSince: optional(
    time('When this record first showed that stage, at most 30 s after the node entered it.'),
  ),
  stageReason: optional(reason('Why it is in that stage.')),
  stageMessage: optional(message('The same in words.')),
  pool: optional(name('The pool of the node.')),
  gates: optional(atomicList('What keeps ordinary pods away, ours first.', gate, { max: limits.gatesMax })),
  gateCount: optional(whole('How many gates are open, those included that are not listed.', { min: 0 })),
  gateSummary: optional(
    text('The first open gate and how many more, or a dash.', { max: limits.gateSummaryLengthMax }),
  ),
  conflicts: optional(
    atomicList('Present while somebody contests what is wished for on the node.', conflict, {
      max: limits.conflictsMax,
    }),
  ),
  leaving: optional(
    object('Present while someone is removing the node.', {
      by: enumOf('Who removes it.', removers),
      since: optional(time('When that was first seen.')),
    }),
  ),
  firstReleasedAt: optional(
    time('When the node first carried no gate of ours; from then on the brake counts it as in service.'),
  ),
  inServiceAt: optional(time('When the node first reached the stage InService.')),
  owned: optional(atomicList('The keys on the node that are ours.', owned, { max: limits.ownedMax })),
  ownedAsOf: optional(
    text(
      'The resourceVersion of the node when such keys were last about to be written; until it has a newer one, that write may still arrive and no key leaves the list.',
      { max: uidLengthMax },
    ),
  ),
  verification: optional(verification),
  update: optional(update),
  timeline: optional(
    atomicList('The last changes of stage, newest first.', transition, { max: limits.timelineMax }),
  ),
});

export type NodeLifecycleSpec = Described<typeof spec>;
export type NodeLifecycleStatus = Described<typeof status>;

export const nodeLifecycleKind: KindDefinition = {
  type: nodeLifecycleType,
  shortNames: ['nl'],
  description:
    'The life of one node: where it stands, what holds it back, what is ours on it. Muster writes it; read it freely.',
  spec,
  status,
  rules: [
    { rule: 'self.metadata.name == self.spec.nodeName', message: 'metadata.name must be spec.nodeName' },
  ],
  // A line fits 80 columns while the longest name, gate summary and pool are together at most 52 characters long.
  columns: [
    {
      name: 'Stage',
      type: 'string',
      description: 'Where in its life the node is.',
      jsonPath: '.status.stage',
    },
    { name: 'Gates', type: 'string', description: 'What keeps pods away.', jsonPath: '.status.gateSummary' },
    { name: 'Pool', type: 'string', description: 'The pool of the node.', jsonPath: '.status.pool' },
    { name: 'Since', type: 'date', description: 'Time in that stage.', jsonPath: '.status.stageSince' },
    {
      name: 'Conflict',
      type: 'string',
      description: 'The first conflict about the node.',
      jsonPath: '.status.conflicts[0].reason',
      priority: 1,
    },
    {
      name: 'Phase',
      type: 'string',
      description: 'How far an update has come.',
      jsonPath: '.status.update.phase',
      priority: 1,
    },
    {
      name: 'Node UID',
      type: 'string',
      description: 'The UID of the node.',
      jsonPath: '.spec.nodeUID',
      priority: 1,
    },
    {
      name: 'Boot ID',
      type: 'string',
      description: 'The last boot ID.',
      jsonPath: '.status.bootID',
      priority: 1,
    },
    {
      name: 'Age',
      type: 'date',
      description: 'Age of this record.',
      jsonPath: '.metadata.creationTimestamp',
      priority: 1,
    },
  ],
  selectableFields: ['.status.stage', '.status.pool'],
};
