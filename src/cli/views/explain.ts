// `muster explain rule RULE`: a rule in words, from what the operator has written down; with --node, what it does to one node.

import { noSharing } from '../../base/intern.ts';
import { nodeLifecycleType, nodeReadinessEvaluationType } from '../../api/keys.ts';
import { err, ok, type Result } from '../../base/result.ts';
import type { RuleView } from '../../fleet/readiness-rule.ts';
import { type NodeView, projectNode } from '../../objects/node.ts';
import type { RawObject } from '../../objects/raw.ts';
import { nodeType } from '../../objects/ref.ts';
import {
  type Evaluation,
  groupNodes,
  groupOf,
  type NodeGroup,
  readEvaluation,
} from '../../present/evaluation.ts';
import { nearNames } from '../../present/near-names.ts';
import {
  holdsNode,
  nodeRuleDocument,
  type NodeRuleFacts,
  nodeRuleStory,
} from '../../present/node-rule-story.ts';
import { conditionOf, type RuleFacts } from '../../present/rule-facts.ts';
import { SHOWN_NODES_MAX } from '../../present/rule-nodes.ts';
import {
  needsAttention,
  ruleStory,
  ruleStoryDocument,
  type RuleStoryFacts,
} from '../../present/rule-story.ts';
import { formatStory } from '../../present/story.ts';
import type { KubeApi } from '../../runtime/ports.ts';
import { choice, objectName } from '../option-kinds.ts';
import { option, type OptionList } from '../options.ts';
import { readBrake } from './brake-reading.ts';
import { readDeparture } from './departure-reading.ts';
import { readRecord } from './node-record.ts';
import { failureWords, find, howToAdd, isAbsent, listAll, required } from './reading.ts';
import { chooseRule, parseRuleName } from './rule-name.ts';
import { readRules } from './rule-reading.ts';
import { type Complaint, type ViewCommand, viewExitCodes, type ViewWorld } from './view-command.ts';

const explainOptions = {
  node: option(objectName, {
    flag: 'node',
    key: null,
    fallback: '',
    help: 'what the rule found on this node and does to it',
  }),
  output: option(choice(['text', 'json']), {
    flag: 'output',
    short: 'o',
    key: null,
    fallback: 'text',
    help: 'words for people, or one JSON document with every node',
  }),
} satisfies OptionList;

export const explainCommand: ViewCommand<typeof explainOptions> = {
  name: 'explain',
  words: ['rule', 'RULE'],
  summary:
    'Explains a readiness rule: what it asks, what it does to which nodes, who is held back and why, what to do.',
  details: ['RULE is a name, or kind/name such as nrgr/network where both kinds have a rule of that name.'],
  options: explainOptions,
  exitCodes:
    '0 fine, 1 failure, 2 usage or configuration, 3 the rule keeps nodes back, is kept back by the brake, or is degraded.',
  checkWords([what = '', rule = '']) {
    if (what !== 'rule') return [{ path: what, message: 'cannot be explained; what can is: rule' }];
    const name = parseRuleName(rule);
    return name.kind === 'ok' ? [] : [{ path: rule, message: name.error }];
  },
  async run({ api, world, values, words: [, given = ''] }) {
    const name = parseRuleName(given);
    if (name.kind === 'error') return err([{ path: given, message: name.error, code: viewExitCodes.usage }]);
    const scene = await readScene(api, name.value.name, world);
    if (scene.kind === 'error') return scene;
    const chosen = chooseRule(name.value, scene.value.rules);
    if (chosen.kind === 'error') return chosen;
    const asked = { ...scene.value, facts: chosen.value };
    return values.node === ''
      ? explainRule(asked, values.output)
      : explainNode(asked, values.node, values.output);
  },
};

type Scene = {
  readonly api: KubeApi;
  readonly world: ViewWorld;
  readonly rules: readonly RuleFacts[];
  /** Of rules of this name, of either kind. */
  readonly evaluations: readonly Evaluation[];
  readonly blindSpots: readonly string[];
};

const noEvaluations = `Evaluations: the cluster does not have the kind ${nodeReadinessEvaluationType.kind}; ${howToAdd}`;

/** Everything that can be asked for before anything is known, at once. */
async function readScene(
  api: KubeApi,
  ruleName: string,
  world: ViewWorld,
): Promise<Result<Scene, readonly Complaint[]>> {
  const selection = { type: nodeReadinessEvaluationType, fieldSelector: `spec.ruleName=${ruleName}` };
  const [read, found] = await Promise.all([readRules(api), listAll(api, selection)]);
  if (read.kind === 'error') return read;
  const evaluations = found.kind === 'error' && isAbsent(found.error) ? ok([]) : required(found, selection);
  if (evaluations.kind === 'error') return evaluations;
  const { rules, blindSpots } = read.value;
  const isBlind = found.kind === 'error';
  return ok({
    api,
    world,
    rules,
    evaluations: evaluations.value.map(readEvaluation),
    blindSpots: isBlind ? [...blindSpots, noEvaluations] : blindSpots,
  });
}

type Asked = Scene & { readonly facts: RuleFacts };
type Output = 'text' | 'json';

