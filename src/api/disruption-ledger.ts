// The status of DisruptionPolicy: the ledger in which a destructive act is reserved before it happens. An entry is bound
// to one version of one incarnation of a node, so that a leader of an older epoch cannot act on it.

import { destructiveActions } from './disruption-vocabulary.ts';
import {
  type CelRule,
  type Described,
  enumOf,
  keyLengthMax,
  labelLengthMax,
  listMap,
  nameLengthMax,
  object,
  optional,
  text,
  time,
  whole,
} from './schema.ts';

const epoch = (description: string, rules: readonly CelRule[] = []) =>
  whole(description, { min: 0, format: 'int64', rules });

const reservation = object('A node that is being disrupted, or was recently.', {
  uid: text('The UID of the node.', { min: 1, max: 64 }),
  node: text('The name of the node.', { min: 1, max: nameLengthMax }),
  resourceVersion: text('The version of the node that the act is bound to.', { min: 1, max: 64 }),
  epoch: epoch('The epoch in which it was reserved.'),
  action: enumOf('What is done to it.', destructiveActions),
  at: time('When it was reserved.'),
  pool: optional(text('The pool of the node.', { max: nameLengthMax })),
  zone: optional(text('The zone of the node.', { max: labelLengthMax })),
});

const condition = object('One aspect of the state of the policy.', {
  type: text('Which aspect.', { min: 1, max: keyLengthMax }),
  status: enumOf('Whether it holds.', ['True', 'False', 'Unknown']),
  observedGeneration: optional(whole('The generation that was looked at.', { min: 0, format: 'int64' })),
  lastTransitionTime: time('When the status last changed.'),
  reason: text('Why.', { min: 1, max: labelLengthMax }),
  message: text('The same in words.', { max: 1024 }),
});

export const ledger = object('The reservation ledger. Written by the operator alone.', {
  epoch: optional(
    epoch('The counter of the ledger itself: each leader takes the next number.', [
      { rule: 'self >= oldSelf', message: 'never goes back' },
    ]),
  ),
  entries: optional(
    listMap('Reservations, of which each node has at most one.', reservation, { key: 'uid', max: 1024 }),
  ),
  conditions: optional(listMap('The state of the policy.', condition, { key: 'type', max: 8 })),
});

export type DisruptionLedger = Described<typeof ledger>;
