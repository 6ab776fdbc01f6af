// Why the brake holds nodes of a rule, and what lifts it, with the exact command.

import { annotationKeys, disruptionPolicyName, disruptionPolicyType } from '../api/keys.ts';
import { ruleShortNames } from '../api/readiness-vocabulary.ts';
import { cut } from '../fleet/bounds.ts';
import { parseConfirmation, type RuleView } from '../fleet/readiness-rule.ts';
import { apiVersionOf } from '../objects/ref.ts';
import { parseTaintId } from '../objects/taint.ts';
import { conditionOf, type RuleStatus } from './rule-facts.ts';
import { type Block, command, words } from './story.ts';
import { type Column, formatTable } from './table.ts';

/** One pool in which nodes of the rule are held: how much of it is gated already, by all rules together. */
export type PoolPressure = {
  readonly name: string;
  readonly nodes: number;
  readonly gated: number;
  readonly held: number;
};

export type BrakeFacts = {
  /** Null where the records of the nodes cannot be read. */
  readonly pools: readonly PoolPressure[] | null;
  /** Nodes in service that this rule would gate if nothing held it. */
  readonly wantedNodes: number;
  /** The rule's own budget does not hold it: consent would let it go on. */
  readonly isWithinOwnBudget: boolean;
  /** Nobody has written one: what it would say by default counts. */
  readonly isWithoutPolicy: boolean;
  readonly isObserving: boolean;
  /** `who: why` of every wish to pause that stands. */
  readonly pauses: readonly string[];
  /** Nodes of the rule that the policy says to leave alone. */
  readonly leftAlone: readonly string[];
  /** Others are held too, for which a budget is the cause. */
  readonly areOthersHeld: boolean;
};

type Braked = { readonly view: RuleView; readonly status: RuleStatus; readonly brake: BrakeFacts };

export function brakeBlocks({ view, status, brake }: Braked): readonly Block[] {
  const ready = conditionOf({ status }, 'Ready');
  const said = ready?.reason === 'GatingIsHeld' ? [words(`The operator says: ${ready.message}.`)] : [];
  return [...said, ...poolTable(brake), ...confirmationBlocks(view), ...adviceFor({ view, status, brake })];
}

function poolTable({ pools }: BrakeFacts): readonly Block[] {
  if (pools === null || pools.length === 0) return [];
  const columns: readonly Column<PoolPressure>[] = [
    { heading: 'POOL', cell: ({ name }) => name },
    { heading: 'NODES', cell: ({ nodes }) => String(nodes), align: 'right' },
    { heading: 'COUNTED', cell: ({ gated }) => String(gated), align: 'right' },
    { heading: 'HELD', cell: ({ held }) => String(held), align: 'right' },
  ];
  return [
    words('Of each pool, nodes that were in service and are gated now count, whichever rule gates them:'),
    { kind: 'lines', format: (look) => formatTable(columns, pools, look) },
  ];
}

/** Consent that does not count is no consent, and whoever gave it has to hear of that. */
function confirmationBlocks(view: RuleView): readonly Block[] {
  const { confirmation, confirmedNodes } = view;
  if (confirmedNodes === null) return voidConfirmationBlocks(view);
  return [
    words(`${givenIn(confirmation)} lets this generation gate up to ${confirmedNodes} nodes in service.`),
  ];
}

/** Whether anybody is held or not: the next change of the rule may hold nodes, and consent is believed to be there. */
export function voidConfirmationBlocks({
  confirmation,
  confirmedNodes,
  generation,
}: RuleView): readonly Block[] {
  if (confirmation === '' || confirmedNodes !== null) return [];
  const read = parseConfirmation(confirmation);
  const why =
    read === null
      ? 'it must be <generation>/<nodes>'
      : `it is for generation ${read.generation}, and this is generation ${generation}`;
  return [words(`${givenIn(confirmation)} counts for nothing: ${why}.`)];
}

const GIVEN_LENGTH_MAX = 40;

/** In quotes where it is not plain: a blank at its end would be overlooked. */
function givenIn(confirmation: string): string {
  const shown = cut(confirmation, GIVEN_LENGTH_MAX);
  return `${annotationKeys.confirmImpact}=${/^[\w/.-]*$/.test(shown) ? shown : JSON.stringify(shown)}`;
}

/** What must go first comes first: consent to a number of nodes lifts the budget of a pool and nothing else. */
function adviceFor({ view, status, brake }: Braked): readonly Block[] {
  const policy = `kubectl edit dp ${disruptionPolicyName}`;
  const { key } = parseTaintId(view.rule?.taint ?? '');
  if (brake.isObserving)
    return [words('The authority of the policy is to observe. To let it gate:'), command(policy)];
  if (conditionOf({ status }, 'NoExecuteNotAllowed')?.status === 'True') {
    return [
      words(
        `The policy does not allow to evict pods by a taint of this key. To allow it, set spec.authority to act and add ${key} to spec.noExecute.allowedTaintKeys:`,
      ),
      command(
        brake.isWithoutPolicy
          ? firstPolicy({ authority: 'act', noExecute: { allowedTaintKeys: [key] } })
          : policy,
      ),
    ];
  }
  if (brake.pauses.length > 0)
    return [words(`Gating is paused. ${brake.pauses.join('; ')}. To end the pause:`), command(policy)];
  return [
    ...leftAloneBlocks(brake, policy),
    ...(brake.areOthersHeld ? budgetBlocks({ view, brake }, policy) : []),
  ];
}

function budgetBlocks({ view, brake }: Omit<Braked, 'status'>, policy: string): readonly Block[] {
  const isEviction = parseTaintId(view.rule?.taint ?? '').effect === 'NoExecute';
  return [
    ...ownBudgetBlocks(view),
    ...(isEviction ? evictionBlocks(policy) : []),
    ...(!isEviction && brake.isWithinOwnBudget ? consentBlocks(view, brake) : []),
  ];
}

/** There is nothing to edit yet. */
function firstPolicy(spec: object): string {
  const { kind } = disruptionPolicyType;
  const policy = {
    apiVersion: apiVersionOf(disruptionPolicyType),
    kind,
    metadata: { name: disruptionPolicyName },
    spec,
  };
  return `echo '${JSON.stringify(policy)}' | kubectl create -f -`;
}

function evictionBlocks(policy: string): readonly Block[] {
  return [
    words(
      'The taint evicts pods. How many nodes of a pool may carry such a taint is said by spec.noExecute.percent and spec.noExecute.nodes of the policy, which no consent lifts:',
    ),
    command(policy),
  ];
}

function leftAloneBlocks({ leftAlone }: BrakeFacts, policy: string): readonly Block[] {
  if (leftAlone.length === 0) return [];
  return [
    words(`The policy says to leave alone: ${leftAlone.join(', ')}. To let go of them:`),
    command(policy),
  ];
}

function ownBudgetBlocks({ rule, front, name }: RuleView): readonly Block[] {
  if (rule === null || rule.gatedMax === null) return [];
  return [
    words('The rule has a budget of its own, which no consent lifts. To change spec.maxNewlyGated:'),
    command(`kubectl edit ${ruleShortNames[front]} ${name}`),
  ];
}

function consentBlocks({ front, name, generation }: RuleView, { wantedNodes }: BrakeFacts): readonly Block[] {
  const consent = `${annotationKeys.confirmImpact}=${generation}/${wantedNodes}`;
  return [
    words(
      `First make sure that the rule asks for the right thing. To let this generation of it gate up to ${wantedNodes} nodes in service:`,
    ),
    command(`kubectl annotate ${ruleShortNames[front]} ${name} --overwrite ${consent}`),
  ];
}
