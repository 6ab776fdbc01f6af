// A readiness rule as the engine and the command line see it, whichever kind it was written as: a rule or all of its problems.
// What the API server would refuse today may have been stored yesterday, so nothing here is assumed.

import type { Instant } from '../base/clock.ts';
import { parseDuration } from '../base/duration.ts';
import type { Problem } from '../base/result.ts';
import { parseTime } from '../base/timestamp.ts';
import {
  annotationKeys,
  bootstrapMarkerPrefix,
  foreignTaintKeys,
  nodeReadinessGateRuleType,
  nodeReadinessRuleType,
  ruleFinalizers,
} from '../api/keys.ts';
import type { ConditionPolicy, EnforcementMode } from '../api/readiness-vocabulary.ts';
import { asConditionStatus, type ConditionStatus } from '../objects/condition.ts';
import { labelValueProblem } from '../objects/label-key.ts';
import { isNodeKey } from '../objects/owned.ts';
import {
  fieldsOf,
  isRecord,
  type ObjectView,
  type RawObject,
  recordsIn,
  textOf,
  viewOf,
} from '../objects/raw.ts';
import type { ResourceType } from '../objects/ref.ts';
import { parseSelector, type Selector } from '../objects/selector.ts';
import { taintEffects, type TaintId, taintId } from '../objects/taint.ts';
import type { Owner } from '../objects/wish.ts';
import { type NodeLimit, parseNodeLimit } from './node-limit.ts';

export const fronts = ['NodeReadinessGateRule', 'NodeReadinessRule'] as const;
/** The kind in which a rule was written. */
export type Front = (typeof fronts)[number];

export const ruleTypes: Readonly<Record<Front, ResourceType>> = {
  NodeReadinessGateRule: nodeReadinessGateRuleType,
  NodeReadinessRule: nodeReadinessRuleType,
};

export type Requirement = {
  readonly type: string;
  readonly required: ConditionStatus;
  /** What counts while the node lacks the condition. */
  readonly fallback: ConditionStatus;
};

export type Rule = {
  readonly requirements: readonly Requirement[];
  readonly policy: ConditionPolicy;
  readonly mode: EnforcementMode;
  readonly taint: TaintId;
  readonly taintValue: string;
  /** An empty one matches nothing: a rule for every node has to say so. */
  readonly selector: Selector;
  readonly isDryRun: boolean;
  readonly isSuspended: boolean;
  readonly healthyForMs: number;
  readonly unhealthyForMs: number;
  /** Null: conditions do not age. */
  readonly conditionAgeMsMax: number | null;
  readonly after: readonly string[];
  readonly isPerBoot: boolean;
  readonly gatedMax: NodeLimit | null;
};

export type RuleView = ObjectView & {
  readonly front: Front;
  /** The owner of what the rule puts on nodes. */
  readonly owner: Owner;
  readonly generation: number;
  readonly createdAt: Instant;
  readonly isDeleting: boolean;
  readonly finalizers: readonly string[];
  /** Taints that nodes may carry on its behalf, as we noted on the rule before they did: what it once named is still its own. */
  readonly notedTaints: readonly TaintId[];
  /** It cannot go before its taint does, and will still know of it when it names another. */
  readonly isAnchored: boolean;
  /** What a person has agreed to, as it was written; empty when nobody has. */
  readonly confirmation: string;
  /** Nodes in service that a person has agreed to see gated by this generation; null when nobody has. */
  readonly confirmedNodes: number | null;
  readonly rule: Rule | null;
  readonly problems: readonly Problem[];
  readonly statusText: string;
};

const OWNER_PREFIX = 'readiness/';

export function ownerOf(front: Front, name: string): Owner {
  return `${OWNER_PREFIX}${front}/${name}`;
}

const ownerPrefixes = fronts.map((front) => [front, ownerOf(front, '')] as const);

/** Null for the owners of other capabilities. */
export function parseOwner(owner: Owner): { readonly front: Front; readonly name: string } | null {
  for (const [front, prefix] of ownerPrefixes)
    if (owner.length > prefix.length && owner.startsWith(prefix))
      return { front, name: owner.slice(prefix.length) };
  return null;
}

/** The keys under which a node may say that a rule is done with it: the first is the one we write. */
export function markerKeysOf({ uid, name }: Pick<RuleView, 'uid' | 'name'>): readonly [string, string] {
  return [`${bootstrapMarkerPrefix}${uid}`, `${bootstrapMarkerPrefix}${name}`];
}

export function finalizerOf({ front }: Pick<RuleView, 'front'>): string {
  return ruleFinalizers[front];
}

/** The rule stands for this taint, now or from an earlier time. */
export function isTaintOf({ rule, notedTaints }: RuleView, taint: TaintId): boolean {
  return rule?.taint === taint || notedTaints.includes(taint);
}

export function projectRule(front: Front, raw: RawObject): RuleView {
  const metadata = raw.metadata ?? {};
  const view = viewOf(raw);
  const generation = metadata.generation ?? 0;
  const problems: Problem[] = [];
  const rule = readRule(fieldsOf(raw.spec), problems);
  const { finalizers = [] } = metadata;
  const notedTaints = notedTaintsOf(metadata.annotations?.[annotationKeys.ruleTaints]);
  return {
    ...view,
    front,
    owner: ownerOf(front, view.name),
    generation,
    createdAt: parseTime(metadata.creationTimestamp) ?? 0,
    isDeleting: textOf(metadata.deletionTimestamp) !== '',
    finalizers,
    notedTaints,
    isAnchored: finalizers.includes(finalizerOf({ front })) && notedTaints.includes(rule.taint),
    confirmation: metadata.annotations?.[annotationKeys.confirmImpact] ?? '',
    confirmedNodes: confirmedNodesOf(metadata.annotations?.[annotationKeys.confirmImpact] ?? '', generation),
    rule: problems.length === 0 ? rule : null,
    problems,
    statusText: JSON.stringify(fieldsOf(raw.status)),
  };
}

