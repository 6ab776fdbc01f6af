// NodeReadinessEvaluations: how they are named, what is kept of them in memory, and what each should say. With ten rules and
// five thousand nodes there are fifty thousand, so of what exists only two hashes are held, never the object.

import { type Hash, hashFields, hashOf } from '../../base/hash.ts';
import { evaluationLabels, nodeReadinessEvaluationType } from '../../api/keys.ts';
import type {
  NodeReadinessEvaluationSpec,
  NodeReadinessEvaluationStatus,
} from '../../api/node-readiness-evaluation.ts';
import { fieldsOf, type ObjectView, type RawObject, recordsIn, textOf, viewOf } from '../../objects/raw.ts';
import { apiVersionOf } from '../../objects/ref.ts';
import { type Front, fronts, ruleTypes, type RuleView } from '../../fleet/readiness-rule.ts';

export type EvaluationView = ObjectView & {
  /** Null: owned by somebody else, or not as we make them, such as a copy under another name; so not ours. */
  readonly front: Front | null;
  readonly ruleName: string;
  readonly nodeName: string;
  readonly specHash: Hash;
  readonly statusHash: Hash;
  /** It still carries managedFields, half of its size. */
  readonly isTracked: boolean;
};

export type Pair = { readonly front: Front; readonly ruleName: string; readonly nodeName: string };

/** Short, and joined into one piece of text: when a rule comes, as many as there are nodes wait in a queue. */
export function pairKey({ front, ruleName, nodeName }: Pair): string {
  return [fronts.indexOf(front), ruleName, nodeName].join('/');
}

export function parsePairKey(key: string): Pair | null {
  const [place, ruleName = '', nodeName = ''] = key.split('/');
  const front = fronts[Number(place)];
  return front === undefined ? null : { front, ruleName, nodeName };
}

/** What the evaluations of one rule are found under. */
export function ruleKeyOf(front: Front, ruleName: string): string {
  return `${front}/${ruleName}`;
}

const NAME_LENGTH_MAX = 253;
const LABEL_LENGTH_MAX = 63;
const HASH_LENGTH = 16;

/** `<rule>-<node>` where that is short enough and can mean nothing else. */
export function plainName({ ruleName, nodeName }: Omit<Pair, 'front'>): string {
  return `${ruleName}-${nodeName}`;
}

export function hashedName(pair: Pair): string {
  return shortened(plainName(pair), { lengthMax: NAME_LENGTH_MAX, hash: hashFields(Object.values(pair)) });
}

function isNameOf(pair: Pair, name: string): boolean {
  return name === plainName(pair) || name === hashedName(pair);
}

export function isNameTooLong(pair: Pair): boolean {
  return plainName(pair).length > NAME_LENGTH_MAX;
}

export function labelsOf({ ruleName, nodeName }: Pair): Readonly<Record<string, string>> {
  const label = (name: string) =>
    name.length <= LABEL_LENGTH_MAX
      ? name
      : shortened(name, { lengthMax: LABEL_LENGTH_MAX, hash: hashFields([name]) });
  return { [evaluationLabels.rule]: label(ruleName), [evaluationLabels.node]: label(nodeName) };
}

function shortened(
  name: string,
  { lengthMax, hash }: { readonly lengthMax: number; readonly hash: Hash },
): string {
  const beginning = name.slice(0, lengthMax - HASH_LENGTH - 1).replace(/[^a-z0-9]+$/, '');
  return `${beginning}-${hash}`;
}

/** Shares no text: what is held of it are numbers, and hashes would drive out what others share. */
export function projectEvaluation(raw: RawObject): EvaluationView {
  const metadata: Readonly<Record<string, unknown>> = raw.metadata ?? {};
  const spec = fieldsOf(raw.spec);
  const view = viewOf(raw);
  const [owner] = recordsIn(metadata['ownerReferences']);
  const generation = spec['ruleGeneration'];
  const named = { ruleName: textOf(spec['ruleName']), nodeName: textOf(spec['nodeName']) };
  const labels = fieldsOf(metadata['labels']);
  return {
    ...view,
    front:
      owner === undefined
        ? orphanedFront({ ...named, name: view.name, labels })
        : (fronts.find((front) => front === owner['kind'] && isNameOf({ front, ...named }, view.name)) ??
          null),
    ...named,
    specHash: specHashOf({
      ownerUid: textOf(owner?.['uid']),
      ruleGeneration: typeof generation === 'number' ? generation : 0,
      labels,
    }),
    statusHash: statusHashOf(fieldsOf(raw.status)),
    // What was wiped may be shown as one empty entry.
    isTracked: recordsIn(metadata['managedFields']).some(({ manager }) => manager !== undefined),
  };
}

type Orphan = Omit<Pair, 'front'> & {
  readonly name: string;
  readonly labels: Readonly<Record<string, unknown>>;
};

/**
 * One whose owner was taken from it, as `kubectl delete --cascade=orphan` does, is known by name and labels. Which kind its rule was
 * of may not be known any more: where there is no such rule of the first kind it is deleted, and made anew if the other wants it.
 */
function orphanedFront({ name, labels, ...named }: Orphan): Front | null {
  const isOurs = (pair: Pair) =>
    isNameOf(pair, name) && Object.entries(labelsOf(pair)).every(([key, value]) => labels[key] === value);
  return fronts.find((front) => isOurs({ front, ...named })) ?? null;
}

type SpecDigest = {
  readonly ownerUid: string;
  readonly ruleGeneration: number;
  readonly labels: Readonly<Record<string, unknown>>;
};

function specHashOf({ ownerUid, ruleGeneration, labels }: SpecDigest): Hash {
  const { rule, node } = evaluationLabels;
  return hashFields([ownerUid, String(ruleGeneration), textOf(labels[rule]), textOf(labels[node])]);
}

/** Only what people act upon: times and counts alone are no reason to write. */
function statusHashOf(status: Readonly<Record<string, unknown>>): Hash {
  const { conditionResults, allConditionsSatisfied, taintStatus, reason, lastError } = status;
  return hashOf({ conditionResults, allConditionsSatisfied, taintStatus, reason, lastError });
}

export type WantedEvaluation = {
  readonly name: string;
  readonly body: RawObject;
  readonly specHash: Hash;
  readonly status: NodeReadinessEvaluationStatus;
  readonly statusHash: Hash;
};

export function wantedEvaluation(
  name: string,
  rule: RuleView,
  { nodeName, status }: { readonly nodeName: string; readonly status: NodeReadinessEvaluationStatus },
): WantedEvaluation {
  const type = ruleTypes[rule.front];
  const labels = labelsOf({ front: rule.front, ruleName: rule.name, nodeName });
  const spec: NodeReadinessEvaluationSpec = {
    ruleName: rule.name,
    nodeName,
    ruleGeneration: rule.generation,
  };
  const body: RawObject = {
    apiVersion: apiVersionOf(nodeReadinessEvaluationType),
    kind: nodeReadinessEvaluationType.kind,
    metadata: {
      name,
      labels,
      ownerReferences: [{ apiVersion: apiVersionOf(type), kind: type.kind, name: rule.name, uid: rule.uid }],
    },
    spec,
  };
  const specHash = specHashOf({ ownerUid: rule.uid, ruleGeneration: rule.generation, labels });
  return { name, body, specHash, status, statusHash: statusHashOf(status) };
}
