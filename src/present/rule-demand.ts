// What a rule asks of which nodes, and what they carry until then, in words.

import { formatProblem } from '../base/result.ts';
import { type Requirement, type Rule, type RuleView } from '../fleet/readiness-rule.ts';
import type { Selector } from '../objects/selector.ts';
import { formatTaint, parseTaintId } from '../objects/taint.ts';
import { type Block, item, words } from './story.ts';

export function demandBlocks({ rule, problems }: RuleView): readonly Block[] {
  if (rule === null) {
    return [
      words('The rule cannot be read, and nothing is done on its behalf:'),
      ...problems.map((problem) => item(formatProblem(problem))),
    ];
  }
  return [
    words(`Nodes with ${selectorWords(rule.selector)} must have ${howMany(rule)}:`),
    ...rule.requirements.map((each) => item(requirementWords(each))),
    words(`Until then they carry ${taintWords(rule)}. ${modeWords(rule)}`),
    ...termsOf(rule).map(words),
  ];
}

/** `pool=blue and zone in (a, b)`. */
export function selectorWords(selector: Selector): string {
  return selector
    .map((requirement) => {
      const { kind, key } = requirement;
      switch (kind) {
        case 'in':
          return requirement.values.length === 1
            ? `${key}=${requirement.values.join()}`
            : `${key} in (${requirement.values.join(', ')})`;
        case 'notIn':
          return `${key} not in (${requirement.values.join(', ')})`;
        case 'exists':
          return `the label ${key}`;
        case 'doesNotExist':
          return `no label ${key}`;
      }
    })
    .join(' and ');
}

export function taintWords({ taint, taintValue }: Rule): string {
  return formatTaint({ ...parseTaintId(taint), value: taintValue });
}

function howMany({ requirements, policy }: Rule): string {
  if (requirements.length === 1) return 'this condition';
  return policy === 'allOf' ? 'all of these conditions' : 'at least one of these conditions';
}

function requirementWords({ type, required, fallback }: Requirement): string {
  const missing = fallback === 'Unknown' ? '' : ` (counts as ${fallback} while it is missing)`;
  return `${type} = ${required}${missing}`;
}

function modeWords({ mode, isPerBoot }: Rule): string {
  if (mode === 'continuous') return 'A node that ceases to be so gets it again (continuous).';
  const until = isPerBoot ? ' until it reboots' : '';
  return `Once a node has been so, the rule is done with it${until} (bootstrap-only).`;
}

function termsOf(rule: Rule): readonly string[] {
  const { healthyForMs, unhealthyForMs, conditionAgeMsMax, after, gatedMax } = rule;
  return [
    ...(healthyForMs > 0 ? [`The taint goes after ${seconds(healthyForMs)} of being so.`] : []),
    ...(unhealthyForMs > 0
      ? [`A node that was released is gated again after ${seconds(unhealthyForMs)} of not being so.`]
      : []),
    ...(conditionAgeMsMax === null
      ? []
      : [`A condition that nobody confirmed for ${seconds(conditionAgeMsMax)} does not count.`]),
    ...(after.length === 0 ? [] : [`It leaves a node alone until it meets ${after.join(' and ')}.`]),
    ...(gatedMax === null
      ? []
      : [
          `It gates at most ${gatedMax.max}${gatedMax.kind === 'percent' ? ' %' : ''} of the nodes in service of a pool.`,
        ]),
  ];
}

function seconds(ms: number): string {
  return `${ms / 1000} s`;
}
