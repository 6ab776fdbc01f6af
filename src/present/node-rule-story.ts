// One rule on one node: whether it selects it, what it found there, what it does about it, and what else keeps pods away.

import type { Instant } from '../base/clock.ts';
import { parseTime } from '../base/timestamp.ts';
import type { NodeLifecycleStatus } from '../api/node-lifecycle.ts';
import type { RuleView } from '../fleet/readiness-rule.ts';
import { findCondition } from '../objects/condition.ts';
import type { NodeView } from '../objects/node.ts';
import { matches } from '../objects/selector.ts';
import { formatAge } from './age.ts';
import { type Evaluation, groupOf, heldBack, type NodeGroup } from './evaluation.ts';
import { type BrakeFacts, brakeBlocks } from './rule-brake.ts';
import { demandBlocks, selectorWords } from './rule-demand.ts';
import { type RuleFacts, ruleLabel } from './rule-facts.ts';
import { meaningOf, resultWords, sinceWords, whyWords } from './rule-nodes.ts';
import { type Block, item, type Section, type Story, words } from './story.ts';

export type NodeRuleFacts = RuleFacts & {
  readonly node: NodeView;
  /** Null where there is none. */
  readonly evaluation: Evaluation | null;
  readonly lifecycle: NodeLifecycleStatus | null;
  readonly brake: BrakeFacts | null;
  readonly blindSpots: readonly string[];
  readonly now: Instant;
};

export function nodeRuleStory(facts: NodeRuleFacts): Story {
  const { view, node, brake } = facts;
  const isSelected = selectsNode(view, node);
  return {
    answer: answerOf(facts),
    sections: [
      { title: 'What it asks', blocks: demandBlocks(view) },
      {
        title: 'What it found',
        blocks: isSelected ? foundBlocks(facts) : [words(unselectedWords(view, node))],
      },
      { title: 'The brake', blocks: brake === null ? [] : brakeBlocks({ ...facts, brake }) },
      ...otherGates(facts),
      { title: 'Not seen', blocks: facts.blindSpots.map(words) },
    ],
  };
}

export function holdsNode({ view, evaluation, node }: NodeRuleFacts): boolean {
  if (evaluation === null || !selectsNode(view, node)) return false;
  const group = groupOf(evaluation, view);
  return heldBack.some((each) => each === group);
}

export function nodeRuleDocument(facts: NodeRuleFacts): Readonly<Record<string, unknown>> {
  const { view, node, evaluation, lifecycle } = facts;
  return {
    kind: view.front,
    name: view.name,
    node: node.name,
    isSelected: selectsNode(view, node),
    group: evaluation === null ? null : groupOf(evaluation, view),
    reason: evaluation?.reason ?? null,
    conditions: evaluation?.results ?? [],
    stage: lifecycle?.stage ?? null,
    gates: lifecycle?.gates ?? [],
    brake: facts.brake,
    blindSpots: facts.blindSpots,
  };
}

function selectsNode({ rule, isDeleting }: RuleView, { labels }: NodeView): boolean {
  return rule !== null && !isDeleting && matches(rule.selector, labels);
}

const groupAnswers: Readonly<Record<NodeGroup, string>> = {
  failing: 'could not be brought to what the rule wants',
  held: 'would be gated, and the brake or the policy keeps the taint off',
  gated: 'is gated',
  waiting: 'stays as it is for now',
  outdated: 'was not looked at since the rule changed',
  dryRun: 'is left alone by a dry run',
  done: 'was ready once, and the rule is done with it',
  free: 'is free',
};

function answerOf({ view, node, evaluation, now }: NodeRuleFacts): string {
  const subject = `Node ${node.name} and ${view.front} ${view.name}: `;
  if (!selectsNode(view, node)) return `${subject}the rule does not select it.`;
  if (evaluation === null) return `${subject}the rule selects it, and no evaluation says what it found.`;
  const since = sinceWords(evaluation, node, now);
  const lasting = since === '-' ? '' : `, since ${since}`;
  return `${subject}it ${groupAnswers[groupOf(evaluation, view)]}${lasting}.`;
}

/** Each requirement that the labels of the node do not meet. */
function unselectedWords({ rule, isDeleting }: RuleView, { name, labels }: NodeView): string {
  if (rule === null) return 'A rule that cannot be read selects nothing.';
  if (isDeleting) return 'The rule is being deleted; what it put on nodes is taken away.';
  const unmet = rule.selector.filter((requirement) => !matches([requirement], labels));
  const shown = unmet.map((requirement) => {
    const value = Object.hasOwn(labels, requirement.key)
      ? `${requirement.key}=${labels[requirement.key]}`
      : '';
    return `${selectorWords([requirement])} (it has ${value === '' ? `no label ${requirement.key}` : value})`;
  });
  return `${name} would need ${shown.join(' and ')}.`;
}

function foundBlocks(facts: NodeRuleFacts): readonly Block[] {
  const { evaluation, node, view } = facts;
  if (evaluation === null)
    return [
      words('The operator keeps evaluations of the nodes that --evaluations asks for; is one running?'),
    ];
  return [
    ...evaluation.results.map((result) => {
      const condition = findCondition(node.conditions, result.type);
      const since = parseTime(condition?.lastTransitionTime);
      const lasting = since === null ? '' : ` since ${formatAge(facts.now - since)}`;
      const message = condition?.message ? `: ${condition.message}` : '';
      return item(`${resultWords(result, node, lasting)}${message}`);
    }),
    ...(evaluation.error === '' ? [] : [words(whyWords(evaluation, node))]),
    words(
      `The taint ${view.rule?.taint ?? ''} is ${evaluation.hasTaint ? 'there' : 'not there'}. ${meaningOf(evaluation.reason)}`,
    ),
  ];
}

/** What else keeps ordinary pods away: to let go of this gate alone would not open the node. */
function otherGates({ lifecycle, view, now }: NodeRuleFacts): readonly Section[] {
  const others = (lifecycle?.gates ?? []).filter(
    ({ kind, key, effect = '' }) => kind !== 'Foreign' && `${key}:${effect}` !== view.rule?.taint,
  );
  if (others.length === 0) return [];
  return [
    {
      title: `What else keeps pods away from it, besides ${ruleLabel(view)}`,
      blocks: others.map(({ key, reason, message = '', since }) => {
        const at = parseTime(since);
        return item(`${key}: ${message || reason}${at === null ? '' : `, since ${formatAge(now - at)}`}`);
      }),
    },
  ];
}