async function explainRule(asked: Asked, output: Output): Promise<Result<number, never>> {
  const { api, world, facts, rules } = asked;
  const { view } = facts;
  const now = world.clock.now();
  const evaluations = evaluationsOf(asked);
  // Of a rule that goes only what is left of it is told.
  const told = view.isDeleting ? [] : evaluations;
  const shown = [...groupNodes(told, view)]
    .filter(([group]) => group === 'held' || group === 'gated')
    .flatMap(([, some]) => some.slice(0, SHOWN_NODES_MAX));
  const [nodes, braked, going] = await Promise.all([
    readNodes(
      api,
      shown.map(({ nodeName }) => nodeName),
    ),
    view.isDeleting ? null : readBrakeOf(asked),
    view.isDeleting ? readDeparture(api, view) : null,
  ]);
  const story: RuleStoryFacts = {
    ...facts,
    evaluations,
    nodes,
    rivals: rules.filter((other) => isRival(other.view, view)),
    brake: braked?.brake ?? null,
    departure: going?.departure ?? null,
    blindSpots: blindSpotsOf(asked, going?.blindSpots ?? braked?.blindSpots),
    now,
  };
  if (output === 'json') world.print(JSON.stringify(ruleStoryDocument(story), null, 2));
  else for (const line of formatStory(ruleStory(story), world.look)) world.print(line);
  return ok(needsAttention(story) ? viewExitCodes.attention : viewExitCodes.fine);
}

async function explainNode(
  asked: Asked,
  nodeName: string,
  output: Output,
): Promise<Result<number, readonly Complaint[]>> {
  const { api, world, facts } = asked;
  const ref = (type: typeof nodeType) => ({ type, namespace: '', name: nodeName });
  const [found, record] = await Promise.all([find(api, ref(nodeType)), find(api, ref(nodeLifecycleType))]);
  const raw = required(found, { type: nodeType });
  if (raw.kind === 'error') return raw;
  if (raw.value === null) return err([unknownNode(nodeName, asked)]);
  const evaluation = evaluationsOf(asked).find((each) => each.nodeName === nodeName) ?? null;
  const isHeld = evaluation !== null && groupOf(evaluation, facts.view) === 'held';
  const braked = isHeld ? await readBrakeOf(asked) : null;
  const story: NodeRuleFacts = {
    ...facts,
    node: nodeOf(raw.value),
    evaluation,
    lifecycle: record.kind === 'ok' && record.value !== null ? readRecord(record.value).status : null,
    brake: braked?.brake ?? null,
    blindSpots: [
      ...blindSpotsOf(asked, braked?.blindSpots),
      ...(record.kind === 'error' ? [`The record of the node: ${failureWords(record.error)}`] : []),
    ],
    now: world.clock.now(),
  };
  if (output === 'json') world.print(JSON.stringify(nodeRuleDocument(story), null, 2));
  else for (const line of formatStory(nodeRuleStory(story), world.look)) world.print(line);
  return ok(holdsNode(story) ? viewExitCodes.attention : viewExitCodes.fine);
}

function unknownNode(nodeName: string, asked: Asked): Complaint {
  const near = nearNames(
    nodeName,
    asked.evaluations.map((each) => each.nodeName),
  );
  const hint = near.length > 0 ? `; did you mean ${near.join(', ')}?` : '';
  return { path: '--node', message: `there is no node ${nodeName}${hint}`, code: viewExitCodes.failure };
}

function evaluationsOf({ evaluations, facts: { view } }: Asked): readonly Evaluation[] {
  return evaluations.filter(({ front }) => front === view.front);
}

/** Whoever explains a rule need not hear what could not be seen of the other kind. */
function blindSpotsOf({ blindSpots, facts }: Asked, more: readonly string[] = []): readonly string[] {
  const isAbout = (spot: string) => spot === noEvaluations || spot.includes(`${facts.view.front}s`);
  return [...blindSpots.filter(isAbout), ...more];
}

/** Null while nobody is held. */
async function readBrakeOf(asked: Asked) {
  const { api, world, facts } = asked;
  const grouped = groupNodes(evaluationsOf(asked), facts.view);
  const namesOf = (group: NodeGroup) => (grouped.get(group) ?? []).map(({ nodeName }) => nodeName);
  const held = namesOf('held');
  // Of two rules with one taint the brake holds the nodes of one, and only consent to that one counts.
  const isAnswering =
    (facts.status.summary?.heldNodes ?? 0) > 0 || conditionOf(facts, 'Conflict')?.reason !== 'RuleConflict';
  if (held.length === 0 || !isAnswering) return null;
  return readBrake(api, { view: facts.view, held, gated: namesOf('gated'), now: world.clock.now() });
}

/** What the nodes say themselves; a user who may not read them still has the evaluations. */
async function readNodes(api: KubeApi, names: readonly string[]): Promise<ReadonlyMap<string, NodeView>> {
  const found = await Promise.all(names.map((name) => find(api, { type: nodeType, namespace: '', name })));
  const views = found.flatMap((answer) =>
    answer.kind === 'ok' && answer.value !== null ? [nodeOf(answer.value)] : [],
  );
  return new Map(views.map((node) => [node.name, node]));
}

function nodeOf(raw: RawObject): NodeView {
  return projectNode(raw, { intern: noSharing, keepsAnnotation: () => false });
}

function isRival(other: RuleView, view: RuleView): boolean {
  return other.owner !== view.owner && other.rule !== null && other.rule.taint === view.rule?.taint;
}
