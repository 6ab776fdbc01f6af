// A rule explained: what it asks, what it does to which nodes, who is held back and why, and what to do about it.

import type { Reason } from '../api/reasons.ts';
import type { RuleView } from '../fleet/readiness-rule.ts';
import { formatTime } from '../base/timestamp.ts';
import { type Evaluation, type Grouped, groupNodes, groupOf, heldBack } from './evaluation.ts';
import { type BrakeFacts, brakeBlocks, voidConfirmationBlocks } from './rule-brake.ts';
import { type DepartureFacts, departureBlocks } from './rule-departure.ts';
import { demandBlocks } from './rule-demand.ts';
import { conditionOf, type RuleFacts, ruleLabel, ruleStates } from './rule-facts.ts';
import { evaluatedIn, groupBlocks, meaningOf, type NodesFacts, nodeSections } from './rule-nodes.ts';
import { ruleDocument } from './rule-list.ts';
import { type Block, command, type Section, type Story, words } from './story.ts';

export type RuleStoryFacts = RuleFacts &
  Omit<NodesFacts, 'grouped'> & {
    readonly evaluations: readonly Evaluation[];
    /** Other rules with the same taint. */
    readonly rivals: readonly RuleFacts[];
    /** Null while nobody is held. */
    readonly brake: BrakeFacts | null;
    /** Null while it is not being deleted. */
    readonly departure: DepartureFacts | null;
    /** What could not be seen, and why. */
    readonly blindSpots: readonly string[];
  };

export function ruleStory(facts: RuleStoryFacts): Story {
  const { view, brake, departure } = facts;
  if (departure !== null) return departureStory(facts, departure);
  const grouped = groupNodes(facts.evaluations, view);
  const nodes = { ...facts, grouped };
  return {
    answer: answerOf(facts, grouped),
    sections: [
      { title: 'What it asks', blocks: demandBlocks(view) },
      { title: 'State', blocks: stateBlocks(facts) },
      { title: 'What it does', blocks: isLeftToPeer(facts) ? [] : groupBlocks(nodes) },
      ...nodeSections(nodes),
      { title: 'The brake', blocks: brake === null ? [] : brakeBlocks({ ...facts, brake }) },
      ...conflictSections(facts, grouped),
      ...dryRunSections(facts),
      { title: 'Not seen', blocks: facts.blindSpots.map(words) },
    ],
  };
}

/** Its counts and evaluations are not kept up any more: what counts is what the nodes still carry. */
function departureStory(facts: RuleStoryFacts, departure: DepartureFacts): Story {
  return {
    answer: `${titleOf(facts)}: it is being deleted.`,
    sections: [
      { title: 'What it asked', blocks: demandBlocks(facts.view) },
      { title: 'State', blocks: [...wordsOfStates(facts), ...departureBlocks(departure)] },
      { title: 'Not seen', blocks: facts.blindSpots.map(words) },
    ],
  };
}

/** Then it is not for want of an operator that nothing is known of its nodes. */
function isLeftToPeer({ peer, status }: RuleStoryFacts): boolean {
  return peer !== '' && status.summary === undefined;
}

/** It keeps nodes back, is kept back itself, or is not well: what the exit code says. */
export function needsAttention(facts: RuleStoryFacts): boolean {
  const { view, status, evaluations, departure } = facts;
  if (departure !== null) return departure.carriers !== null && departure.carriers.length > 0;
  const groups = new Set(evaluations.map((evaluation) => groupOf(evaluation, view)));
  const { nodesWithTaint = 0, heldNodes = 0 } = status.summary ?? {};
  const isDegraded = view.rule === null || conditionOf(facts, 'Degraded')?.status === 'True';
  const isHolding = view.rule?.isDryRun !== true && nodesWithTaint > 0;
  const isKeeping = heldBack.some((group) => groups.has(group));
  return isDegraded || isHolding || heldNodes > 0 || isKeeping;
}

/** The same for programs, with every node by name. */
export function ruleStoryDocument(facts: RuleStoryFacts): Readonly<Record<string, unknown>> {
  const { view, evaluations, rivals, brake, departure, status } = facts;
  return {
    ...ruleDocument(facts),
    conditions: status.conditions ?? [],
    dryRun: status.dryRunResults ?? null,
    rivals: rivals.map((rival) => ruleLabel(rival.view)),
    brake,
    departure,
    evaluations: evaluations.map((each) => ({
      node: each.nodeName,
      group: groupOf(each, view),
      reason: each.reason,
      since: each.since === null ? null : formatTime(each.since),
      conditions: each.results.map(({ type, current, required, isMet }) => ({
        type,
        current,
        required,
        isMet,
      })),
      ...(each.error === '' ? {} : { error: each.error }),
    })),
    blindSpots: facts.blindSpots,
  };
}

