// DisruptionPolicy: what the operator may do to nodes, for the whole cluster. Schema and types; code that runs imports the
// types only, and lists and defaults from disruption-vocabulary.

import type { KindDefinition } from './crd.ts';
import { ledger } from './disruption-ledger.ts';
import { authorities, disruptionDefaults as defaults } from './disruption-vocabulary.ts';
import { duration } from './duration-schema.ts';
import { disruptionPolicyName, disruptionPolicyType } from './keys.ts';
import {
  type Described,
  enumOf,
  flag,
  labelLengthMax,
  listMap,
  nameLengthMax,
  nodeKey,
  object,
  optional,
  setOf,
  stringMap,
  text,
  time,
  whole,
} from './schema.ts';

const reasonLengthMax = 256;
// Five fields of a crontab line, or one of the usual names for such a line.
const cronSchedule = '^(@(hourly|daily|midnight|weekly|monthly|yearly|annually)|\\S+( \\S+){4})$';
const timeZoneName = '^[A-Za-z0-9_+-]+(/[A-Za-z0-9_+-]+){0,2}$';
const upToAWeek = { max: '168h', isZeroAllowed: false } as const;

type Share = { readonly percent: number; readonly nodes: number };

const percent = (description: string, value: number) =>
  whole(description, { min: 0, max: 100, default: value });
const nodes = (description: string, value: number) =>
  whole(description, { min: 0, max: 100_000, default: value });
const period = (description: string, options: { readonly default?: string } = {}) =>
  duration(description, { ...upToAWeek, ...options });

const shareOf = (value: Share) => ({
  percent: optional(percent('Share of the nodes, in percent.', value.percent)),
  nodes: optional(nodes('Number of nodes.', value.nodes)),
});

const budget = (description: string) =>
  optional(object(description, shareOf(defaults.budget), { default: {} }));

const rate = (description: string, value: { readonly nodes: number; readonly period: string }) =>
  optional(
    object(
      description,
      {
        nodes: optional(nodes('Number of nodes.', value.nodes)),
        period: optional(period('In how much time, such as 10m or 1h.', { default: value.period })),
      },
      { default: {} },
    ),
  );

const gating = object(
  'The brake: how many nodes in service may be newly gated in one pool, the larger of both numbers.',
  shareOf(defaults.gating),
  { default: {} },
);

const noExecute = object(
  'Taints that evict pods. Nodes in service of one pool that may carry one of ours: the larger of both numbers.',
  {
    allowedTaintKeys: optional(
      setOf(
        'Keys of the taints that may be set with the effect NoExecute, where the authority is to act; none when empty.',
        nodeKey('A taint key.'),
        { max: 32 },
      ),
    ),
    ...shareOf(defaults.noExecute),
  },
  { default: {} },
);

const deletion = object(
  'Deletion of nodes through their owners.',
  {
    enabled: optional(flag('Whether nodes may be deleted at all.', { default: false })),
    nodeSelector: optional(
      stringMap('Labels of the nodes that may be deleted; a node without them never is.', {
        min: 1,
        max: 8,
        valueMax: labelLengthMax,
      }),
    ),
    perPool: rate('How many nodes of one pool may be deleted in how much time.', defaults.deletion.perPool),
    perCluster: rate('How many nodes may be deleted in how much time.', defaults.deletion.perCluster),
    percentPerDay: optional(
      percent(
        'Share of a pool that may be deleted in 24 hours, in percent.',
        defaults.deletion.percentPerDay,
      ),
    ),
  },
  {
    default: {},
    rules: [
      {
        // The API server tries the rule on the bare default too, in which nothing is set.
        rule: '!has(self.enabled) || !self.enabled || has(self.nodeSelector)',
        message: 'enabled needs a nodeSelector: nodes opt in to deletion by label',
      },
    ],
  },
);

const drain = object(
  'Eviction of the pods of a node.',
  { enabled: optional(flag('Whether nodes may be drained.', { default: false })) },
  { default: {} },
);

const budgets = object(
  'How many nodes may be disrupted at the same time: the smaller of both numbers, of the largest size in the last hour.',
  { pool: budget('In each pool.'), zone: budget('In each zone.'), cluster: budget('In the whole cluster.') },
  { default: {} },
);

const maintenanceWindow = object('A time in which destructive acts may start.', {
  name: text('What the window is called.', { min: 1, max: labelLengthMax }),
  schedule: text('When it opens, as a cron expression of five fields.', { max: 128, pattern: cronSchedule }),
  duration: period('How long it stays open, such as 4h.'),
  timeZone: optional(
    text('The time zone of the schedule.', { max: labelLengthMax, pattern: timeZoneName, default: 'UTC' }),
  ),
});

const pauseRequest = object('A wish that nothing destructive starts.', {
  by: text('Who asks.', { min: 1, max: labelLengthMax }),
  reason: text('Why.', { min: 1, max: reasonLengthMax }),
  until: optional(time('When it ends by itself; without it, when it is removed.')),
});

const hold = object('A node that is to be left alone.', {
  node: text('The name of the node.', { min: 1, max: nameLengthMax }),
  reason: text('Why.', { min: 1, max: reasonLengthMax }),
  until: optional(time('When it ends by itself; without it, when it is removed.')),
});

const spec = object('What the operator may do.', {
  authority: optional(
    enumOf(
      'The most it may do: only observe, also gate nodes, or act on them, as to evict from them.',
      authorities,
      {
        default: defaults.authority,
      },
    ),
  ),
  gating: optional(gating),
  noExecute: optional(noExecute),
  deletion: optional(deletion),
  drain: optional(drain),
  budgets: optional(budgets),
  windows: optional(
    listMap('When destructive acts may start; at any time when empty.', maintenanceWindow, {
      key: 'name',
      max: 16,
    }),
  ),
  pauseRequests: optional(
    listMap(
      'While one stands, nothing destructive starts and no node in service is newly gated.',
      pauseRequest,
      {
        key: 'by',
        max: 16,
      },
    ),
  ),
  holds: optional(
    listMap('Nodes that are neither disrupted nor, once in service, newly gated.', hold, {
      key: 'node',
      max: 256,
    }),
  ),
});

export type DisruptionPolicySpec = Described<typeof spec>;

export const disruptionPolicyKind: KindDefinition = {
  type: disruptionPolicyType,
  shortNames: ['dp'],
  description:
    'What Muster may do to nodes: its authority, the brake, budgets, windows, pauses. One per cluster.',
  spec,
  status: ledger,
  rules: [
    {
      rule: `self.metadata.name == '${disruptionPolicyName}'`,
      message: `a cluster has one DisruptionPolicy, and its name is ${disruptionPolicyName}`,
    },
  ],
  columns: [
    { name: 'Authority', type: 'string', description: 'The most it may do.', jsonPath: '.spec.authority' },
    {
      name: 'Deletion',
      type: 'boolean',
      description: 'Whether nodes may be deleted.',
      jsonPath: '.spec.deletion.enabled',
    },
    {
      name: 'Drain',
      type: 'boolean',
      description: 'Whether nodes may be drained.',
      jsonPath: '.spec.drain.enabled',
    },
    {
      name: 'Paused By',
      type: 'string',
      description: 'Who asked first to pause.',
      jsonPath: '.spec.pauseRequests[0].by',
    },
    { name: 'Epoch', type: 'integer', description: 'Of the ledger.', jsonPath: '.status.epoch', priority: 1 },
    { name: 'Age', type: 'date', description: 'Age of the policy.', jsonPath: '.metadata.creationTimestamp' },
  ],
  selectableFields: [],
};
