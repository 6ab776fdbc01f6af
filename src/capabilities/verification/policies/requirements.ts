// What a node must have before a worker runs, and what needs no worker to see: resources, agents, drivers. It waits for them, and
// no attempt is spent.

import type { Problem } from '../../../base/result.ts';
import { parseTime } from '../../../base/timestamp.ts';
import { ownValue } from '../../../objects/raw.ts';
import { compareQuantities, parseQuantity } from '../../../objects/quantity.ts';
import type { AskRequest } from '../../../runtime/capability.ts';
import type { NodeAnswer } from '../../../runtime/asked.ts';
import { unansweredIn } from '../addresses.ts';
import type { Requirements } from '../policy.ts';
import { carriesTaint, type RecordedScene, type Scene, type Step, waiting } from '../scene.ts';

const LOOK_MS = 5_000;

export const resourcesAreMissing: Step = ({ node, policy }) => {
  const missing = Object.entries(policy.requirements.resources ?? {}).filter(
    ([name, least]) => !isEnough(ownValue(node.extendedResources, name), least),
  );
  if (missing.length === 0) return null;
  const words = missing.map(
    ([name, least]) => `${name} is ${ownValue(node.extendedResources, name) ?? 'absent'}, ${least} required`,
  );
  return waiting('RequirementMissing', words.join('; '));
};

/** What no node would ever be seen to have, though it may: whoever requires it would wait for ever. */
export function requirementProblems({ resources = {} }: Requirements): readonly Problem[] {
  const problems = Object.entries(resources).map(([name, least]) => ({
    path: `spec.requirements.resources.${name}`,
    message: name.includes('/')
      ? quantityProblem(least)
      : 'cannot be required: only resources of device plugins can, whose names have a prefix',
  }));
  return problems.flatMap(({ path, message }) => (message === null ? [] : [{ path, message }]));
}

function quantityProblem(text: string): string | null {
  const quantity = parseQuantity(text);
  return quantity.kind === 'error' ? quantity.error : null;
}

/** Agents of the node, and where the Services are that its worker is to reach. */
export const agentsAreMissing: Step = (scene) => {
  const { policy, questions, answer, now } = scene;
  const { daemonSets = [], csiDrivers = [] } = policy.requirements;
  if (daemonSets.length === 0 && csiDrivers.length === 0 && questions.length === 0) return null;
  const isFresh = answer !== undefined && now - answer.at < LOOK_MS;
  const words =
    answer === undefined
      ? ['not known yet']
      : [...missingFrom(policy.requirements, answer), ...unansweredIn(questions, answer.services)];
  if (isFresh && words.length === 0) return null;
  const isMutual = answer !== undefined && isAnyAbsent(policy.requirements, answer) && isGatedLong(scene);
  return waiting(isMutual ? 'MutualWait' : 'RequirementMissing', words.join('; '), {
    recheckAt: now + LOOK_MS,
    asks: askAbout(scene),
    ...(isMutual ? { isWarning: true } : {}),
  });
};

/** A DaemonSet has its pod on a node within seconds, unless the pod may not go there. */
const MUTUAL_MS = 60_000;

function isGatedLong(scene: RecordedScene): boolean {
  const gatedAt = parseTime(scene.record.gatedAt);
  return carriesTaint(scene) && gatedAt !== null && scene.now - gatedAt >= MUTUAL_MS;
}

function isAnyAbsent({ daemonSets = [] }: Requirements, answer: NodeAnswer): boolean {
  return daemonSets.some(({ namespace, name }) => !answer.daemonSets.has(`${namespace}/${name}`));
}

/** All that is ever asked about the node: an answer takes the place of the one before. */
export function askAbout({ policy, questions }: Pick<Scene, 'policy' | 'questions'>): AskRequest {
  const { daemonSets = [], csiDrivers = [] } = policy.requirements;
  return {
    kind: 'Ask',
    namespaces: [...new Set(daemonSets.map(({ namespace }) => namespace))],
    hasDrivers: csiDrivers.length > 0,
    services: questions,
  };
}

/** An agent that does not tolerate our taint waits for us while we wait for it: the words point at that. */
function missingFrom(
  { daemonSets = [], csiDrivers = [] }: Requirements,
  answer: NodeAnswer,
): readonly string[] {
  const agents = daemonSets.flatMap(({ namespace, name }) => {
    const isReady = answer.daemonSets.get(`${namespace}/${name}`);
    if (isReady === true) return [];
    return [
      isReady === undefined
        ? `DaemonSet ${namespace}/${name} has no pod here; it must tolerate the taint of this policy`
        : `the pod of DaemonSet ${namespace}/${name} is not ready`,
    ];
  });
  const drivers = csiDrivers
    .filter((name) => !answer.csiDrivers.includes(name))
    .map((name) => `the CSI driver ${name} is not registered`);
  return [...agents, ...drivers];
}

function isEnough(has: string | undefined, least: string): boolean {
  const [found, wanted] = [parseQuantity(has ?? ''), parseQuantity(least)];
  if (found.kind === 'error' || wanted.kind === 'error') return false;
  return compareQuantities(found.value, wanted.value) >= 0;
}