function titleOf({ view }: RuleStoryFacts): string {
  const kinds = [
    ...(view.rule?.isDryRun ? ['dry run'] : []),
    ...(view.rule?.isSuspended ? ['suspended'] : []),
  ];
  return `${view.front} ${view.name}${kinds.length === 0 ? '' : ` (${kinds.join(', ')})`}`;
}

function answerOf(facts: RuleStoryFacts, grouped: Grouped): string {
  const who = titleOf(facts);
  const { summary } = facts.status;
  if (summary === undefined) return `${who}: nothing is known of its nodes yet.`;
  // The counts follow within seconds.
  const evaluated = evaluatedIn(grouped);
  if (summary.totalApplicableNodes === 0 && evaluated > 0)
    return `${who}: ${evaluated} ${evaluated === 1 ? 'node is' : 'nodes are'} evaluated and not counted yet.`;
  const failing = grouped.get('failing')?.length ?? 0;
  const held = Math.max(summary.heldNodes ?? 0, grouped.get('held')?.length ?? 0);
  const parts = [
    `${summary.nodesReady} of ${summary.totalApplicableNodes} nodes are ready`,
    ...(summary.nodesWithTaint > 0 ? [`${summary.nodesWithTaint} gated`] : []),
    ...(held > 0 ? [`${held} held`] : []),
    ...(failing > 0 ? [`${failing} failing`] : []),
  ];
  return `${who}: ${parts.join(', ')}.`;
}

function wordsOfStates(facts: RuleStoryFacts): readonly Block[] {
  const { peer } = facts;
  return [
    ...ruleStates(facts).map((state) => words(meaningOf(state))),
    ...(peer === '' ? [] : [words(`It is ${peer} that serves rules of this kind.`)]),
  ];
}

function stateBlocks(facts: RuleStoryFacts): readonly Block[] {
  const { view } = facts;
  const degraded = conditionOf(facts, 'Degraded');
  const isOld = facts.status.observedGeneration !== view.generation && facts.status.summary !== undefined;
  return [
    ...wordsOfStates(facts),
    ...(degraded?.status === 'True' ? [words(`${degraded.message}.`)] : []),
    ...(facts.brake === null ? voidConfirmationBlocks(view) : []),
    ...(isOld ? [words(`Generation ${view.generation} is not applied on every node yet.`)] : []),
  ];
}

function conflictSections(facts: RuleStoryFacts, grouped: Grouped): readonly Section[] {
  const conflict = conditionOf(facts, 'Conflict');
  if (conflict?.status !== 'True') return [];
  const isBetweenRules = conflict.reason === ('RuleConflict' satisfies Reason);
  if (!isBetweenRules)
    return [{ title: 'Conflict', blocks: [words(`The operator says: ${conflict.message}.`)] }];
  const rivals = facts.rivals.map(({ view }) => view);
  const others = rivals.map(ruleLabel).join(', ') || 'a rule that is gone';
  const oldest = ruleLabel(oldestOf([facts.view, ...rivals]));
  return [
    {
      title: 'Conflict',
      blocks: [
        words(`The taint belongs to ${others} too. The operator says: ${conflict.message}.`),
        words(
          `It is there while one of them wants it; ${oldest} is the oldest and has the say over its value.`,
        ),
        ...otherHoldBlocks(facts, grouped.get('held')?.length ?? 0),
      ],
    },
  ];
}

/** The brake holds a taint on behalf of the oldest rule that wants it there, which need not be the oldest that has it. */
function otherHoldBlocks({ status, rivals }: RuleStoryFacts, held: number): readonly Block[] {
  const own = status.summary?.heldNodes ?? 0;
  if (held <= own) return [];
  const which = own === 0 ? 'these nodes' : `${held - own} of these nodes`;
  return rivals
    .filter((rival) => (rival.status.summary?.heldNodes ?? 0) > 0)
    .map(({ view }) => ruleLabel(view))
    .flatMap((label) => [
      words(`The brake holds ${which} on behalf of ${label}:`),
      command(`muster explain rule ${label}`),
    ]);
}

function oldestOf(rules: readonly RuleView[]): RuleView {
  return rules.reduce((a, b) =>
    b.createdAt < a.createdAt || (b.createdAt === a.createdAt && b.name < a.name) ? b : a,
  );
}

function dryRunSections({ status, view }: RuleStoryFacts): readonly Section[] {
  const results = status.dryRunResults;
  if (results === undefined || view.rule?.isDryRun !== true) return [];
  return [{ title: 'Dry run', blocks: [words(`If it were none: ${results.summary}.`)] }];
}
