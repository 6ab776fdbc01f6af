// What a rule does to which nodes: how many there are of each kind, and of those that it does not let go the first by name.

import type { Instant } from '../base/clock.ts';
import { parseTime } from '../base/timestamp.ts';
import { reasonMeanings } from '../api/reasons.ts';
import type { Rule, RuleView } from '../fleet/readiness-rule.ts';
import { findCondition } from '../objects/condition.ts';
import type { NodeView } from '../objects/node.ts';
import { parseTaintId } from '../objects/taint.ts';
import { formatAge } from './age.ts';
import {
  type ConditionResult,
  type Evaluation,
  type Grouped,
  heldBack,
  type NodeGroup,
} from './evaluation.ts';
import type { RuleStatus } from './rule-facts.ts';
import { type Block, item, type Section, words } from './story.ts';
import { type Column, formatTable } from './table.ts';

/** Nodes that are shown by name in each group. */
export const SHOWN_NODES_MAX = 5;

export type NodesFacts = {
  readonly view: RuleView;
  readonly status: RuleStatus;
  readonly grouped: Grouped;
  /** Those of which more is known than the evaluation says. */
  readonly nodes: ReadonlyMap<string, NodeView>;
  readonly now: Instant;
};

export function groupBlocks({ view, status, grouped }: NodesFacts): readonly Block[] {
  const { rule } = view;
  const { summary } = status;
  if (rule === null) return [];
  if (summary === undefined) {
    return [words('No operator has reported on this rule yet. Is one running, and does it serve this kind?')];
  }
  const evaluated = evaluatedIn(grouped);
  if (summary.totalApplicableNodes === 0 && evaluated === 0) return [words('The rule selects no node.')];
  const rows = [...grouped].flatMap(([group, some]) => groupRows(group, some, rule));
  const width = Math.max(...rows.map(({ count }) => String(count).length), 0);
  const rest = summary.totalApplicableNodes - evaluated;
  return [
    ...rows.map(({ count, text }) => item(text, `${String(count).padStart(width)} `)),
    ...(rest > 0 ? [words(restWords(rest, status))] : []),
  ];
}

export function evaluatedIn(grouped: Grouped): number {
  return [...grouped.values()].reduce((sum, { length }) => sum + length, 0);
}

/** Without evaluations only the counts are known. */
function restWords(rest: number, { summary }: RuleStatus): string {
  const { nodesReady = 0, nodesWithTaint = 0, heldNodes = 0 } = summary ?? {};
  const counts = `of all its nodes ${nodesReady} are ready, ${nodesWithTaint} carry the taint, ${heldNodes} are held`;
  return `${rest} without an evaluation (the operator keeps those that --evaluations asks for); ${counts}.`;
}

type GroupRow = { readonly count: number; readonly text: string };

function groupRows(group: NodeGroup, some: readonly Evaluation[], rule: Rule): readonly GroupRow[] {
  const count = some.length;
  switch (group) {
    case 'waiting':
      return [...Map.groupBy(some, ({ reason }) => reason)].map(([reason, each]) => ({
        count: each.length,
        text: `waiting: ${meaningOf(reason)}${stillGatedWords(each)}`,
      }));
    case 'dryRun': {
      const met = some.filter(({ isMet }) => isMet).length;
      return [
        { count: met, text: 'as required; nothing is done in a dry run' },
        { count: count - met, text: 'not as required; nothing is done in a dry run' },
      ].filter((row) => row.count > 0);
    }
    default:
      return [{ count, text: groupWords(group, rule) }];
  }
}

function stillGatedWords(waiting: readonly Evaluation[]): string {
  const names = waiting.filter(({ hasTaint }) => hasTaint).map(({ nodeName }) => nodeName);
  if (names.length === 0) return '';
  const shown = names.slice(0, SHOWN_NODES_MAX).join(', ');
  const more = names.length > SHOWN_NODES_MAX ? ` and ${names.length - SHOWN_NODES_MAX} more` : '';
  return `. With the taint: ${shown}${more}`;
}

function groupWords(group: Exclude<NodeGroup, 'waiting' | 'dryRun'>, rule: Rule): string {
  switch (group) {
    case 'failing':
      return 'failing: they could not be brought to what the rule wants';
    case 'held':
      return 'held: not as required, but the brake or the policy keeps the taint off';
    case 'gated':
      return `gated: not as required; ${effectWords(rule)}`;
    case 'outdated':
      return 'not looked at since the rule changed';
    case 'done':
      return 'done: they were ready once, and the rule leaves them alone';
    case 'free':
      return 'free: as required, without the taint';
  }
}

