// Nodes, one line each, as their NodeLifecycle records tell it: for `muster nodes`.

import type { Instant } from '../base/clock.ts';
import { parseTime } from '../base/timestamp.ts';
import type { NodeLifecycleStatus } from '../api/node-lifecycle.ts';
import { parseOwner } from '../fleet/readiness-rule.ts';
import { formatAge } from './age.ts';
import type { Tone } from './paint.ts';
import { ruleLabel } from './rule-facts.ts';
import { type Column, formatTable, type Look } from './table.ts';

export type NodeLine = { readonly name: string; readonly status: NodeLifecycleStatus };

export function formatNodes(nodes: readonly NodeLine[], now: Instant, look: Look): readonly string[] {
  const columns: readonly Column<NodeLine>[] = [
    { heading: 'NAME', cell: ({ name }) => name },
    { heading: 'STAGE', cell: ({ status }) => status.stage ?? '-', tone: ({ status }) => toneOf(status) },
    { heading: 'GATES', cell: ({ status }) => status.gateSummary ?? '-', isFlexible: true },
    ...(nodes.some(({ status }) => conflictsOf(status).length > 0) ? [conflictColumn] : []),
    { heading: 'POOL', cell: ({ status }) => status.pool ?? '-' },
    { heading: 'SINCE', cell: ({ status }) => ageOf(status.stageSince, now) },
  ];
  return formatTable(columns, nodes, look);
}

/** The first one's reason and how many more; there only while a node has one. */
const conflictColumn: Column<NodeLine> = {
  heading: 'CONFLICT',
  cell: ({ status }) => {
    const [first, ...others] = conflictsOf(status);
    if (first === undefined) return '-';
    return others.length === 0 ? first.reason : `${first.reason} +${others.length}`;
  },
};

function conflictsOf({ conflicts = [] }: NodeLifecycleStatus): NonNullable<NodeLifecycleStatus['conflicts']> {
  return conflicts;
}

type Gate = NonNullable<NodeLifecycleStatus['gates']>[number];
export type OpenGate = NodeLine & { readonly gate: Gate };

/** A taint of others that dedicates a node keeps nobody away who belongs there; it is no open gate. */
export function openGatesOf(node: NodeLine): readonly OpenGate[] {
  return (node.status.gates ?? [])
    .filter(({ kind }) => kind !== 'Foreign')
    .map((gate) => ({ ...node, gate }));
}

/** One line for each gate that is open, with who and why. */
export function formatOpenGates(gates: readonly OpenGate[], now: Instant, look: Look): readonly string[] {
  const columns: readonly Column<OpenGate>[] = [
    { heading: 'NAME', cell: ({ name }) => name },
    { heading: 'HELD BY', cell: holderOf },
    { heading: 'SINCE', cell: ({ gate }) => ageOf(gate.since, now) },
    { heading: 'WHY', cell: ({ gate }) => gate.message ?? gate.reason, isFlexible: true },
  ];
  return formatTable(columns, gates, look);
}

/** Who answers for a gate: a rule, Kubernetes, or whoever cordoned the node. */
function holderOf({ gate, status }: OpenGate): string {
  if (gate.kind === 'System') return 'Kubernetes';
  if (gate.kind === 'Cordon') return 'a cordon';
  const owned = status.owned?.find(
    ({ kind, key, effect }) => kind === 'Taint' && key === gate.key && effect === gate.effect,
  );
  if (owned === undefined) return 'somebody';
  const rule = parseOwner(owned.owner);
  return rule === null ? policyLabel(owned.owner) : ruleLabel(rule);
}

/** `nv/gpu`, as kubectl takes it; verification without a policy is called by its name. */
function policyLabel(owner: string): string {
  const [, policy] = /^verification\/NodeVerification\/(.+)$/.exec(owner) ?? [];
  return policy === undefined ? owner : `nv/${policy}`;
}

/** The same for programs. */
export function nodeDocument({ name, status }: NodeLine): Readonly<Record<string, unknown>> {
  const node = { name, status };
  return {
    name,
    stage: status.stage ?? null,
    reason: status.stageReason ?? null,
    pool: status.pool ?? null,
    since: status.stageSince ?? null,
    conflicts: conflictsOf(status),
    gates: (status.gates ?? []).map((gate) => ({ ...gate, by: holderOf({ ...node, gate }) })),
  };
}

function toneOf({ stage }: NodeLifecycleStatus): Tone {
  if (stage === 'InService') return 'good';
  return stage === 'Leaving' ? 'dim' : 'busy';
}

function ageOf(time: string | undefined, now: Instant): string {
  const at = parseTime(time);
  return at === null ? '-' : formatAge(now - at);
}
