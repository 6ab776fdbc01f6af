// Facts that are too many to watch whole, asked for when a node needs them: the pods of its DaemonSets, its CSI drivers, where
// Services are. What was answered is kept while it is fresh, and the node is visited again; until then it is unknown. Reads, never writes.

import type { Clock, Instant } from '../base/clock.ts';
import { isTrue, asConditionStatus } from '../objects/condition.ts';
import { fieldsOf, type RawObject, recordsIn, textOf } from '../objects/raw.ts';
import { csiNodeType, podType } from '../objects/ref.ts';
import { questionKey, type ServiceAnswer, type ServiceAnswers } from '../objects/service.ts';
import { createServiceReader, type ServiceReader } from './asked-services.ts';
import type { AskRequest } from './capability.ts';
import type { Answer, KubeApi, MakeQueue, WorkOutcome } from './ports.ts';

export type NodeAnswer = {
  readonly at: Instant;
  /** `namespace/name` of every DaemonSet with a pod on the node, in the namespaces that were asked about; true: it is ready. */
  readonly daemonSets: ReadonlyMap<string, boolean>;
  readonly csiDrivers: readonly string[];
  readonly services: ServiceAnswers;
};

/** Read side, for capabilities. */
export interface Answers {
  of(node: string): NodeAnswer | undefined;
}

/** Where nothing is ever asked. */
export const noAnswers: Answers = { of: () => undefined };

export interface Asked extends Answers {
  ask(node: string, request: AskRequest): void;
  forget(node: string): void;
  stop(): Promise<void>;
}

export type AskedPorts = {
  readonly api: KubeApi;
  readonly clock: Clock;
  readonly makeQueue: MakeQueue;
  readonly onAnswer: (node: string) => void;
};

/** How long an answer counts: no node is asked about more often. */
const ANSWER_FRESH_MS = 5_000;
const ASKED_AT_ONCE = 8;
/** More pods of one namespace on one node than a kubelet runs. */
const PODS_MAX = 500;

export function createAsked({ api, clock, makeQueue, onAnswer }: AskedPorts): Asked {
  const answers = new Map<string, NodeAnswer>();
  const requests = new Map<string, AskRequest>();
  const readService = createServiceReader(api, clock, ANSWER_FRESH_MS);
  const queue = makeQueue({
    name: 'asked',
    concurrency: ASKED_AT_ONCE,
    async work(node): Promise<WorkOutcome> {
      const request = requests.get(node);
      if (request === undefined) return { kind: 'done', recheckInMs: null };
      const answer = await answerOf({ api, readService }, node, request);
      if (answer.kind === 'error') return { kind: 'retry', soon: false, afterMs: answer.error.retryAfterMs };
      // It may have been forgotten meanwhile.
      if (!requests.delete(node)) return { kind: 'done', recheckInMs: null };
      answers.set(node, { ...answer.value, at: clock.now() });
      onAnswer(node);
      return { kind: 'done', recheckInMs: null };
    },
  });
  return {
    of: (node) => answers.get(node),
    ask(node, request) {
      const isFresh = clock.now() - (answers.get(node)?.at ?? -Infinity) < ANSWER_FRESH_MS;
      if (isFresh || requests.has(node)) return;
      requests.set(node, request);
      queue.add(node);
    },
    forget(node) {
      answers.delete(node);
      requests.delete(node);
    },
    stop: () => queue.stop(),
  };
}

type Reading = { readonly api: KubeApi; readonly readService: ServiceReader };
type Found = Omit<NodeAnswer, 'at'>;

async function answerOf(
  { api, readService }: Reading,
  node: string,
  { namespaces, hasDrivers, services: questions }: AskRequest,
): Promise<Answer<Found>> {
  const services = new Map<string, ServiceAnswer>();
  for (const question of questions) {
    const found = await readService(question);
    if (found.kind === 'error') return found;
    services.set(questionKey(question), found.value);
  }
  const daemonSets = new Map<string, boolean>();
  for (const namespace of namespaces) {
    const fieldSelector = `spec.nodeName=${node}`;
    const page = await api.list({ type: podType, namespace, fieldSelector }, { limit: PODS_MAX });
    if (page.kind === 'error') return page;
    for (const pod of page.value.items) noteDaemonSet(daemonSets, namespace, pod);
  }
  if (!hasDrivers) return { kind: 'ok', value: { daemonSets, csiDrivers: [], services } };
  const csiNode = await api.get({ type: csiNodeType, namespace: '', name: node });
  // A node without any driver may have no such object yet.
  if (csiNode.kind === 'error' && csiNode.error.reason !== 'NotFound') return csiNode;
  const drivers = csiNode.kind === 'ok' ? recordsIn(fieldsOf(csiNode.value.spec)['drivers']) : [];
  return { kind: 'ok', value: { daemonSets, csiDrivers: drivers.map(({ name }) => textOf(name)), services } };
}

/** While one is replaced there are two: it is ready when one of them is. */
function noteDaemonSet(daemonSets: Map<string, boolean>, namespace: string, pod: RawObject): void {
  for (const { kind, name } of recordsIn(pod.metadata?.ownerReferences)) {
    if (kind !== 'DaemonSet') continue;
    const key = `${namespace}/${textOf(name)}`;
    daemonSets.set(key, (daemonSets.get(key) ?? false) || isReady(pod));
  }
}

function isReady({ metadata, status }: RawObject): boolean {
  const conditions = recordsIn(fieldsOf(status)['conditions']).map((each) => ({
    type: textOf(each['type']),
    status: asConditionStatus(each['status']),
    reason: '',
    message: '',
    lastTransitionTime: '',
  }));
  return metadata?.deletionTimestamp === undefined && isTrue(conditions, 'Ready');
}