function effectWords({ taint }: Rule): string {
  const { effect } = parseTaintId(taint);
  if (effect === 'NoExecute') return 'the taint keeps pods away and evicts those that are there';
  return effect === 'PreferNoSchedule'
    ? 'the scheduler avoids them where it can'
    : 'the taint keeps new pods away';
}

const meanings: Readonly<Record<string, string>> = reasonMeanings;

export function meaningOf(reason: string): string {
  return Object.hasOwn(meanings, reason) ? `${meanings[reason] ?? ''} (${reason})` : reason;
}

/** One section for each group that the rule does not let go. */
export function nodeSections(facts: NodesFacts): readonly Section[] {
  return heldBack.flatMap((group) => {
    const some = facts.grouped.get(group) ?? [];
    if (some.length === 0) return [];
    const shown = some.slice(0, SHOWN_NODES_MAX);
    const title =
      some.length > shown.length ? `${titles[group]}, ${shown.length} of ${some.length}` : titles[group];
    return [{ title, blocks: [nodeTable(shown, facts), ...moreBlocks(some.length - shown.length)] }];
  });
}

const titles = { failing: 'Failing nodes', held: 'Held nodes', gated: 'Gated nodes' } as const;

function nodeTable(shown: readonly Evaluation[], { view, nodes, now }: NodesFacts): Block {
  const shorten = shortenerFor(view.rule?.requirements.map(({ type }) => type) ?? []);
  const columns: readonly Column<Evaluation>[] = [
    { heading: 'NODE', cell: ({ nodeName }) => nodeName },
    { heading: 'SINCE', cell: (each) => sinceWords(each, nodes.get(each.nodeName), now) },
    { heading: 'WHY', cell: (each) => shorten(whyWords(each, nodes.get(each.nodeName))), isFlexible: true },
  ];
  return { kind: 'lines', format: (look) => formatTable(columns, shown, look) };
}

/** What the rule asks for has been said with its full name; in a narrow table the last part of it is enough. */
function shortenerFor(types: readonly string[]): (text: string) => string {
  const short = new Map(types.map((type) => [type, type.slice(type.lastIndexOf('/') + 1)]));
  if (new Set(short.values()).size < types.length) return (text) => text;
  return (text) =>
    types.reduce((words, type) => words.replace(`${type} is `, `${short.get(type)} is `), text);
}

function moreBlocks(more: number): readonly Block[] {
  return more <= 0 ? [] : [words(`And ${more} more; --output json lists them all.`)];
}

/** As long as its condition has been so; where the node lacks it, as long as the operator has said so. */
export function sinceWords(evaluation: Evaluation, node: NodeView | undefined, now: Instant): string {
  const failing = firstFailing(evaluation);
  const condition = failing === undefined ? undefined : findCondition(node?.conditions ?? [], failing.type);
  const since = parseTime(condition?.lastTransitionTime) ?? evaluation.since;
  return since === null ? '-' : formatAge(now - since);
}

export function whyWords(evaluation: Evaluation, node: NodeView | undefined): string {
  if (evaluation.error !== '') return evaluation.error;
  const failing = evaluation.results.filter(({ isMet }) => !isMet);
  const [first, ...others] = failing;
  if (first === undefined) return meaningOf(evaluation.reason);
  const more = others.length === 0 ? '' : `, and ${others.length} more`;
  return `${resultWords(first, node)}${more}`;
}

/** `CalicoReady is False (BGPPeerDown), must be True`. */
export function resultWords(result: ConditionResult, node?: NodeView, lasting = ''): string {
  const { type, current, required, isMissing, isMet } = result;
  if (isMissing) return isMet ? `${type} is missing, which counts as ${required}` : `${type} is missing`;
  if (isMet) return `${type} is ${current}${lasting}, as required`;
  if (current === required) return `${type} is ${current}${lasting}, and too old to count`;
  const reason = findCondition(node?.conditions ?? [], type)?.reason ?? '';
  return `${type} is ${current}${reason === '' ? '' : ` (${reason})`}${lasting}, must be ${required}`;
}

function firstFailing({ results }: Evaluation): ConditionResult | undefined {
  return results.find(({ isMet }) => !isMet);
}
