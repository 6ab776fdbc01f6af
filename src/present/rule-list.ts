// Rules, one line each: for `muster rules`.

import { parseTaintId } from '../objects/taint.ts';
import type { Instant } from '../base/clock.ts';
import { formatTime } from '../base/timestamp.ts';
import { formatAge } from './age.ts';
import { type RuleFacts, ruleLabel, ruleStates, toneOfState } from './rule-facts.ts';
import { type Column, formatTable, type Look } from './table.ts';

export function formatRules(rules: readonly RuleFacts[], now: Instant, look: Look): readonly string[] {
  return formatTable(columns(now), rules, look);
}

function columns(now: Instant): readonly Column<RuleFacts>[] {
  return [
    { heading: 'NAME', cell: ({ view }) => ruleLabel(view) },
    { heading: 'MODE', cell: ({ view }) => (view.rule?.mode ?? '-').replace('-only', '') },
    { heading: 'TAINT', cell: taintWords, isFlexible: true },
    { heading: 'READY', cell: readyOf, align: 'right' },
    { heading: 'GATED', cell: ({ status }) => count(status.summary?.nodesWithTaint), align: 'right' },
    { heading: 'HELD', cell: heldOf, align: 'right' },
    { heading: 'STATE', cell: stateOf, tone: (rule) => toneOfState(ruleStates(rule)[0] ?? '') },
    { heading: 'AGE', cell: ({ view }) => formatAge(now - view.createdAt) },
  ];
}

/** The name in the key, and the effect where it is not the usual one. */
function taintWords({ view }: RuleFacts): string {
  if (view.rule === null) return '-';
  const { key, effect } = parseTaintId(view.rule.taint);
  const name = key.slice(key.lastIndexOf('/') + 1);
  return effect === 'NoSchedule' ? name : `${name}:${effect}`;
}

function readyOf({ status: { summary } }: RuleFacts): string {
  return summary === undefined ? '-' : `${summary.nodesReady}/${summary.totalApplicableNodes}`;
}

function heldOf({ status: { summary } }: RuleFacts): string {
  return summary === undefined ? '-' : count(summary.heldNodes ?? 0);
}

function count(nodes: number | undefined): string {
  return nodes === undefined ? '-' : String(nodes);
}

function stateOf(rule: RuleFacts): string {
  const [first = '', ...others] = ruleStates(rule);
  return others.length === 0 ? first : `${first} +${others.length}`;
}

/** The same for programs; what nobody has reported yet is null. */
export function ruleDocument(facts: RuleFacts): Readonly<Record<string, unknown>> {
  const { view, status, peer } = facts;
  const { summary } = status;
  return {
    kind: view.front,
    name: view.name,
    generation: view.generation,
    mode: view.rule?.mode ?? null,
    taint: view.rule === null ? null : { ...parseTaintId(view.rule.taint), value: view.rule.taintValue },
    states: ruleStates(facts),
    nodes:
      summary === undefined
        ? null
        : {
            matched: summary.totalApplicableNodes,
            ready: summary.nodesReady,
            notReady: summary.nodesNotReady,
            unknown: summary.nodesUnknown,
            gated: summary.nodesWithTaint,
            held: summary.heldNodes ?? 0,
            failing: status.failedNodeCount ?? 0,
          },
    servedBy: peer === '' ? null : peer,
    createdAt: formatTime(view.createdAt),
  };
}
