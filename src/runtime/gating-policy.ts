// What a DisruptionPolicy says about gating, and what holds without one. The flags of the operator come on top: its authority
// is the lesser of both, and a budget that is given there replaces that of the policy.

import type { Instant } from '../base/clock.ts';
import { parseTime } from '../base/timestamp.ts';
import { authorities, disruptionDefaults as defaults } from '../api/disruption-vocabulary.ts';
import { disruptionPolicyType } from '../api/keys.ts';
import type { NodeLimit } from '../fleet/node-limit.ts';
import { fieldsOf, type ObjectView, type RawObject, recordsIn, textOf, viewOf } from '../objects/raw.ts';
import type { CacheChange, WatchSpec } from './ports.ts';

export type Authority = (typeof authorities)[number];

/** A wish of somebody's that ends by itself, or when it is taken back. */
export type Standing = { readonly reason: string; readonly by: string; readonly until: Instant | null };

export type GatingPolicy = {
  readonly authority: Authority;
  /** Nodes in service of one pool that may be gated: the largest of these. */
  readonly gating: readonly NodeLimit[];
  /** Nodes in service of one pool that may carry a NoExecute taint of ours: the largest of these. */
  readonly noExecute: readonly NodeLimit[];
  readonly noExecuteKeys: readonly string[];
  readonly pauses: readonly Standing[];
  readonly holds: Readonly<Record<string, Standing>>;
};

export type GatingFlags = { readonly authority: Authority; readonly gateBudget: NodeLimit | null };

export const noFlags: GatingFlags = { authority: 'act', gateBudget: null };

export type PolicyView = ObjectView & { readonly gating: GatingPolicy };

export const policySpec: WatchSpec<PolicyView> = {
  selection: { type: disruptionPolicyType, unread: ['managedFields'] },
  presence: 'optional',
  isDeciding: true,
  project: (raw) => ({ ...viewOf(raw), gating: projectPolicy(raw) }),
};

export function effectivePolicy(
  policy: GatingPolicy | undefined,
  { authority, gateBudget }: GatingFlags,
): GatingPolicy {
  const given = policy ?? defaultPolicy;
  return {
    ...given,
    authority:
      authorities.indexOf(authority) < authorities.indexOf(given.authority) ? authority : given.authority,
    gating: gateBudget === null ? given.gating : [gateBudget],
  };
}

/** What an authority kept from being written is not held, node by node, but left out: whoever it concerns has to be looked at again. */
export function changesAuthority(change: CacheChange<PolicyView>): boolean {
  const of = (view: PolicyView | null) => view?.gating.authority ?? defaults.authority;
  const before = change.kind === 'added' ? null : change.before;
  const now = change.kind === 'deleted' ? null : change.now;
  return of(before) !== of(now);
}

function projectPolicy(raw: RawObject): GatingPolicy {
  const spec = fieldsOf(raw.spec);
  const noExecute = fieldsOf(spec['noExecute']);
  const keys = noExecute['allowedTaintKeys'];
  return {
    authority: authorities.find((each) => each === spec['authority']) ?? defaults.authority,
    gating: shareOf(spec['gating'], defaults.gating),
    noExecute: shareOf(noExecute, defaults.noExecute),
    noExecuteKeys: Array.isArray(keys) ? keys.filter((key) => typeof key === 'string') : [],
    pauses: recordsIn(spec['pauseRequests']).map((pause) => standingOf(pause, textOf(pause['by']))),
    holds: Object.fromEntries(
      recordsIn(spec['holds']).map((hold) => [textOf(hold['node']), standingOf(hold, 'the policy')]),
    ),
  };
}

const defaultPolicy: GatingPolicy = {
  authority: defaults.authority,
  gating: shareOf({}, defaults.gating),
  noExecute: shareOf({}, defaults.noExecute),
  noExecuteKeys: [],
  pauses: [],
  holds: {},
};

type Share = { readonly percent: number; readonly nodes: number };

function shareOf(raw: unknown, otherwise: Share): readonly NodeLimit[] {
  const { percent, nodes } = fieldsOf(raw);
  return [
    { kind: 'percent', max: typeof percent === 'number' ? percent : otherwise.percent },
    { kind: 'nodes', max: typeof nodes === 'number' ? nodes : otherwise.nodes },
  ];
}

function standingOf(raw: Readonly<Record<string, unknown>>, by: string): Standing {
  return { reason: textOf(raw['reason']), by, until: parseTime(textOf(raw['until'])) };
}