type Spec = Readonly<Record<string, unknown>>;

function readRule(spec: Spec, problems: Problem[]): Rule {
  const taint = fieldsOf(spec['taint']);
  const id = taintId({ key: textOf(taint['key']), effect: textOf(taint['effect']) });
  if (!isNodeKey('taints', id)) problems.push({ path: 'spec.taint', message: `${id} is not a taint` });
  else problems.push(...taintProblems(taint));
  if (foreignTaintKeys.includes(textOf(taint['key'])))
    problems.push({ path: 'spec.taint', message: `${id} belongs to Kubernetes or to an autoscaler` });
  const requirements = recordsIn(spec['conditions']).map(readRequirement);
  if (requirements.length === 0) problems.push({ path: 'spec.conditions', message: 'names no condition' });
  return {
    requirements,
    policy: spec['conditionPolicy'] === 'anyOf' ? 'anyOf' : 'allOf',
    mode: readMode(spec['enforcementMode'], problems),
    taint: id,
    taintValue: textOf(taint['value']),
    selector: readSelector(spec['nodeSelector'], problems),
    isDryRun: spec['dryRun'] === true,
    isSuspended: spec['suspend'] === true,
    healthyForMs: readDuration(spec, 'healthyFor', problems) ?? 0,
    unhealthyForMs: readDuration(spec, 'unhealthyFor', problems) ?? 0,
    conditionAgeMsMax: readAge(spec, problems),
    after: Array.isArray(spec['after']) ? spec['after'].filter((name) => typeof name === 'string') : [],
    isPerBoot: isRecord(spec['bootstrap']) && spec['bootstrap']['perBoot'] === true,
    gatedMax: readLimit(spec['maxNewlyGated'], problems),
  };
}

/** One that the server would refuse on every node is refused here, once. */
function taintProblems(taint: Spec): readonly Problem[] {
  const { effect } = taint;
  const valueProblem = labelValueProblem(textOf(taint['value']));
  return [
    ...(taintEffects.some((known) => known === effect)
      ? []
      : [
          {
            path: 'spec.taint.effect',
            message: `${JSON.stringify(effect)} is none of ${taintEffects.join(', ')}`,
          },
        ]),
    ...(valueProblem === null ? [] : [{ path: 'spec.taint.value', message: valueProblem }]),
  ];
}

function readRequirement(raw: Readonly<Record<string, unknown>>): Requirement {
  return {
    type: textOf(raw['type']),
    required: asConditionStatus(raw['requiredStatus']),
    fallback: asConditionStatus(raw['defaultStatus']),
  };
}

function readMode(raw: unknown, problems: Problem[]): EnforcementMode {
  if (raw === 'continuous' || raw === 'bootstrap-only') return raw;
  problems.push({ path: 'spec.enforcementMode', message: `${JSON.stringify(raw)} is not a mode` });
  return 'continuous';
}

function readSelector(raw: unknown, problems: Problem[]): Selector {
  const parsed = parseSelector(raw, 'spec.nodeSelector');
  if (parsed.kind === 'error') {
    problems.push(...parsed.error);
    return [];
  }
  if (parsed.value.length === 0)
    problems.push({ path: 'spec.nodeSelector', message: 'is empty, which matches nothing' });
  return parsed.value;
}

function readDuration(spec: Spec, field: string, problems: Problem[]): number | null {
  const raw = spec[field];
  if (raw === undefined) return null;
  const ms = typeof raw === 'string' ? parseDuration(raw) : null;
  if (ms === null)
    problems.push({ path: `spec.${field}`, message: `${JSON.stringify(raw)} is not a duration` });
  return ms;
}

/** None would be young enough for no age at all. */
function readAge(spec: Spec, problems: Problem[]): number | null {
  const ms = readDuration(spec, 'maxConditionAge', problems);
  if (ms === 0) problems.push({ path: 'spec.maxConditionAge', message: 'must be more than 0s' });
  return ms;
}

function readLimit(raw: unknown, problems: Problem[]): NodeLimit | null {
  if (raw === undefined) return null;
  const limit = parseNodeLimit(raw);
  if (limit === null)
    problems.push({
      path: 'spec.maxNewlyGated',
      message: `${JSON.stringify(raw)} is not a number or a percentage`,
    });
  return limit;
}

function notedTaintsOf(text = ''): readonly TaintId[] {
  return text.split(' ').filter((id) => isNodeKey('taints', id));
}

/** `<generation>/<nodes>`; null for anything else. */
export function parseConfirmation(
  text: string,
): { readonly generation: number; readonly nodes: number } | null {
  const [, generation, nodes] = /^(\d{1,15})\/(\d{1,9})$/.exec(text) ?? [];
  return nodes === undefined ? null : { generation: Number(generation), nodes: Number(nodes) };
}

/** Consent to one generation is none to the next. */
function confirmedNodesOf(text: string, generation: number): number | null {
  const confirmed = parseConfirmation(text);
  return confirmed?.generation === generation ? confirmed.nodes : null;
}
